// The match page: the board, the players, the tree of variations, and everything one can do with them.
import { Board } from "../board/board";
import { showFacts, showLegend, showPossible } from "../board/facts";
import { readable } from "../board/menu";
import { showChance } from "../match/chance";
import { MoveList } from "../match/movelist";
import { Seats } from "../match/seats";
import { TurnTree } from "../match/tree";
import type { HeadInfo, Moves, NodeView, Reason, Thought, Turn, Whole } from "../match/types";
import { showWhy } from "../match/why";
import { announce, byId, h, pageData } from "../shared/dom";
import { icon, type IconName } from "../shared/icons";
import { Live, type Message } from "../shared/live";
import { setting } from "../shared/settings";
import type { PlayerKind } from "../shared/players";

const data = pageData<{ id: string; players: PlayerKind[]; default: string; token: string }>();

class MatchPage {
  private whole!: Whole;
  private board!: Board;
  private tree!: TurnTree;
  private seats!: Seats;
  private viewed = 0;
  private view: NodeView | null = null;
  private moves: Moves = {};
  private offered = new Set<string>();
  private readonly list: MoveList;
  private readonly live: Live;
  private readonly buttons: Record<string, HTMLButtonElement> = {};
  private readonly animates = setting("animation", !matchMedia("(prefers-reduced-motion: reduce)").matches);
  private readonly hints = setting("hints", true);

  constructor() {
    this.list = new MoveList(byId("moves"), (move) => this.make(move), (move) => this.ask({ move }));
    this.makeControls();
    this.live = new Live(`/match/${data.id}/live`, (message) => this.hear(message), (isOn) => {
      if (!isOn) byId("status").textContent = "The connection is lost. Trying again…";
    });
    addEventListener("keydown", (event) => this.key(event));
  }

  // What the server says.

  private hear(message: Message): void {
    const found = message as unknown;
    switch (message.type) {
      case "match":
        return this.begin(found as Whole);
      case "turn":
        return this.turn(found as NodeView & { turn: Turn; isOver: boolean });
      case "moves":
        if ((found as { node: number }).node === this.viewed) this.setMoves((found as { moves: Moves }).moves);
        return;
      case "position":
        return this.show(found as NodeView & { moves: Moves }, false);
      case "head":
        return this.head(found as HeadInfo & NodeView & { moves: Moves });
      case "asked": {
        const { roles, clock } = found as { roles: string[]; clock: number };
        if (this.whole.isPreparing) {
          this.whole.isPreparing = false;
          this.status();
        }
        return this.seats.ask(roles, clock, this.whole);
      }
      case "thought": {
        const { role, thought } = found as { role: string; thought: Thought };
        return this.seats.think(role, thought);
      }
      case "offered":
        // It may come after the turn that it led to; then it is about a position of the past.
        if ((found as { node: number }).node !== this.whole.current) return;
        this.offered.add((found as { role: string }).role);
        return this.setMoves(this.moves);
      case "why":
        return showWhy(byId("why"), found as { role: string; places: string[]; moves: Reason[] });
      case "gone":
        this.live.close();
        byId("status").textContent = "";
        return this.problem((found as { text: string }).text);
      case "problem":
        return this.problem((found as { text: string }).text);
    }
  }

  private begin(whole: Whole): void {
    this.whole = whole;
    byId("board").replaceChildren();
    this.board = new Board(byId("board"), whole.scene, whole.game.title);
    this.board.isAnimated = this.animates.value;
    this.board.showsHints = this.hints.value;
    this.board.onMove = (move) => this.make(move);
    this.board.onNothing = (clicks) => this.ask({ clicks });
    showLegend(byId("legend"), whole.scene);
    this.seats = new Seats(byId("seats"), whole.scene, data.players, data.token, (message) => this.send(message));
    this.tree = new TurnTree(byId("turns"), whole.game.roles, whole.tree, (node) => this.look(node));
    this.seats.show(whole);
    this.show(whole, false);
    byId("problem").hidden = true;
    if (whole.problem) this.problem(whole.problem);
  }

  private turn(found: NodeView & { turn: Turn; isOver: boolean; details?: Record<string, string> }): void {
    const wasThere = this.viewed === this.whole.current;
    this.tree.add(found.turn);
    this.whole.current = found.turn.node;
    this.whole.isOver = found.isOver;
    this.offered.clear();
    this.seats.rest();
    for (const [role, thought] of Object.entries(found.turn.thoughts ?? {})) this.seats.think(role, thought);
    for (const [role, detail] of Object.entries(found.details ?? {})) this.problem(`${role}: ${detail}; a random move was made`);
    showChance(byId("chance"), this.whole.game.roles, found.turn, this.animates.value);
    if (wasThere) {
      this.show({ ...found, moves: {} }, true);
      this.tell(found);
    } else {
      this.tree.draw(this.viewed, this.whole.current);
      this.status();
    }
  }

  private head(found: HeadInfo & NodeView & { moves: Moves }): void {
    const wasThere = this.viewed === this.whole.current;
    const isElsewhere = found.current !== this.whole.current;
    const before = JSON.stringify(this.whole.seats);
    Object.assign(this.whole, found);
    this.whole.node = found.current;
    if (JSON.stringify(found.seats) !== before) this.seats.show(this.whole);
    if (isElsewhere) this.offered.clear();
    if (this.whole.isPaused) this.seats.rest();
    if (wasThere) this.show(found, isElsewhere);
    else this.status();
  }

  private show(found: NodeView & { moves: Moves }, isNext: boolean): void {
    this.viewed = found.node;
    this.view = found;
    this.board.show(found.position, isNext);
    showFacts(byId("facts"), this.whole.scene, found.position);
    if (found.possible?.length) showPossible(byId("facts"), found.possible.map(([fact, chance]) => [readable(fact), chance]));
    this.setMoves(found.moves);
    this.tree.draw(this.viewed, this.whole.current);
    if (found.scores && this.viewed === this.whole.current) this.seats.score(found.scores);
    this.seats.mark(found.toMove);
    this.status();
    byId("why").hidden = true;
    const where = `match=${encodeURIComponent(data.id)}&node=${this.viewed}`;
    byId<HTMLAnchorElement>("from-here").href = `/match/new?game=${encodeURIComponent(this.whole.game.key)}&${where}`;
    byId<HTMLAnchorElement>("record").href = `/match/${data.id}/record.json`;
    byId<HTMLAnchorElement>("analyse").href = `/analysis?${where}`;
  }

  // Moves.

  private get mover(): string | undefined {
    const isHere = this.viewed === this.whole.current;
    return Object.keys(this.moves).find((role) => !(isHere && this.offered.has(role)));
  }

  private setMoves(moves: Moves): void {
    this.moves = moves;
    const role = this.mover;
    const gestures = role === undefined ? [] : this.moves[role]!;
    this.board.setMoves(gestures);
    byId("moves-card").hidden = role === undefined;
    byId("moves-title").textContent = role === undefined ? "Your moves" : `Moves of ${role}`;
    this.list.set(gestures);
    this.status();
  }

  private make(move: string): void {
    const role = this.mover;
    if (role !== undefined) this.send({ type: "move", node: this.viewed, role, move });
  }

  private ask(about: { clicks?: number[]; move?: string }): void {
    const role = this.mover;
    if (role !== undefined) this.send({ type: "why", node: this.viewed, role, ...about });
  }

  private look(node: number | undefined): void {
    if (node === undefined || !this.tree.turns.has(node)) return;
    this.send({ type: "show", node });
  }

  /** Go back to where one of my roles, or else anybody, had a choice. */
  private takeBack(): void {
    const mine = this.whole.roles;
    let node = this.tree.parent(this.viewed);
    const names = this.whole.game.roles;
    while (node !== undefined && mine.length) {
      const path = this.tree.path(this.viewed);
      const after = this.tree.turns.get(path[path.indexOf(node) + 1]!)!;
      if ((after.chose ?? []).some((i) => mine.includes(names[i]!))) break;
      node = this.tree.parent(node);
    }
    this.send({ type: "go", node: node ?? 0 });
    if (mine.length) this.send({ type: "pause", isPaused: false });
    this.viewed = this.whole.current;
  }

  private send(message: Message): void {
    byId("problem").hidden = true;
    if (!this.live.send(message)) this.problem("There is no connection to the server now.");
  }

  // Words.

  private tell(found: NodeView & { turn: Turn }): void {
    const made = found.turn.moves
      .map((move, i) => [i, `${this.whole.game.roles[i]}: ${readable(move)}`] as const)
      .filter(([i]) => found.turn.chose?.includes(i))
      .map(([, text]) => text);
    const then = found.isTerminal ? this.outcome(found.scores) : `${found.toMove.join(" and ")} to move`;
    announce([...made, then].join(". "));
  }

  private outcome(scores: Record<string, number> | null | undefined): string {
    if (!scores) return "The match is over.";
    return `The match is over: ${this.whole.seated.map((role) => `${role} ${scores[role]}`).join(", ")}`;
  }

  private status(): void {
    const { whole, view } = this;
    const isPast = this.viewed !== whole.current;
    let text: string;
    if (view?.isTerminal) text = this.outcome(view.scores);
    else if (isPast) {
      text = this.mover ? `You look at another position. A move of ${this.mover} here begins a variation.` : "You look at another position of this match.";
    } else if (whole.isOver) text = "The match cannot go on: a role has no legal move.";
    else if (whole.isPreparing && !whole.isPaused) text = "The players prepare…";
    else if (this.mover !== undefined) text = `Your move: ${this.mover}`;
    else if (whole.isPaused) text = "The match is paused.";
    else if (Object.keys(this.moves).length) text = "Waiting for the others.";
    else text = this.waiting(view?.toMove ?? []);
    if (view?.note) text += `${text.endsWith(".") ? "" : "."} ${view.note}`;
    if (view?.percepts?.length) text += ` Seen: ${view.percepts.map(readable).join(", ")}.`;
    byId("status").textContent = text;
    byId("watchers").textContent = whole.watchers > 1 ? `${whole.watchers} look` : "";
    this.updateControls();
  }

  private waiting(toMove: string[]): string {
    const open = this.whole.seats.filter((seat) => toMove.includes(seat.role) && seat.kind === "person" && !seat.isTaken);
    if (open.length) return `Waiting for somebody to take the seat of ${open.map((seat) => seat.role).join(" and ")}.`;
    return toMove.length ? `${toMove.join(" and ")} to move` : "Nobody has a choice here.";
  }

  private problem(text: string): void {
    const box = byId("problem");
    box.hidden = false;
    box.textContent = text;
  }

  // Controls.

  private makeControls(): void {
    const add = (name: string, look: IconName, label: string, act: () => void): HTMLButtonElement => {
      const button = h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: act }, icon(look));
      this.buttons[name] = button;
      return button;
    };
    const group = (...items: HTMLElement[]): HTMLElement => h("div", { class: "group" }, ...items);
    byId("controls").append(
      group(
        add("first", "first", "First position", () => this.look(0)),
        add("back", "back", "Back (left arrow)", () => this.look(this.tree.parent(this.viewed))),
        add("forward", "forward", "Forward (right arrow)", () => this.look(this.tree.next(this.viewed, this.whole.current))),
        add("last", "last", "Where the match is", () => this.look(this.whole.current)),
      ),
      group(
        add("pause", "pause", "Pause (space)", () => this.pause()),
        add("step", "step", "Play one turn (s)", () => this.send({ type: "step" })),
        add("undo", "undo", "Take back (u)", () => this.takeBack()),
        add("go", "branch", "Continue the match from here (c)", () => this.send({ type: "go", node: this.viewed })),
      ),
      group(
        add("flip", "flip", "Turn the board (f)", () => this.board.flip()),
        add("hints", "hints", "Show legal moves (h)", () => this.toggle("hints")),
        add("animation", "animation", "Animation (a)", () => this.toggle("animation")),
        add("help", "help", "Keys", () => this.help()),
      ),
    );
    this.toggleShown();
  }

  private toggle(name: "hints" | "animation"): void {
    const one = name === "hints" ? this.hints : this.animates;
    one.value = !one.value;
    this.toggleShown();
    this.board.showsHints = this.hints.value;
    this.board.isAnimated = this.animates.value;
    this.setMoves(this.moves);
  }

  private toggleShown(): void {
    this.buttons["hints"]!.setAttribute("aria-pressed", String(this.hints.value));
    this.buttons["animation"]!.setAttribute("aria-pressed", String(this.animates.value));
  }

  private pause(): void {
    this.send({ type: "pause", isPaused: !this.whole.isPaused });
  }

  private updateControls(): void {
    const { whole, buttons } = this;
    const label = whole.isPaused ? "Go on (space)" : "Pause (space)";
    buttons["pause"]!.replaceChildren(icon(whole.isPaused ? "play" : "pause"));
    buttons["pause"]!.setAttribute("aria-label", label);
    buttons["pause"]!.title = label;
    for (const name of ["pause", "step", "undo", "go"]) buttons[name]!.hidden = !whole.mayControl;
    buttons["pause"]!.disabled = buttons["step"]!.disabled = whole.isOver;
    buttons["go"]!.disabled = this.viewed === whole.current;
    buttons["undo"]!.disabled = buttons["first"]!.disabled = buttons["back"]!.disabled = this.viewed === 0;
    buttons["forward"]!.disabled = this.tree.next(this.viewed, whole.current) === undefined;
    buttons["last"]!.disabled = this.viewed === whole.current;
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.whole) return;
    if (target.closest("input, select, textarea, dialog, [role=menu]")) return;
    const press = (name: string): void => {
      const button = this.buttons[name]!;
      if (!button.hidden && !button.disabled) button.click();
    };
    const acts: Record<string, () => void> = {
      ArrowLeft: () => press("back"),
      ArrowRight: () => press("forward"),
      Home: () => press("first"),
      End: () => press("last"),
      f: () => press("flip"),
      u: () => press("undo"),
      s: () => press("step"),
      c: () => press("go"),
      h: () => press("hints"),
      a: () => press("animation"),
      b: () => this.board.focus(),
      m: () => this.list.focus(),
      "?": () => this.help(),
    };
    if (!target.closest("button, a, summary, [data-place]")) acts[" "] = () => press("pause");
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private help(): void {
    const keys = [
      ["← →", "back and forward through the turns"],
      ["Home End", "first position, where the match is"],
      ["space", "pause, go on"],
      ["s", "play one turn"],
      ["u", "take back"],
      ["c", "continue the match from the position shown"],
      ["b", "go to the board; then arrows, Enter, n for the next possible place, Escape"],
      ["m", "go to the list of moves"],
      ["f h a", "turn the board, show legal moves, animation"],
    ];
    const close = h("button", { class: "main", onclick: () => dialog.close() }, "Close");
    const rows = keys.map(([key, text]) => h("div", { class: "fact" }, h("dt", {}, h("kbd", {}, key!)), h("dd", {}, text!)));
    const dialog = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"), h("dl", { class: "facts" }, ...rows), h("p", {}), close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

new MatchPage();
