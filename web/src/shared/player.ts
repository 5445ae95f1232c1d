// A recorded match on the board: forward, back, by itself at a chosen speed, by keys and by a slider.
import { Board } from "../board/board";
import { showFacts } from "../board/facts";
import type { Position, SceneFrame } from "../board/types";
import { announce, byId } from "./dom";
import { turnText } from "./position";

export interface Recorded {
  scene: SceneFrame;
  roles: string[];
  positions: Position[];
  moves: string[][];
}

export class RecordPlayer {
  at = 0;
  /** Called when another state is shown. */
  onTurn: (at: number) => void = () => undefined;
  readonly board: Board;
  private timer = 0;

  constructor(private record: Recorded, title: string) {
    this.board = new Board(byId("board"), record.scene, title);
    byId("first").addEventListener("click", () => this.go(0));
    byId("previous").addEventListener("click", () => this.go(this.at - 1));
    byId("next").addEventListener("click", () => this.go(this.at + 1));
    byId("last").addEventListener("click", () => this.go(this.length));
    byId("flip").addEventListener("click", () => this.board.flip());
    byId("run").addEventListener("click", () => this.toggle());
    byId<HTMLInputElement>("slider").addEventListener("input", (event) => this.go(Number((event.target as HTMLInputElement).value)));
    addEventListener("keydown", (event) => this.key(event));
    this.setRecord(record);
  }

  get length(): number {
    return this.record.moves.length;
  }

  /** Show other turns on the same board, from their first state. */
  setRecord(record: Recorded): void {
    this.record = record;
    byId<HTMLInputElement>("slider").max = String(this.length);
    this.at = 0;
    this.show(false);
  }

  go(at: number): void {
    const target = Math.max(0, Math.min(this.length, at));
    if (target === this.at) return;
    const isNext = target === this.at + 1;
    this.at = target;
    this.show(isNext);
  }

  private show(isNext: boolean): void {
    const position = this.record.positions[this.at];
    if (!position) return;
    this.board.show(position, isNext);
    showFacts(byId("facts"), this.record.scene, position);
    const slider = byId<HTMLInputElement>("slider");
    slider.value = String(this.at);
    const move = this.record.moves[this.at - 1];
    const words = `Turn ${this.at} of ${this.length}${move ? `: ${turnText(move, this.record.roles)}` : ""}`;
    byId("turn").textContent = words;
    slider.setAttribute("aria-valuetext", words);
    if (!this.timer) announce(words);
    if (this.at === this.length) this.stop();
    this.onTurn(this.at);
  }

  private toggle(): void {
    if (this.timer) return this.stop();
    if (this.at === this.length) this.go(0);
    const step = (): void => {
      this.timer = window.setTimeout(step, Number(byId<HTMLSelectElement>("speed").value));
      this.go(this.at + 1);
    };
    this.timer = window.setTimeout(step, 150);
    byId("run").textContent = "Pause";
    byId("run").setAttribute("aria-pressed", "true");
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    byId("run").textContent = "Play";
    byId("run").setAttribute("aria-pressed", "false");
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA|BUTTON|A|SUMMARY)$/.test(target.tagName) || target.closest("[data-place]")) return;
    const act = { ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), Home: () => this.go(0), End: () => this.go(this.length), " ": () => this.toggle(), f: () => this.board.flip() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
