// The board of any game: SVG panels, pieces that move, places that are clicked, dragged or chosen by keys.
import { h, s } from "../shared/dom";
import { Choice, type Outcome } from "./choice";
import { CELL, geometry, type Geometry, type Spot } from "./geometry";
import { openMenu } from "./menu";
import { animate, drawPieces, type Piece } from "./pieces";
import type { Arrow, Bar, Gesture, PanelFrame, Position, SceneFrame } from "./types";

const DRAG_PIXELS = 6;

interface Panel {
  frame: PanelFrame;
  svg: SVGSVGElement;
  shape: Geometry;
  layers: Record<"places" | "under" | "pieces" | "hints" | "over", SVGGElement>;
  places: (SVGGElement | undefined)[];
  pieces: Piece[];
  key: string;
}

export class Board {
  /** Called with a move that was made on the board. */
  onMove: (move: string) => void = () => undefined;
  /** Called with places that mean no legal move. */
  onNothing: (clicks: number[]) => void = () => undefined;
  isAnimated = true;
  showsHints = true;

  private readonly panels: Panel[] = [];
  private readonly choice = new Choice();
  private position: Position = { pieces: [], changed: [], facts: [] };
  private room = 600;
  private isFlipped = false;
  private focused = 0;
  private arrows: Arrow[] = [];
  private bars: Bar[] = [];
  private tints = new Map<number, number>();

  constructor(
    private readonly host: HTMLElement,
    readonly scene: SceneFrame,
    private readonly label = "Board",
  ) {
    host.classList.add("board");
    this.room = roomOf(host);
    for (const frame of scene.panels) this.panels.push(this.makePanel(frame));
    this.draw();
    // Rows of boxes are folded anew when there is more or less room.
    new ResizeObserver(() => {
      if (this.room !== (this.room = roomOf(host))) this.draw();
    }).observe(host);
  }

  /** Show a state. What moved since the last one moves on the screen, unless that is off. */
  show(position: Position, isNext = true): void {
    this.position = position;
    this.choice.clicks = [];
    this.draw(this.isAnimated && isNext);
  }

  /** Set the moves that can be made; none: the board is for looking only. */
  setMoves(gestures: Gesture[]): void {
    this.choice.gestures = gestures.filter((one) => one.steps.length > 0);
    this.choice.clicks = [];
    this.mark();
  }

  flip(): void {
    this.isFlipped = !this.isFlipped;
    this.draw();
  }

  setArrows(arrows: Arrow[]): void {
    this.arrows = arrows;
    this.drawOver();
  }

  /** Bars at the bottom of places, for example of visits. */
  setBars(bars: Bar[]): void {
    this.bars = bars;
    this.drawOver();
  }

  /** Equal numbers are equal tints. */
  setTints(tints: Map<number, number>): void {
    this.tints = tints;
    this.mark();
  }

  placeName(place: number): string {
    const panel = this.panelOf(place);
    return panel?.frame.names[place - panel.frame.first] ?? String(place);
  }

  /** Move the keyboard to the board. */
  focus(): void {
    const panel = this.panelOf(this.focused) ?? this.panels[0];
    (panel?.places[this.focused - panel.frame.first] ?? panel?.places.find((one) => one))?.focus();
  }

  // Drawing.

  private makePanel(frame: PanelFrame): Panel {
    const layers = {
      places: s("g", { class: "places" }),
      under: s("g", { class: "under", "aria-hidden": "true" }),
      pieces: s("g", { class: "pieces", "aria-hidden": "true" }),
      hints: s("g", { class: "hints", "aria-hidden": "true" }),
      over: s("g", { class: "over", "aria-hidden": "true" }),
    };
    const svg = s(
      "svg",
      { role: "group", "aria-label": frame.title || this.label, class: `panel ${frame.kind}` },
      ...Object.values(layers),
    );
    const title = frame.title ? h("figcaption", {}, frame.title) : null;
    this.host.append(h("figure", {}, title, svg));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("pointerdown", (event) => this.press(event));
    return { frame, svg, shape: geometry(frame, false, new Set()), layers, places: [], pieces: [], key: "" };
  }

  private draw(isMoving = false): void {
    for (const panel of this.panels) {
      const mine = this.held(panel);
      const used = new Set([...mine.keys()].map((i) => panel.frame.places[i]![0]));
      const isRow = panel.frame.kind === "table" || panel.frame.kind === "line";
      const key = `${this.isFlipped}/${isRow ? `${this.room}/${[...used].sort().join()}` : ""}`;
      if (key !== panel.key) this.drawPlaces(panel, used, key);
      const before = panel.pieces;
      panel.pieces = drawPieces(panel.frame, panel.shape, mine);
      panel.layers.pieces.replaceChildren(...panel.pieces.map((piece) => piece.element));
      if (isMoving) animate(before, panel.pieces);
    }
    this.mark();
    this.drawOver();
  }

  private drawPlaces(panel: Panel, used: Set<number>, key: string): void {
    const { frame, svg } = panel;
    panel.key = key;
    const shape = (panel.shape = geometry(frame, this.isFlipped, used, this.room));
    svg.setAttribute("viewBox", `0 0 ${shape.width.toFixed(1)} ${shape.height.toFixed(1)}`);
    svg.style.maxWidth = `${Math.round(shape.width * (frame.kind === "grid" || frame.kind === "hex" ? 2.1 : 1.25))}px`;
    panel.places = shape.spots.map((spot, i) => {
      if (!spot) return undefined;
      const look = s("polygon", { points: spot.points, class: spot.isDark ? "dark" : "" });
      return s("g", { class: "place", role: "button", tabindex: -1, "data-place": frame.first + i }, look);
    });
    const marks = shape.marks.map((mark) =>
      s("text", { x: mark.x, y: mark.y, "text-anchor": mark.anchor, class: "mark", dy: ".35em", "aria-hidden": "true" }, mark.text),
    );
    panel.layers.places.replaceChildren(...panel.places.filter((one) => one !== undefined), ...marks);
  }

  /** Return what each place of a panel holds, by its number in the panel. */
  private held(panel: Panel): Map<number, (number | string)[]> {
    const end = panel.frame.first + panel.frame.places.length;
    const found = new Map<number, (number | string)[]>();
    for (const [place, piece] of this.position.pieces) {
      if (place < panel.frame.first || place >= end) continue;
      const i = place - panel.frame.first;
      found.set(i, [...(found.get(i) ?? []), piece]);
    }
    return found;
  }

  /** Mark what changed, what is selected and what can be clicked; name every place for screen readers. */
  private mark(): void {
    const open = this.choice.places;
    const shown = this.choice.shown;
    const changed = new Set(this.position.changed);
    for (const panel of this.panels) {
      const hints: SVGElement[] = [];
      const held = this.held(panel);
      panel.places.forEach((element, i) => {
        if (!element) return;
        const place = panel.frame.first + i;
        const isSelected = this.choice.clicks.includes(place);
        element.classList.toggle("changed", changed.has(place));
        element.classList.toggle("selected", isSelected);
        element.classList.toggle("open", open.has(place));
        const tint = this.tints.get(place);
        if (tint === undefined) delete element.dataset["tint"];
        else element.dataset["tint"] = String(tint % 12);
        element.setAttribute("tabindex", place === this.focused ? "0" : "-1");
        const names = (held.get(i) ?? []).map((one) => (typeof one === "number" ? panel.frame.pieces[one]!.name : one));
        const words = [panel.frame.names[i]!, names.join(" and ") || "empty"];
        if (isSelected) words.push("selected");
        else if (open.has(place)) words.push("possible");
        element.setAttribute("aria-label", words.join(", "));
        const spot = panel.shape.spots[i];
        if (spot && shown.has(place) && this.showsHints) hints.push(hint(spot, held.has(i)));
      });
      panel.layers.hints.replaceChildren(...hints);
    }
    if (!this.panelOf(this.focused)?.places[this.focused - this.panelOf(this.focused)!.frame.first]) {
      this.panels.flatMap((panel) => panel.places).find((one) => one)?.setAttribute("tabindex", "0");
    }
  }

  private drawOver(): void {
    for (const panel of this.panels) {
      const on = (place: number): Spot | undefined => panel.shape.spots[place - panel.frame.first];
      const shapes: SVGElement[] = [];
      for (const arrow of [...this.arrows].reverse()) {
        const from = on(arrow.from);
        const to = on(arrow.to);
        if (from && to) shapes.push(drawArrow(from, to, arrow));
      }
      for (const bar of this.bars) {
        const spot = on(bar.place);
        if (spot) shapes.push(drawBar(spot, bar));
      }
      panel.layers.over.replaceChildren(...shapes);
    }
  }

  // Clicks, drags and keys.

  private panelOf(place: number): Panel | undefined {
    return this.panels.find(({ frame }) => place >= frame.first && place < frame.first + frame.places.length);
  }

  private obey(outcome: Outcome, place: number): void {
    this.mark();
    if (outcome.kind === "move") this.onMove(outcome.move);
    else if (outcome.kind === "nothing") this.onNothing(outcome.clicks);
    else if (outcome.kind === "menu") {
      const panel = this.panelOf(place)!;
      const box = panel.places[place - panel.frame.first]!.getBoundingClientRect();
      const origin = this.host.getBoundingClientRect();
      openMenu(this.host, box.left - origin.left + box.width / 2, box.bottom - origin.top, outcome.moves, (move) =>
        this.onMove(move),
      );
    }
  }

  /** Click a place, as a finger or a key would. */
  click(place: number): void {
    this.focused = place;
    this.obey(this.choice.click(place), place);
  }

  private press(event: PointerEvent): void {
    const from = placeAt(event.target);
    if (from === undefined || event.button !== 0) return;
    const start = [event.clientX, event.clientY] as const;
    const panel = this.panelOf(from)!;
    const pieces = panel.pieces.filter((piece) => piece.place === from - panel.frame.first);
    const scale = panel.shape.width / panel.svg.getBoundingClientRect().width;
    let isDragged = false;
    const move = (at: PointerEvent): void => {
      const [dx, dy] = [at.clientX - start[0], at.clientY - start[1]];
      if (!isDragged && Math.hypot(dx, dy) < DRAG_PIXELS) return;
      if (!isDragged && this.choice.gestures.length) {
        this.choice.clicks = [];
        this.choice.click(from);
        this.mark();
      }
      isDragged = true;
      for (const piece of pieces) piece.element.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
    };
    const up = (at: PointerEvent): void => {
      end();
      const to = placeAt(document.elementFromPoint(at.clientX, at.clientY));
      if (!isDragged || to === from) this.click(from);
      else if (to === undefined) {
        this.choice.clicks = [];
        this.mark();
      } else this.obey(this.choice.drag(from, to), to);
    };
    const end = (): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
      for (const piece of pieces) piece.element.style.transform = "";
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
  }

  private key(event: KeyboardEvent): void {
    const place = placeAt(event.target);
    if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const next = this.neighbour(place, step[0]!, step[1]!);
      if (next !== undefined) this.focusPlace(next);
    } else if (event.key === "Enter" || event.key === " ") this.click(place);
    else if (event.key === "Escape" && this.choice.clicks.length) {
      this.choice.clicks = [];
      this.mark();
    } else if (event.key === "n" || event.key === "N") this.focusOpen(place, event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private focusPlace(place: number): void {
    this.focused = place;
    const panel = this.panelOf(place)!;
    for (const other of this.panels) for (const element of other.places) element?.setAttribute("tabindex", "-1");
    const element = panel.places[place - panel.frame.first];
    element?.setAttribute("tabindex", "0");
    element?.focus();
  }

  /** Go to the next place that can be clicked. */
  private focusOpen(place: number, step: number): void {
    const open = [...this.choice.places].sort((a, b) => a - b);
    const next = step > 0 ? open.find((one) => one > place) ?? open[0] : open.findLast((one) => one < place) ?? open.at(-1);
    if (next !== undefined) this.focusPlace(next);
  }

  /** Return the nearest place in a direction, in this panel or in the next one. */
  private neighbour(place: number, dx: number, dy: number): number | undefined {
    const panel = this.panelOf(place)!;
    const here = panel.shape.spots[place - panel.frame.first];
    if (!here) return undefined;
    let best: number | undefined;
    let least = Infinity;
    panel.shape.spots.forEach((spot, i) => {
      if (!spot) return;
      const [x, y] = [spot.x - here.x, spot.y - here.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      const cost = ahead + 3 * aside;
      if (ahead > 1 && aside <= ahead * 1.8 && cost < least) [best, least] = [panel.frame.first + i, cost];
    });
    if (best !== undefined) return best;
    const other = this.panels[this.panels.indexOf(panel) + (dx + dy > 0 ? 1 : -1)];
    const open = other?.shape.spots.map((spot, i) => (spot ? i : -1)).filter((i) => i >= 0) ?? [];
    const i = dx + dy > 0 ? open[0] : open.at(-1);
    return other && i !== undefined ? other.frame.first + i : undefined;
  }
}

/** Return the room for rows of boxes, in steps, so that small changes change nothing. */
function roomOf(host: HTMLElement): number {
  return Math.max(240, Math.min(640, Math.floor(host.clientWidth / 20) * 20));
}

function placeAt(target: EventTarget | Element | null): number | undefined {
  const found = (target as Element | null)?.closest?.("[data-place]")?.getAttribute("data-place");
  return found === null || found === undefined ? undefined : Number(found);
}

function hint(spot: Spot, isHeld: boolean): SVGElement {
  const reach = Math.min(spot.rx, spot.ry);
  return isHeld
    ? s("circle", { cx: spot.x, cy: spot.y, r: reach * 0.88, class: "ring" })
    : s("circle", { cx: spot.x, cy: spot.y, r: Math.max(3.2, reach * 0.17), class: "dot" });
}

function drawArrow(from: Spot, to: Spot, arrow: Arrow): SVGElement {
  const width = Math.max(2.5, 8 - 1.6 * arrow.rank);
  const look = { class: `arrow rank${arrow.rank}` };
  if (from === to) {
    return s("circle", { cx: from.x, cy: from.y, r: CELL * 0.42, "stroke-width": width, fill: "none", ...look });
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [ex, ey] = [to.x - ux * 5, to.y - uy * 5];
  const head = width * 2;
  const [bx, by] = [ex - ux * head, ey - uy * head];
  const point = (x: number, y: number): string => `${x.toFixed(1)},${y.toFixed(1)}`;
  return s(
    "g",
    look,
    s("line", { x1: from.x, y1: from.y, x2: bx, y2: by, "stroke-width": width, "stroke-linecap": "round" }),
    s("polygon", { points: [point(ex, ey), point(bx - uy * width, by + ux * width), point(bx + uy * width, by - ux * width)].join(" ") }),
  );
}

function drawBar(spot: Spot, bar: Bar): SVGElement {
  const width = (spot.rx * 2 - 6) * Math.min(1, Math.max(0, bar.value));
  const y = spot.y + spot.ry - 7;
  return s(
    "g",
    { class: "visits" },
    s("rect", { x: spot.x - spot.rx + 3, y, width: spot.rx * 2 - 6, height: 4, class: "track", rx: 2 }),
    s("rect", { x: spot.x - spot.rx + 3, y, width, height: 4, rx: 2 }),
    s("text", { x: spot.x + spot.rx - 3, y: spot.y - spot.ry + 10, "text-anchor": "end" }, bar.label),
  );
}
