// The outline: the relations of the rules, keywords first.
import { h } from "../shared/dom";

export interface Relation {
  name: string;
  arity: number;
  is_keyword: boolean;
  rules: number;
  uses: number;
  start: number;
}

/** Fill the list of relations; a click goes to the first rule. */
export function outline(target: HTMLElement, relations: Relation[], go: (offset: number) => void): void {
  target.replaceChildren(
    ...relations.map((one) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: one.is_keyword ? "relation keyword" : "relation", onclick: () => go(one.start) },
          h("code", {}, one.name, h("span", { class: "soft" }, `/${one.arity}`)),
          h("span", { class: "soft small" }, `${one.rules} ${one.rules === 1 ? "rule" : "rules"}${one.uses ? `, used ${one.uses}×` : one.is_keyword ? "" : ", never used"}`),
        ),
      ),
    ),
  );
}
