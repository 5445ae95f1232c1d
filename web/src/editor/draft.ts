// The board beside the text: a few moves in what is being written.
import { Board } from "../board/board";
import { showFacts } from "../board/facts";
import type { SceneFrame } from "../board/types";
import { announce, byId } from "../shared/dom";
import type { Message } from "../shared/live";
import { moveList } from "../shared/moves";
import { allGestures, turnText, type StateView } from "../shared/position";

export interface Shown {
  path: string[][];
  position: StateView;
  goals: Record<string, number | null>;
  facts: string[];
}

export interface Opened extends Shown {
  scene?: SceneFrame;
  roles?: string[];
  engine?: string;
  notes?: string[];
}

export class DraftBoard {
  path: string[][] = [];
  onFinding: () => void = () => undefined;
  private board: Board | null = null;
  private scene: SceneFrame | null = null;
  private sceneText = "";
  private roles: string[] = [];
  private seed = 1;

  constructor(private readonly send: (message: Message) => void) {
    byId("restart").addEventListener("click", () => this.goTo([]));
    byId("back").addEventListener("click", () => this.goTo(this.path.slice(0, -1)));
    byId("random-move").addEventListener("click", () => this.random(1));
    byId("random-match").addEventListener("click", () => this.random(500));
  }

  /** Show the state after these joint moves. */
  goTo(path: string[][], why = ""): void {
    this.send({ type: "show", path });
    if (why) announce(why);
  }

  /** Say that the board is that of an earlier text. */
  setStale(isStale: boolean): void {
    byId("board").classList.toggle("stale", isStale);
    if (isStale && this.board) byId("board-status").textContent = "The board is that of the last text without errors.";
  }

  /** Show what the server found: new rules, or a state of them. */
  take(found: Opened & { problem?: string }): void {
    const problem = byId("board-problem");
    problem.hidden = found.problem === undefined;
    if (found.problem !== undefined) {
      problem.textContent = found.problem;
      return;
    }
    if (found.scene) this.setScene(found.scene, found.roles ?? []);
    if (!this.board || !this.scene) return;
    const isNext = found.path.length === this.path.length + 1;
    this.path = found.path;
    this.board.show(found.position, isNext);
    const { gestures, whose } = allGestures(found.position);
    this.board.setMoves(found.position.isTerminal ? [] : gestures);
    this.board.onMove = (move) => this.play(whose.get(move)?.[0] ?? "", move);
    moveList(byId("board-moves"), found.position.isTerminal ? {} : found.position.moves, (role, move) => this.play(role, move));
    this.tell(found);
  }

  private tell(found: Opened): void {
    const { position } = found;
    const who = Object.entries(position.moves).filter(([, moves]) => moves.length > 1).map(([role]) => role);
    const stuck = Object.entries(position.moves).filter(([, moves]) => moves.length === 0).map(([role]) => role);
    const goals = Object.entries(found.goals).map(([role, goal]) => `${role} ${goal ?? "no goal"}`).join(", ");
    const status = position.isTerminal
      ? `The match is over: ${goals}.`
      : stuck.length
        ? `${stuck.join(" and ")} ${stuck.length === 1 ? "has" : "have"} no legal move here.`
        : `Turn ${this.path.length + 1}, ${who.length ? `${who.join(" and ")} to move` : "nobody has a choice"}.`;
    byId("board-status").textContent = [status, ...(found.notes ?? [])].join(" ");
    announce(status);
    byId("line").textContent = this.path.map((joint, i) => `${i + 1}. ${turnText(joint, this.roles)}`).join("  ");
    showFacts(byId("board-facts"), this.scene!, position);
  }

  private setScene(scene: SceneFrame, roles: string[]): void {
    this.roles = roles;
    const text = JSON.stringify(scene);
    if (text === this.sceneText) return;
    this.sceneText = text;
    this.scene = scene;
    byId("board").replaceChildren();
    this.board = new Board(byId("board"), scene, "The board of your rules");
  }

  private play(role: string, move: string): void {
    this.send({ type: "play", path: this.path, moves: { [role]: move }, seed: this.seed++ });
  }

  private random(turns: number): void {
    this.send({ type: "random", path: this.path, turns, seed: this.seed++ });
  }
}
