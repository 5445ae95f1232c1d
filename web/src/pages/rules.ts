// The rules editor: the text on the left, its problems below, the board of what is written on the right.
import { outline, type Relation } from "../editor/outline";
import { list, mark, type Page, type Problem } from "../editor/problems";
import { fromAddress, link, save } from "../editor/share";
import { tabs } from "../editor/tabs";
import { RulesText, type Name } from "../editor/text";
import { DraftBoard, type Opened, type Shown } from "../editor/draft";
import { EXAMPLE } from "../editor/example";
import type { Syntax } from "../editor/language";
import { announce, byId, h, pageData } from "../shared/dom";
import { setIcons } from "../shared/icons";
import { Live, type Message } from "../shared/live";

// A text is read when nobody has typed for this long.
const PAUSE_MS = 120;
const KEPT = "woodstock-rules";

interface Checked {
  id: number;
  problem?: string;
  errors: number;
  warnings: number;
  diagnostics: Problem[];
  pages: Record<string, Page>;
  syntax: Syntax;
  rules?: number;
  roles?: string[];
  outline?: Relation[];
  names?: Name[];
}

interface Warned {
  problem?: string;
  findings: Problem[];
  claims: { text: string; verdict: string; detail: string }[];
  states: number;
  playouts: number;
  is_exhaustive: boolean;
}

const data = pageData<{ name: string; text: string; key: string; most: number }>();
const name = byId<HTMLInputElement>("name");
const chooseTab = tabs(document.querySelector<HTMLElement>("[role=tablist]")!);
let syntax: Syntax = "kif";
let number = 0;
let timer = 0;
let typedAt = 0;
let pages: Record<string, Page> = {};

const text = new RulesText(byId("text"), "", () => {
  clearTimeout(timer);
  typedAt = performance.now();
  timer = window.setTimeout(send, PAUSE_MS);
});
const draftBoard = new DraftBoard((message) => live.send(message));
const live = new Live("/rules/live", hear, (isOn) => {
  if (isOn) send();
  else byId("verdict").textContent = "The server is away. Trying again …";
});

function send(): void {
  number += 1;
  live.send({ type: "text", id: number, text: text.text, path: draftBoard.path });
  keepDraft();
}

function keepDraft(): void {
  try {
    if (!data.key) localStorage.setItem(KEPT, JSON.stringify({ name: name.value, text: text.text }));
  } catch {
    // Without storage a draft lives as long as the page.
  }
}

function hear(message: Message): void {
  const body = message as unknown;
  switch (message.type) {
    case "check":
      return checked(body as Checked);
    case "format":
      return formatted(body as { text?: string; problem?: string; syntax: Syntax });
    case "open":
    case "show":
    case "play":
    case "random":
      return message["id"] === number ? played(body as Opened & Shown & { problem?: string }) : undefined;
    case "warnings":
      return message["id"] === number ? warned(body as Warned) : undefined;
    case "problem":
      byId("verdict").textContent = String(message["text"]);
  }
}

function checked(found: Checked): void {
  if (found.id !== number) return;
  if (found.problem) {
    byId("verdict").textContent = found.problem;
    return;
  }
  pages = found.pages;
  mark(text.view, found.diagnostics, found.pages);
  list(byId("problem-list"), found.diagnostics, found.pages, (one) => text.go(one.start, one.end));
  byId("no-problems").hidden = found.diagnostics.length > 0;
  syntax = found.syntax;
  text.setSyntax(syntax);
  byId("translate").textContent = syntax === "kif" ? "To infix" : "To KIF";
  if (found.outline) outline(byId("outline-list"), found.outline, (offset) => text.go(offset));
  if (found.names) text.setNames(found.names);
  const parts = [count(found.errors, "error"), count(found.warnings, "warning")].filter(Boolean);
  const verdict = byId("verdict");
  verdict.textContent = parts.length ? parts.join(", ") : "No problems";
  verdict.dataset["kind"] = found.errors ? "error" : found.warnings ? "warning" : "ok";
  byId("tab-problems").textContent = `Problems${found.diagnostics.length ? ` (${found.diagnostics.length})` : ""}`;
  byId("sizes").textContent = found.rules ? `${syntax === "kif" ? "KIF" : "infix"}, ${found.rules} rules, roles: ${found.roles?.join(", ")}` : "";
  byId<HTMLButtonElement>("play").disabled = found.errors > 0;
  byId("text").dataset["checkedMs"] = String(Math.round(performance.now() - typedAt));
  draftBoard.setStale(found.errors > 0);
}

function played(found: Opened & Shown & { problem?: string }): void {
  if (found.scene) byId("text").dataset["playableMs"] = String(Math.round(performance.now() - typedAt));
  draftBoard.take(found);
  byId("fact-list").textContent = (found.facts ?? []).join("  ");
}

function warned(found: Warned): void {
  if (found.problem) {
    byId("played").textContent = found.problem;
    return;
  }
  list(byId("warning-list"), found.findings, pages, (one) => text.go(one.start, one.end), (one) => draftBoard.goTo(one.path ?? [], one.message));
  byId("claims").replaceChildren(
    ...found.claims.map((one) => h("li", { class: `claim ${one.verdict}` }, h("span", { class: "severity" }, one.verdict), " ", one.text, one.detail ? h("span", { class: "soft" }, ` (${one.detail})`) : null)),
  );
  byId("tab-warnings").textContent = `From random play${found.findings.length ? ` (${found.findings.length})` : ""}`;
  byId("played").textContent = `Played: ${found.is_exhaustive ? "all " : ""}${found.states.toLocaleString("en")} states, ${found.playouts.toLocaleString("en")} random matches.`;
}

function formatted(found: { text?: string; problem?: string; syntax: Syntax }): void {
  if (found.problem !== undefined || found.text === undefined) {
    announce(found.problem ?? "");
    byId("verdict").textContent = `Not formatted: ${found.problem ?? ""}`;
    return;
  }
  text.setSyntax(found.syntax);
  text.replace(found.text);
  announce("Formatted");
}

function count(many: number, what: string): string {
  return many ? `${many} ${what}${many === 1 ? "" : "s"}` : "";
}

async function play(): Promise<void> {
  const answer = await fetch("/rules/keep", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: name.value, text: text.text }) });
  const value = (await answer.json()) as { key?: string; problem?: string };
  if (value.key) location.href = `/match/new?game=${value.key}`;
  else byId("verdict").textContent = value.problem ?? "The rules could not be kept";
}

async function share(): Promise<void> {
  byId<HTMLTextAreaElement>("share-link").value = await link(name.value, text.text);
  byId("share-note").textContent = "";
  byId<HTMLDialogElement>("share-dialog").showModal();
}

async function copy(): Promise<void> {
  const field = byId<HTMLTextAreaElement>("share-link");
  try {
    await navigator.clipboard.writeText(field.value);
    byId("share-note").textContent = "Copied.";
  } catch {
    field.select();
    byId("share-note").textContent = "Press Ctrl-C to copy.";
  }
}

function format(to?: Syntax): void {
  live.send({ type: "format", id: number, text: text.text, ...(to ? { to } : {}) });
}

async function start(): Promise<void> {
  const shared = await fromAddress();
  let draft: { name: string; text: string } | null = null;
  try {
    draft = JSON.parse(localStorage.getItem(KEPT) ?? "null") as typeof draft;
  } catch {
    // A draft that cannot be read is none.
  }
  const first = shared ?? (data.text ? data : draft ?? { name: "my-game", text: EXAMPLE });
  name.value = first.name;
  text.replace(first.text);
}

byId("format").addEventListener("click", () => format());
byId("translate").addEventListener("click", () => format(syntax === "kif" ? "infix" : "kif"));
byId("share").addEventListener("click", () => void share());
byId("copy-link").addEventListener("click", () => void copy());
byId("save-file").addEventListener("click", () => save(`${name.value || "my-game"}.${syntax === "kif" ? "kif" : "pl"}`, text.text));
byId("play").addEventListener("click", () => void play());
byId("open").addEventListener("change", (event) => {
  const key = (event.target as HTMLSelectElement).value;
  if (key) location.href = `/rules?game=${encodeURIComponent(key)}`;
});
byId("file").addEventListener("click", () => byId("file-input").click());
byId<HTMLInputElement>("file-input").addEventListener("change", async (event) => {
  const file = (event.target as HTMLInputElement).files?.[0];
  if (!file) return;
  if (file.size > data.most) {
    byId("verdict").textContent = `The file is too large: at most ${data.most.toLocaleString("en")} bytes`;
    return;
  }
  name.value = file.name.replace(/\.\w+$/, "");
  text.replace(await file.text());
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "f") {
    event.preventDefault();
    format();
  }
});
draftBoard.onFinding = () => chooseTab("tab-warnings");
void start();
setIcons({ restart: "first", back: "back" });
