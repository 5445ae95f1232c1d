// All legal moves as a list with search: for moves without a place, for screen readers, for those who like to type.
import { readable } from "../board/menu";
import type { Gesture } from "../board/types";
import { h } from "../shared/dom";

const SHOWN = 60;
const FEW = 12;

export class MoveList {
  private gestures: Gesture[] = [];
  private readonly field: HTMLInputElement;
  private readonly list: HTMLElement;
  private readonly note: HTMLElement;

  constructor(
    host: HTMLElement,
    private readonly choose: (move: string) => void,
    private readonly why: (move: string) => void,
  ) {
    this.field = h("input", { type: "search", placeholder: "Search, or type a move", "aria-label": "Search the moves", autocomplete: "off" });
    this.list = h("div", { class: "move-list", role: "group", "aria-label": "Legal moves" });
    this.note = h("p", { class: "small soft" });
    this.field.addEventListener("input", () => this.draw());
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const found = this.found();
      const exact = found.find((one) => one.move === this.text || ` ${readable(one.move)}`.endsWith(` ${this.text}`));
      const only = exact ?? (found.length === 1 ? found[0] : undefined);
      if (only) this.choose(only.move);
      else if (!found.length && this.text) this.why(this.text);
    });
    host.replaceChildren(this.field, this.list, this.note);
  }

  set(gestures: Gesture[]): void {
    this.gestures = gestures;
    this.field.value = "";
    this.draw();
  }

  focus(): void {
    this.field.focus();
  }

  private get text(): string {
    return this.field.value.trim();
  }

  private found(): Gesture[] {
    const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.gestures.filter((one) => words.every((word) => one.move.toLowerCase().includes(word)));
  }

  private draw(): void {
    const found = this.found();
    const free = found.filter((one) => !one.steps.length);
    const placed = found.filter((one) => one.steps.length);
    // Moves without a place come first; the others are on the board, so a long list of them stays short.
    const shown = [...free, ...placed].slice(0, this.text ? SHOWN : Math.max(free.length, FEW));
    this.field.hidden = this.gestures.length <= FEW && !free.length && !placed.length;
    this.list.replaceChildren(
      ...shown.map((one) =>
        h("button", { type: "button", class: one.steps.length ? "" : "free", onclick: () => this.choose(one.move) }, readable(one.move)),
      ),
    );
    const more = found.length - shown.length;
    this.note.textContent = !found.length
      ? "No legal move fits. Enter asks the rules why."
      : more > 0
        ? `and ${more} more: click on the board, or search`
        : "";
  }
}
