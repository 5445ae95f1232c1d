// Why a move is not legal: the rule, and the condition that fails.
import { readable } from "../board/menu";
import { announce, h } from "../shared/dom";
import { icon } from "../shared/icons";
import type { Reason } from "./types";

export function showWhy(host: HTMLElement, found: { role: string; places: string[]; moves: Reason[] }): void {
  host.hidden = false;
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => (host.hidden = true) }, icon("close"));
  const where = found.places.length ? ` at ${found.places.join(", then ")}` : "";
  const title = h("div", { class: "row" }, h("h2", { class: "grow" }, `Not legal for ${found.role}${where}`), close);
  if (!found.moves.length) {
    host.replaceChildren(title, h("p", { class: "soft" }, "No rule names a move like this."));
    announce(`No move of ${found.role}${where}`);
    return;
  }
  const blocks = found.moves.map((one) => {
    const first = one.reasons[0];
    if (!first) return h("div", {}, h("code", {}, readable(one.move)), h("p", { class: "soft" }, "No rule makes this move legal anywhere."));
    const others = one.reasons.slice(1).map((reason) => rule(reason));
    return h(
      "div",
      { class: "reason" },
      h("p", {}, h("code", {}, readable(one.move)), first.condition ? " needs " : " is legal by its rule alone.", first.condition ? h("code", { class: "bad" }, first.condition) : null),
      rule(first),
      others.length ? h("details", {}, h("summary", { class: "small" }, `${others.length} more rules`), ...others) : null,
    );
  });
  host.replaceChildren(title, ...blocks);
  const first = found.moves[0]!.reasons[0];
  announce(`Not legal${where}${first?.condition ? `: ${first.condition} does not hold` : ""}`);
}

function rule(reason: { line: number; rule: string; condition: string | null }): HTMLElement {
  return h("div", {}, h("p", { class: "small soft" }, `Line ${reason.line} of the rules`), h("pre", {}, reason.rule), reason.condition ? h("p", { class: "small" }, "fails: ", h("code", { class: "bad" }, reason.condition)) : null);
}
