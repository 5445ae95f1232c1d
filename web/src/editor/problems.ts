// Diagnostics in the text and in a list: what is wrong, what to do, and the explanation of its code.
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { h } from "../shared/dom";

export interface Problem {
  code: string;
  severity: "error" | "warning";
  message: string;
  helps: string[];
  start: number;
  end: number;
  line: number;
  column: number;
  path?: string[][];
}

export interface Page {
  code: string;
  title: string;
  what: string;
  why: string;
  wrong: string;
  right: string;
}

/** Return the explanation of a code as elements. */
export function explanation(page: Page): HTMLElement {
  const example = (name: string, text: string): HTMLElement | null =>
    text ? h("div", {}, h("strong", {}, name), h("pre", { tabindex: 0 }, text)) : null;
  return h(
    "div",
    { class: "explain" },
    h("p", {}, page.what),
    h("p", {}, h("strong", {}, "Why: "), page.why),
    example("Wrong", page.wrong),
    example("Right", page.right),
  );
}

/** Mark the problems in the text; hovering one shows its explanation. */
export function mark(view: EditorView, problems: Problem[], pages: Record<string, Page>): void {
  const length = view.state.doc.length;
  const shown = problems.map((one): Diagnostic => {
    const from = Math.min(one.start, length);
    const page = pages[one.code];
    return {
      from,
      to: Math.max(from, Math.min(one.end, length)),
      severity: one.severity,
      message: one.message,
      source: one.code,
      renderMessage: () =>
        h(
          "div",
          { class: "hover" },
          h("p", {}, h("strong", {}, one.message)),
          ...one.helps.map((help) => h("p", { class: "help" }, help)),
          page ? explanation(page) : null,
        ),
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

/** Fill the list under the text. */
export function list(target: HTMLElement, problems: Problem[], pages: Record<string, Page>, go: (problem: Problem) => void, show?: (problem: Problem) => void): void {
  target.replaceChildren(
    ...problems.map((one) => {
      const page = pages[one.code];
      return h(
        "li",
        { class: `problem-row ${one.severity}` },
        h("button", { type: "button", class: "place", onclick: () => go(one) }, `${one.line}:${one.column}`),
        h(
          "div",
          {},
          h("p", {}, h("span", { class: "severity" }, one.severity), " ", one.message, " ", h("code", {}, one.code)),
          ...one.helps.map((help) => h("p", { class: "help" }, help)),
          page ? h("details", {}, h("summary", {}, page.title), explanation(page)) : null,
          one.path && show ? h("button", { type: "button", class: "small", onclick: () => show(one) }, "Show me the position") : null,
        ),
      );
    }),
  );
}
