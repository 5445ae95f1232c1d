// Open a record: the file is read here, the server checks it against the rules and answers with its address.
import { byId } from "../shared/dom";

const MOST_BYTES = 1_000_000;

function problem(text: string): void {
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
}

async function open(file: File): Promise<void> {
  problem("");
  if (file.size > MOST_BYTES) return problem(`The record is too large: at most ${MOST_BYTES.toLocaleString("en")} bytes.`);
  let record: unknown;
  try {
    record = JSON.parse(await file.text());
  } catch {
    return problem(`${file.name} is not a match record: it is not JSON.`);
  }
  const body = JSON.stringify({ name: file.name, record, game: byId<HTMLSelectElement>("game").value });
  const answer = await fetch("/replay", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const value = (await answer.json().catch(() => ({ problem: "the server did not take it" }))) as { address?: string; problem?: string };
  if (value.address) location.href = value.address;
  else problem(value.problem ?? "The record could not be opened.");
}

const input = byId<HTMLInputElement>("file");
byId("choose").addEventListener("click", () => input.click());
input.addEventListener("change", () => input.files?.[0] && void open(input.files[0]));
const drop = byId("drop");
drop.addEventListener("submit", (event) => event.preventDefault());
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const file = event.dataTransfer?.files[0];
  if (file) void open(file);
});
