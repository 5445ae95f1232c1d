// What is not on a board: whose turn it is, counters, all other facts, and the meaning of letters.
import { h } from "../shared/dom";
import type { Position, SceneFrame } from "./types";

const MANY = 24;

/** Show the facts of a state in an element. */
export function showFacts(host: HTMLElement, scene: SceneFrame, position: Position): void {
  const rows = position.facts.map(([name, values, isTurn]) => {
    const role = isTurn ? scene.roles.find((one) => values[0]?.split(" ").includes(one.name)) : undefined;
    const words = values.length === 1 && values[0] === "" ? ["yes"] : values;
    const shown = words.slice(0, MANY).map((value) => h("span", { class: "value" }, dot(role), value));
    const more = words.length > MANY ? h("span", { class: "soft" }, `and ${words.length - MANY} more`) : null;
    return h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, ...shown, more));
  });
  host.replaceChildren(h("dl", { class: "facts" }, ...rows));
}

/** Show facts that may hold, with their probability as a number and a bar. */
export function showPossible(host: HTMLElement, possible: [string, number][]): void {
  const rows = possible.map(([fact, chance]) => {
    const bar = h("span", { class: "odds", "aria-hidden": "true" }, h("span"));
    (bar.firstElementChild as HTMLElement).style.width = `${100 * chance}%`;
    return h("div", { class: "fact" }, h("dt", { class: "mono" }, fact), h("dd", {}, bar, percent(chance)));
  });
  host.append(h("h3", { class: "small soft" }, "Possible"), h("dl", { class: "facts possible" }, ...rows));
}

/** A probability in words; what is not certain is never 0 % or 100 %. */
function percent(chance: number): string {
  if (chance > 0.995) return "over 99 %";
  return chance < 0.005 ? "under 1 %" : `${Math.round(100 * chance)} %`;
}

function dot(role: { colour: string } | undefined): HTMLElement | null {
  if (!role) return null;
  const found = h("span", { class: "dot", "aria-hidden": "true" });
  found.style.background = role.colour;
  return found;
}

/** Show what the letters on pieces mean. */
export function showLegend(host: HTMLElement, scene: SceneFrame): void {
  const known = new Map<string, HTMLElement>();
  for (const panel of scene.panels) {
    for (const [short, name] of panel.legend) {
      const piece = panel.pieces.find((one) => one.name === name);
      const disc = h("span", { class: "disc", "aria-hidden": "true" }, short);
      disc.style.background = piece?.colour ?? "";
      disc.style.color = piece?.ink ?? "";
      known.set(`${short} ${name}`, h("li", {}, disc, name));
    }
  }
  host.replaceChildren(h("ul", { class: "legend", "aria-label": "Pieces" }, ...known.values()));
}
