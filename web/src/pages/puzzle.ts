// A puzzle: play it on the board, or let a plan be found and shown step by step.
import { PlayedLine, type Joint } from "../analysis/line";
import { Board } from "../board/board";
import { showFacts } from "../board/facts";
import { readable } from "../board/menu";
import type { SceneFrame } from "../board/types";
import { announce, byId, h, pageData } from "../shared/dom";
import { setIcons } from "../shared/icons";
import { Live, type Message } from "../shared/live";
import { moveList } from "../shared/moves";
import { allGestures, type StateView } from "../shared/position";

const STEP_MS = 450;

interface Plan {
  moves: Joint[];
  goal: number;
  isBest: boolean;
  seconds: number;
}

const data = pageData<{ game: string; title: string; roles: string[]; scene: SceneFrame }>();
const line = new PlayedLine(null);
const board = new Board(byId("board"), data.scene, data.title);
let number = 0;
let planning = 0;
let plan: Plan | null = null;
/** How many moves were made when the plan was asked for. */
let planFrom = 0;
let shown = 0;
let timer = 0;

const live = new Live("/puzzles/live", hear, (isOn) => (isOn ? look() : problem("The server is away. Trying again …")));

function problem(text: string): void {
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
}

function look(): void {
  number += 1;
  live.send({ type: "look", id: number, line: { game: data.game, moves: line.path }, analyse: false });
  byId("turns").replaceChildren(
    ...line.moves.map((joint, i) =>
      h("li", {}, h("button", { type: "button", class: "turn", "aria-current": i + 1 === line.at ? "step" : null, onclick: () => go(i + 1) }, h("span", { class: "soft" }, `${i + 1}. `), readable(joint[0] ?? ""))),
    ),
  );
  showPlan();
}

function go(at: number): void {
  clearTimeout(timer);
  if (line.go(at)) look();
}

function play(joint: Joint): void {
  line.play([joint]);
  look();
}

function hear(message: Message): void {
  if (message.type === "position" && message["id"] === number) return show(message as unknown as StateView);
  if (message.type === "problem") {
    setPlanning(false);
    return problem(String(message["text"]));
  }
  if (message["id"] !== planning) return;
  if (message.type === "plan") {
    plan = message as unknown as Plan;
    shown = 0;
    showPlan();
  } else if (message.type === "planned") planned(message);
}

function show(state: StateView): void {
  problem("");
  board.show(state);
  const { gestures } = allGestures(state);
  board.setMoves(state.isTerminal ? [] : gestures);
  board.onMove = (move) => play([move]);
  moveList(byId("moves"), state.isTerminal ? {} : state.moves, (_, move) => play([move]));
  showFacts(byId("facts"), data.scene, state);
  const goal = state.scores ? Object.values(state.scores)[0] : undefined;
  const words = goal === undefined ? `Move ${line.at + 1}` : `Over after ${line.at} moves: ${goal} of 100 points`;
  byId("turn").textContent = words;
  announce(line.at ? `${readable(line.path.at(-1)?.[0] ?? "")}. ${words}` : words);
}

/** The steps of the plan that are shown: as many as were asked for, or made. */
function showPlan(): void {
  byId("plan-steps").hidden = plan === null;
  if (!plan) return byId("plan-list").replaceChildren();
  const made = line.path.slice(planFrom);
  const follows = made.every((joint, i) => joint[0] === plan!.moves[i]?.[0]);
  const steps = follows ? Math.max(shown, made.length) : shown;
  byId("plan-list").replaceChildren(
    ...plan.moves.slice(0, steps).map((joint, i) =>
      h("li", {}, h("button", { type: "button", class: "turn", "aria-current": follows && i + 1 === made.length ? "step" : null, onclick: () => playTo(i + 1) }, h("span", { class: "soft" }, `${i + 1}. `), readable(joint[0] ?? ""))),
    ),
    steps < plan.moves.length ? h("li", { class: "soft small" }, `and ${plan.moves.length - steps} more`) : "",
  );
  byId<HTMLButtonElement>("hint").disabled = steps >= plan.moves.length;
}

/** Go to the state after some steps of the plan. */
function playTo(steps: number): void {
  if (!plan) return;
  line.go(planFrom);
  line.play(plan.moves.slice(0, steps));
  shown = Math.max(shown, steps);
  look();
}

function showAll(): void {
  clearTimeout(timer);
  const made = Math.max(0, line.at - planFrom);
  if (!plan || made >= plan.moves.length) return;
  playTo(made + 1);
  timer = window.setTimeout(showAll, STEP_MS);
}

function setPlanning(isOn: boolean): void {
  byId("plan").textContent = isOn ? "Stop" : "Find a plan from here";
  byId("plan").dataset["busy"] = String(isOn);
}

function findPlan(): void {
  if (byId("plan").dataset["busy"] === "true") {
    live.send({ type: "no-plan" });
    setPlanning(false);
    byId("plan-status").textContent = "Stopped.";
    return;
  }
  planning -= 1;
  plan = null;
  planFrom = line.at;
  shown = 0;
  showPlan();
  setPlanning(true);
  byId("plan-status").textContent = "Searching …";
  live.send({ type: "plan", id: planning, line: { game: data.game, moves: line.path } });
}

function planned(message: Message): void {
  setPlanning(false);
  const found = message["problem"]
    ? String(message["problem"])
    : plan
      ? `${plan.moves.length} moves to ${plan.goal} of 100 points, found in ${plan.seconds.toFixed(1)} s${plan.isBest ? ". No plan gives more." : "."}`
      : message["isExhausted"]
        ? "No end can be reached from here."
        : "No plan was found in the time there was.";
  byId("plan-status").textContent = found;
}

byId("first").addEventListener("click", () => go(0));
byId("previous").addEventListener("click", () => go(line.at - 1));
byId("next").addEventListener("click", () => go(line.at + 1));
byId("last").addEventListener("click", () => go(line.moves.length));
byId("plan").addEventListener("click", findPlan);
byId("show-all").addEventListener("click", showAll);
byId("hint").addEventListener("click", () => playTo(Math.max(0, line.at - planFrom) + 1));
addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.closest("[data-place], [role=menu]")) return;
  const act = { ArrowLeft: () => go(line.at - 1), ArrowRight: () => go(line.at + 1), Home: () => go(0), End: () => go(line.moves.length) }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
setIcons({ first: "first", previous: "back", next: "forward", last: "last" });
