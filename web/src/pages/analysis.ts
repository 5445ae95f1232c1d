// Analysis of a state: the board in the middle of everything, values and lines while the search runs.
import { About } from "../analysis/about";
import { count, score } from "../analysis/format";
import { Graph } from "../analysis/graph";
import { PlayedLine, type Joint } from "../analysis/line";
import { showLines } from "../analysis/lines";
import { drawOverlay } from "../analysis/overlay";
import type { Loss, NetworkSize, Playouts, Reviewed, Search, Solution, Symmetries } from "../analysis/types";
import { showValues } from "../analysis/values";
import { Board } from "../board/board";
import { showFacts } from "../board/facts";
import { readable } from "../board/menu";
import type { SceneFrame } from "../board/types";
import { announce, byId, h, pageData, refill, scrollWithin } from "../shared/dom";
import { setIcons } from "../shared/icons";
import { Live, type Message } from "../shared/live";
import { moveList } from "../shared/moves";
import { allGestures, choosers, turnText, type StateView } from "../shared/position";

/** The line of the match that is analysed; `start` if it began in another state than the initial one. */
interface Known {
  start: string[] | null;
  moves: Joint[];
  at: number;
}

const data = pageData<{ game: string; title: string; roles: string[]; scene: SceneFrame; notes: string[]; line: Known | null }>();
const line = new PlayedLine(data.line);
const board = new Board(byId("board"), data.scene, data.title);
// The marks of the analysis show what is possible.
board.showsHints = false;
const players = data.scene.roles.filter((role) => role.name.toLowerCase() !== "random");
const graph = new Graph(byId("graph"), players, (index) => go(index));
const about = new About(byId("about"));
const lines = byId<HTMLSelectElement>("lines");
let state: StateView | null = null;
let search: Search | null = null;
let symmetries: Symmetries | null = null;
let pending = new Map<string, string>();
let number = 0;
let reviewing = 0;
let isPaused = false;
let lookedAt = 0;

const live = new Live("/analysis/live", hear, (isOn) => {
  if (isOn) look();
  else problem("The server is away. Trying again …");
});

function problem(text: string): void {
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
}

/** Ask for the state at the end of the path, and for its analysis. */
function look(): void {
  number += 1;
  lookedAt = performance.now();
  search = symmetries = null;
  delete byId("board").dataset["firstMs"];
  delete byId("board").dataset["updates"];
  pending = new Map();
  about.clear();
  live.send({ type: "look", id: number, line: named(line.path), analyse: !isPaused });
  showTurns();
}

/** Name a state for the server. */
function named(moves: Joint[]): { game: string; start: string[] | null; moves: Joint[] } {
  return { game: data.game, start: data.line?.start ?? null, moves };
}

function go(at: number): void {
  if (line.go(at)) look();
}

function play(joints: Joint[]): void {
  const at = line.at;
  if (line.play(joints)) graph.cut(line.moves.length, at);
  look();
}

function hear(message: Message): void {
  const body = message as unknown;
  if (message.type === "review" && message["id"] === reviewing) {
    const one = body as Reviewed;
    graph.set(one.index, one.values, one.losses);
    showTurns();
    return;
  }
  if (message.type === "reviewed" && message["id"] === reviewing) return reviewed();
  if (message["id"] !== number) return;
  switch (message.type) {
    case "position":
      problem("");
      return showState(body as StateView & { fluents: string });
    case "search":
      search = body as Search;
      return showSearch();
    case "end":
      return showEnd(message["scores"] as Record<string, number>);
    case "symmetries":
      symmetries = body as Symmetries;
      about.symmetries(symmetries);
      return overlay();
    case "solution":
      return about.solution(body as Solution);
    case "playouts":
      return about.playouts(body as Playouts);
    case "network":
      return about.network(body as NetworkSize);
    case "waiting":
      byId("counters").textContent = `Waiting: ${message["before"]} other analyses come first.`;
      return;
    case "done":
      byId("board").dataset["done"] = String(message["reason"]);
      return;
    case "problem":
      problem(String(message["text"]));
  }
}

function showState(found: StateView & { fluents: string }): void {
  const isNext = state !== null;
  state = found;
  board.show(found, isNext);
  board.setArrows([]);
  board.setBars([]);
  board.setTints(new Map());
  const { gestures, whose } = allGestures(found);
  board.setMoves(found.isTerminal ? [] : gestures);
  board.onMove = (move) => choose(whose.get(move)?.find((role) => !pending.has(role)) ?? whose.get(move)?.[0] ?? "", move);
  moveList(byId("moves"), found.isTerminal ? {} : found.moves, choose);
  showFacts(byId("facts"), data.scene, found);
  const query = new URLSearchParams({ game: data.game, ...(line.at ? { state: found.fluents } : {}) });
  byId<HTMLAnchorElement>("play-here").href = `/match/new?${query}`;
  graph.cut(line.moves.length, line.moves.length);
  graph.setAt(line.at);
  const last = line.path.at(-1);
  if (last) announce(`Turn ${line.at}: ${turnText(last, data.roles)}`);
  showStatus();
  if (!found.isTerminal && !isPaused) byId("counters").textContent = "Searching …";
  delete byId("board").dataset["done"];
}

function showStatus(): void {
  if (!state) return;
  const who = choosers(state).filter((role) => !pending.has(role));
  const chosen = [...pending].map(([role, move]) => `${role} chose ${readable(move)}`);
  const words = state.isTerminal ? "the match is over" : who.length ? `${who.join(" and ")} to move` : "one move is possible";
  byId("turn").textContent = [`State ${line.at} of ${line.moves.length}`, ...chosen, words].join(", ");
}

/** A role chose a move; the turn is made when every role with a choice has chosen. */
function choose(role: string, move: string): void {
  if (!state) return;
  pending.set(role, move);
  if (choosers(state).some((one) => !pending.has(one))) return showStatus();
  play([data.roles.map((one) => pending.get(one) ?? state!.moves[one]?.[0]?.move ?? "noop")]);
}

function showSearch(): void {
  if (!search || !state) return;
  // For the benchmark: when the first line came, and how many came since.
  const figures = byId("board").dataset;
  figures["firstMs"] ??= String(Math.round(performance.now() - lookedAt));
  figures["updates"] = String(Number(figures["updates"] ?? 0) + 1);
  showValues(
    byId("values"),
    players.map((role) => {
      const found = search!.roles.find((one) => one.role === role.name);
      return { role: role.name, value: found?.value ?? null, interval: found?.interval ?? null, isProven: search!.is_proven };
    }),
    players,
  );
  showLines(byId("line-list"), search.roles, data.roles, Number(lines.value), turnOf, (choice) => play(choice.moves));
  const parts = [`${count(search.simulations)} simulations`, `${count(search.rate)} a second`, `${count(search.states)} states`, `${(search.memory_bytes / 2 ** 20).toFixed(0)} MiB`, `${search.seconds.toFixed(1)} s`];
  byId("counters").textContent = [search.is_proven ? "Proven. " : "", parts.join(", "), ...search.notes.map((note) => `. Note: ${note}`)].join("");
  const values = Object.fromEntries(search.roles.map((one) => [one.role, one.value]));
  graph.set(line.at, values);
  overlay();
}

/** The turn of a role's move if nobody else has a choice; nothing otherwise. */
function turnOf(role: string, move: string): Joint[] {
  const joint = data.roles.map((one) => (one === role ? move : state?.moves[one]?.length === 1 ? state.moves[one][0]!.move : null));
  return joint.includes(null) ? [] : [joint as Joint];
}

function showEnd(scores: Record<string, number>): void {
  showValues(byId("values"), players.map((role) => ({ role: role.name, value: scores[role.name] ?? null, interval: null, isProven: true })), players);
  const words = players.map((role) => `${role.name} ${scores[role.name] ?? 0}`).join(", ");
  byId("line-list").replaceChildren(h("li", {}, `The match is over: ${words}.`));
  byId("counters").textContent = "";
  graph.set(line.at, scores);
}

function overlay(): void {
  if (!state || !search) return;
  const isOn = (id: string): boolean => byId<HTMLInputElement>(id).checked;
  drawOverlay(board, state, search.roles, symmetries, Number(lines.value), { arrows: isOn("show-arrows"), bars: isOn("show-bars"), tints: isOn("show-tints") });
}

const SIGNS: Record<Loss["kind"], string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

function showTurns(): void {
  const rows = line.moves.map((joint, i) => {
    const losses = graph.lossesAt(i);
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "turn", "aria-current": i + 1 === line.at ? "step" : null, onclick: () => go(i + 1) },
        h("span", { class: "soft" }, `${i + 1}. `),
        turnText(joint, data.roles),
      ),
      ...losses.map((loss) =>
        h("span", { class: `loss ${loss.kind}` }, SIGNS[loss.kind], h("span", { class: "small" }, ` ${loss.kind}: ${loss.role} lost ${score(loss.points)}, better was ${readable(loss.better)}`)),
      ),
    );
  });
  refill(byId("turns"), rows);
  byId("review-card").classList.toggle("empty", line.moves.length === 0);
  byId<HTMLButtonElement>("review").disabled = line.moves.length === 0;
  byId("trunk").hidden = !line.hasLeftTrunk;
  scrollWithin(byId("turns"), byId("turns").querySelector("[aria-current]"));
}

function review(): void {
  reviewing = -number;
  live.send({ type: "review", id: reviewing, line: named(line.moves) });
  byId("review").textContent = "Reviewing …";
  byId<HTMLButtonElement>("review").disabled = true;
}

function reviewed(): void {
  byId("review").textContent = "Review this line";
  byId<HTMLButtonElement>("review").disabled = false;
  byId("review-card").dataset["reviewed"] = "yes";
  const all = line.moves.flatMap((_, i) => graph.lossesAt(i));
  announce(`Review done: ${all.filter((one) => one.kind !== "inaccuracy").length} turning points`);
}

byId("first").addEventListener("click", () => go(0));
byId("previous").addEventListener("click", () => go(line.at - 1));
byId("next").addEventListener("click", () => go(line.at + 1));
byId("last").addEventListener("click", () => go(line.moves.length));
byId("flip").addEventListener("click", () => board.flip());
byId("review").addEventListener("click", review);
byId("trunk").addEventListener("click", () => {
  line.backToTrunk();
  graph.cut(line.moves.length, line.at);
  look();
});
byId("pause").addEventListener("click", (event) => {
  isPaused = !isPaused;
  (event.target as HTMLElement).setAttribute("aria-pressed", String(isPaused));
  (event.target as HTMLElement).textContent = isPaused ? "Go on" : "Pause";
  if (isPaused) live.send({ type: "stop" });
  else look();
});
byId("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href).catch(() => undefined);
  byId("copied").textContent = "Copied";
});
byId("game").addEventListener("change", (event) => (location.href = `/analysis?game=${encodeURIComponent((event.target as HTMLSelectElement).value)}`));
lines.addEventListener("change", showSearch);
for (const id of ["show-arrows", "show-bars", "show-tints"]) byId(id).addEventListener("change", overlay);
document.addEventListener("visibilitychange", () => {
  // Nobody looks at a hidden page: its search ends, and goes on when it is seen again.
  if (document.hidden) live.send({ type: "stop" });
  else if (!isPaused) look();
});
addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.closest("[data-place], [role=menu]")) return;
  const act = { ArrowLeft: () => go(line.at - 1), ArrowRight: () => go(line.at + 1), Home: () => go(0), End: () => go(line.moves.length), f: () => board.flip() }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
graph.cut(line.moves.length, line.moves.length);
setIcons({ first: "first", previous: "back", next: "forward", last: "last", flip: "flip" });
