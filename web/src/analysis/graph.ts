// The evaluation over the match: one curve for each role, turning points marked; a click goes to a turn.
import uPlot from "uplot";
import type { Coloured } from "../board/types";
import type { Loss } from "./types";

const HEIGHT = 190;

export class Graph {
  private plot: uPlot | null = null;
  private values = new Map<number, Record<string, number>>();
  private losses = new Map<number, Loss[]>();
  private length = 0;
  private at = 0;
  private isDrawing = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly roles: Coloured[],
    private readonly go: (index: number) => void,
  ) {
    new ResizeObserver(() => this.plot?.setSize({ width: this.host.clientWidth, height: HEIGHT })).observe(host);
    new MutationObserver(() => this.remake()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  }

  /** Forget the values from a state on: another line begins there. */
  cut(length: number, from: number): void {
    this.length = length;
    for (const map of [this.values, this.losses]) for (const index of [...map.keys()]) if (index > from) map.delete(index);
    if (from < length) this.losses.delete(from);
    this.draw();
  }

  set(index: number, values: Record<string, number>, losses?: Loss[]): void {
    this.values.set(index, values);
    if (losses) this.losses.set(index, losses);
    this.draw();
  }

  setAt(at: number): void {
    this.at = at;
    this.draw();
  }

  /** The losses of the turn made at a state. */
  lossesAt(index: number): Loss[] {
    return this.losses.get(index) ?? [];
  }

  /** Draw at the next frame: many values may come at once. */
  private draw(): void {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      if (!this.plot) this.remake();
      else this.plot.setData(this.data());
      this.describe();
    });
  }

  private data(): uPlot.AlignedData {
    const xs = Array.from({ length: this.length + 1 }, (_, i) => i);
    return [xs, ...this.roles.map((role) => xs.map((i) => this.values.get(i)?.[role.name] ?? null))];
  }

  private describe(): void {
    const turning = [...this.losses.values()].flat().filter((one) => one.kind !== "inaccuracy").length;
    const known = this.values.size;
    this.host.setAttribute("role", "img");
    this.host.setAttribute("aria-label", `Expected scores over the match: ${known} of ${this.length + 1} states known, ${turning} turning points. The moves are listed below.`);
  }

  private remake(): void {
    if (this.host.clientWidth === 0) return;
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink-soft").trim();
    const grid = { stroke: style.getPropertyValue("--line").trim(), width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: "12px system-ui, sans-serif" };
    this.plot = new uPlot(
      {
        width: this.host.clientWidth,
        height: HEIGHT,
        legend: { show: true, live: false },
        cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
        scales: { x: { time: false, range: () => [0, Math.max(1, this.length)] }, y: { range: [-4, 104] } },
        axes: [{ ...axis, size: 30, incrs: [1, 2, 5, 10, 20, 50, 100] }, { ...axis, splits: [0, 50, 100], size: 40 }],
        series: [
          { label: "turn" },
          ...this.roles.map((role) => ({ label: role.name, stroke: curve(role.colour, style), width: 2.5, spanGaps: true, points: { show: false } })),
        ],
        hooks: { draw: [(plot) => this.marks(plot, style)] },
      },
      this.data(),
      this.host,
    );
    this.plot.over.addEventListener("click", (event) => {
      const index = Math.round(this.plot!.posToVal(event.offsetX, "x"));
      this.go(Math.max(0, Math.min(this.length, index)));
    });
  }

  /** Mark the state on the board, and the turning points on the curve of the role that lost by them. */
  private marks(plot: uPlot, style: CSSStyleDeclaration): void {
    const { ctx } = plot;
    const x = plot.valToPos(this.at, "x", true);
    ctx.save();
    ctx.strokeStyle = style.getPropertyValue("--accent").trim();
    ctx.lineWidth = 2;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(x, plot.bbox.top);
    ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    for (const [index, losses] of this.losses) {
      for (const loss of losses) {
        const value = this.values.get(index + 1)?.[loss.role];
        if (value === undefined || loss.kind === "inaccuracy") continue;
        ctx.fillStyle = style.getPropertyValue(loss.kind === "blunder" ? "--bad" : "--warn").trim();
        ctx.strokeStyle = style.getPropertyValue("--surface").trim();
        ctx.beginPath();
        ctx.arc(plot.valToPos(index + 1, "x", true), plot.valToPos(value, "y", true), 6 * devicePixelRatio, 0, 2 * Math.PI);
        ctx.fill();
        ctx.stroke();
      }
    }
    ctx.restore();
  }
}

/** A colour that is seen on the page: white and black pieces become greys. */
function curve(colour: string, style: CSSStyleDeclaration): string {
  if (colour === "#ffffff") return "#9a9a9a";
  if (colour === "#333333") return style.getPropertyValue("--ink").trim();
  return colour;
}
