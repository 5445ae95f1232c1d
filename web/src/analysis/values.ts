// The expected score of each role: a bar from 0 to 100, its interval, and whether it is proven.
import type { Coloured } from "../board/types";
import { h } from "../shared/dom";
import { score } from "./format";

export interface Value {
  role: string;
  value: number | null;
  interval: [number, number] | null;
  isProven: boolean;
}

/** Fill the bars. */
export function showValues(host: HTMLElement, values: Value[], roles: Coloured[]): void {
  host.replaceChildren(
    ...values.map((one) => {
      const colour = roles.find((role) => role.name === one.role)?.colour ?? "#888888";
      const fill = h("span", { class: "fill" });
      fill.style.width = `${one.value ?? 0}%`;
      fill.style.background = colour;
      const span = h("span", { class: "range" });
      if (one.interval && !one.isProven) {
        span.style.left = `${one.interval[0]}%`;
        span.style.width = `${Math.max(0.4, one.interval[1] - one.interval[0])}%`;
      } else span.hidden = true;
      const words = one.value === null ? "…" : `${score(one.value)}${one.isProven ? " proven" : ""}`;
      const range = one.interval && !one.isProven ? `${score(one.interval[0])}–${score(one.interval[1])}` : "";
      return h(
        "div",
        { class: "expected", role: "group", "aria-label": `${one.role}: expected score ${words}${range ? `, 95 % interval ${range}` : ""}` },
        h("span", { class: "who", "aria-hidden": "true" }, one.role),
        h("span", { class: "meter", "aria-hidden": "true" }, fill, span),
        h("span", { class: one.isProven ? "number proven" : "number", "aria-hidden": "true" }, one.value === null ? "…" : score(one.value), one.isProven ? h("span", { class: "seal", title: "proven" }, "✓") : null),
      );
    }),
  );
}
