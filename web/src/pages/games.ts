// The gallery: search and filters. The filters are in the address, so that a reload and a link show the same.
import { byId } from "../shared/dom";

const search = byId<HTMLInputElement>("search");
const players = byId<HTMLSelectElement>("players");
const chips = [...document.querySelectorAll<HTMLButtonElement>(".chip")];
const cards = [...document.querySelectorAll<HTMLElement>(".game-card")];

function chosenKinds(): string[] {
  return chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset["kind"] ?? "");
}

function fits(card: HTMLElement, words: string[], kinds: string[], count: string): boolean {
  const has = (card.dataset["kinds"] ?? "").split(" ");
  const number = Number(card.dataset["players"]);
  const isCount = count === "" || (count === "3" ? number >= 3 : number === Number(count));
  return isCount && kinds.every((kind) => has.includes(kind)) && words.every((word) => (card.dataset["text"] ?? "").includes(word));
}

function show(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = chosenKinds();
  let shown = 0;
  for (const card of cards) {
    const isShown = fits(card, words, kinds, players.value);
    card.hidden = !isShown;
    shown += Number(isShown);
  }
  byId("count").textContent = shown === cards.length ? `${shown} games` : `${shown} of ${cards.length} games`;
  byId("none").hidden = shown > 0;
  const query = new URLSearchParams();
  if (search.value) query.set("q", search.value);
  if (players.value) query.set("players", players.value);
  for (const kind of kinds) query.append("kind", kind);
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
}

const start = new URLSearchParams(location.search);
search.value = start.get("q") ?? "";
players.value = start.get("players") ?? "";
for (const chip of chips) {
  if (start.getAll("kind").includes(chip.dataset["kind"] ?? "")) chip.setAttribute("aria-pressed", "true");
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    show();
  });
}
search.addEventListener("input", show);
players.addEventListener("change", show);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("clear").addEventListener("click", () => {
  search.value = players.value = "";
  for (const chip of chips) chip.setAttribute("aria-pressed", "false");
  show();
});
// The key / goes to the search, as on many sites; not while somebody types elsewhere.
addEventListener("keydown", (event) => {
  if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    search.focus();
  }
});
show();
