// Facts about the state: symmetries, exact solution, playouts, the network's size.
import { h, type Child } from "../shared/dom";
import { count, score } from "./format";
import type { NetworkSize, Playouts, Solution, Symmetries } from "./types";

export class About {
  private readonly values = new Map<string, Child[]>();

  constructor(private readonly host: HTMLElement) {}

  clear(): void {
    this.values.clear();
    this.draw();
  }

  symmetries(found: Symmetries): void {
    const classes = Object.entries(found.different ?? {}).filter(([role]) => (found.classes[role] ?? []).length > 0);
    const words = found.problem ?? (found.order > 1 ? `${found.order}${found.is_whole ? "" : " or more"} symmetries of the game` : "none");
    this.set("Symmetries", [words, ...classes.map(([role, n]) => `; ${role} has ${n} ${n === 1 ? "move" : "moves"} that differ`)]);
  }

  solution(found: Solution): void {
    if (found.problem) return this.set("Exact solution", [found.problem]);
    const values = Object.entries(found.values).map(([role, value]) => `${role} ${value.text}`).join(", ");
    const best = found.moves.filter((one) => one.is_best).map((one) => one.move.replace(/^\((.*)\)$/, "$1"));
    this.set("Exact solution", [
      h("strong", {}, values),
      ` (${found.meaning}); ${count(found.states)} states in ${found.seconds < 0.1 ? "less than 0.1" : found.seconds.toFixed(1)} s. `,
      best.length ? `Best: ${best.slice(0, 8).join(", ")}${best.length > 8 ? ` and ${best.length - 8} more` : ""}` : "",
    ]);
  }

  playouts(found: Playouts): void {
    if (found.problem) return this.set("Random playouts", [found.problem]);
    const goals = Object.entries(found.goals).map(([role, goal]) => h("div", {}, `${role}: ${goal.mean === null ? "no goal" : score(goal.mean)} `, histogram(goal.histogram)));
    this.set("Random playouts", [`${count(found.count)} matches, ${found.length.toFixed(1)} turns on average, ${count(found.rate)} a second`, ...goals]);
  }

  network(found: NetworkSize): void {
    this.set("Constraint network", [
      found.problem ?? `${count(found.variables)} variables (largest domain ${count(found.largest_domain)}), ${count(found.constraints)} constraints, ${count(found.tuples)} tuples`,
    ]);
  }

  private set(name: string, value: Child[]): void {
    this.values.set(name, value);
    this.draw();
  }

  private draw(): void {
    this.host.replaceChildren(...[...this.values].flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, ...value)]));
  }
}

/** A strip that shows how often each goal came. */
function histogram(counts: Record<string, number>): HTMLElement {
  const entries = Object.entries(counts).map(([goal, n]) => [Number(goal), n] as const);
  const total = entries.reduce((sum, [, n]) => sum + n, 0) || 1;
  const words = entries.map(([goal, n]) => `${goal}: ${((100 * n) / total).toFixed(1)} %`).join(", ");
  const strip = h("span", { class: "histogram", role: "img", "aria-label": words, title: words });
  for (const [goal, n] of entries) {
    const part = h("span", {});
    part.style.width = `${(100 * n) / total}%`;
    part.style.opacity = String(0.15 + (0.85 * goal) / 100);
    strip.append(part);
  }
  return strip;
}
