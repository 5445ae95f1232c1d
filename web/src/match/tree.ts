// The tree of variations: a list of turns in which each variation is indented below the turn that it leaves.
import { h } from "../shared/dom";
import { readable } from "../board/menu";
import type { Turn } from "./types";

export class TurnTree {
  readonly turns = new Map<number, Turn>();
  private readonly children = new Map<number, number[]>();

  constructor(
    private readonly host: HTMLElement,
    private readonly roles: string[],
    turns: Turn[],
    private readonly choose: (node: number) => void,
  ) {
    for (const turn of turns) this.add(turn);
  }

  add(turn: Turn): void {
    if (!this.turns.has(turn.node) && turn.parent >= 0) {
      this.children.set(turn.parent, [...(this.children.get(turn.parent) ?? []), turn.node]);
    }
    this.turns.set(turn.node, turn);
  }

  path(node: number): number[] {
    const found = [node];
    for (let at = this.turns.get(node)?.parent ?? -1; at >= 0; at = this.turns.get(at)?.parent ?? -1) found.unshift(at);
    return found;
  }

  parent(node: number): number | undefined {
    const found = this.turns.get(node)?.parent ?? -1;
    return found >= 0 ? found : undefined;
  }

  /** Return the next node on the way to `goal`, or in the first variation. */
  next(node: number, goal: number): number | undefined {
    const path = this.path(goal);
    const at = path.indexOf(node);
    return at >= 0 && at + 1 < path.length ? path[at + 1] : this.children.get(node)?.[0];
  }

  last(node: number, goal: number): number {
    let at = node;
    for (let next = this.next(at, goal); next !== undefined; next = this.next(at, goal)) at = next;
    return at;
  }

  /** Return a turn in words: who decided what. */
  words(turn: Turn): string {
    const chose = turn.chose ?? [];
    const many = chose.length > 1;
    const parts = chose.map((i) => (many ? `${this.roles[i]}: ` : "") + readable(turn.moves[i]!));
    return parts.join(", ") || "no choice";
  }

  draw(viewed: number, current: number): void {
    const goal = this.path(viewed).includes(current) ? viewed : this.path(current).includes(viewed) ? current : viewed;
    const line = new Set(this.path(this.last(goal, current)));
    const list = h("ol", { class: "main-line" });
    this.fill(list, 0, 1, line, viewed, current);
    const start = this.button(0, "start", viewed, current);
    this.host.replaceChildren(start, list);
    const here = this.host.querySelector<HTMLElement>("[aria-current]");
    if (here) {
      const [top, box] = [here.offsetTop - this.host.offsetTop, this.host];
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 40) box.scrollTop = top - box.clientHeight / 2;
    }
  }

  private fill(list: HTMLElement, from: number, turn: number, line: Set<number>, viewed: number, current: number): void {
    let node = from;
    for (let number = turn; ; number++) {
      const children = this.children.get(node) ?? [];
      const main = children.find((one) => line.has(one)) ?? children[0];
      if (main === undefined) return;
      const found = this.turns.get(main)!;
      const item = h("li", {}, h("span", { class: "number" }, `${number}.`), this.button(main, this.words(found), viewed, current));
      list.append(item);
      for (const other of children) {
        if (other === main) continue;
        const side = h("ol", { class: "variation" });
        const first = this.turns.get(other)!;
        side.append(h("li", {}, h("span", { class: "number" }, `${number}.`), this.button(other, this.words(first), viewed, current)));
        this.fill(side, other, number + 1, line, viewed, current);
        item.append(side);
      }
      node = main;
    }
  }

  private button(node: number, text: string, viewed: number, current: number): HTMLElement {
    const turn = this.turns.get(node);
    const wrong = turn?.errors?.find((one) => one) ?? "";
    return h(
      "button",
      {
        type: "button",
        class: `turn${node === current ? " now" : ""}`,
        "aria-current": node === viewed ? "step" : null,
        title: wrong ? `a player failed (${wrong}): a random move was made` : null,
        onclick: () => this.choose(node),
      },
      text,
      wrong ? h("span", { class: "error" }, ` ${wrong}`) : null,
      node === current ? h("span", { class: "unseen" }, ", the match is here") : null,
    );
  }
}
