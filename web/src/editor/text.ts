// The text of the rules: CodeMirror with highlighting, completion and marks.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { nonce } from "../shared/dom";
import { KEYWORDS, language, type Syntax } from "./language";

export interface Name {
  name: string;
  kind: "relation" | "function" | "constant";
  arity: number;
}

const MEANINGS: Record<string, string> = {
  role: "(role R): a part in the game", init: "(init F): F holds at the start", true: "(true F): F holds now",
  does: "(does R M): role R makes move M", next: "(next F): F holds after the turn", legal: "(legal R M): R may make M",
  terminal: "the match is over", goal: "(goal R N): R gets N, 0 to 100", base: "(base F): F can hold", input: "(input R M): R may have M",
  sees: "(sees R P): R perceives P", distinct: "(distinct A B): A is not B", not: "(not C): C does not hold", or: "(or A B): A or B",
  and: "(and A B): A and B", random: "the role of chance",
};

export class RulesText {
  readonly view: EditorView;
  private readonly syntax = new Compartment();
  private current: Syntax = "kif";
  private names: Name[] = [];

  constructor(parent: HTMLElement, text: string, private readonly changed: () => void) {
    this.view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: this.extensions() }) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replace the whole text; one step of undo. */
  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Put the cursor at an offset and show it. */
  go(offset: number, end = offset): void {
    const length = this.view.state.doc.length;
    const anchor = Math.min(offset, length);
    this.view.dispatch({ selection: { anchor, head: Math.min(end, length) }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  setSyntax(syntax: Syntax): void {
    if (syntax === this.current) return;
    this.current = syntax;
    this.view.dispatch({ effects: this.syntax.reconfigure(language(syntax)) });
  }

  setNames(names: Name[]): void {
    this.names = names;
  }

  private extensions(): NonNullable<Parameters<typeof EditorState.create>[0]>["extensions"] {
    return [
      EditorView.cspNonce.of(nonce()),
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), bracketMatching(), closeBrackets(), highlightSelectionMatches(),
      lintGutter(), indentUnit.of("    "), EditorView.lineWrapping,
      syntaxHighlighting(classHighlighter),
      this.syntax.of(language("kif")),
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      // Tab leaves the editor, as everywhere on a page: the keyboard must not be trapped.
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Rules", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.changed();
      }),
    ];
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const before = context.matchBefore(/[?A-Za-z0-9_+\-<=]+/);
    if (!before && !context.explicit) return null;
    const from = before?.from ?? context.pos;
    if (before?.text.startsWith("?")) return { from, options: this.variables(before.text), validFor: /^\?\w*$/ };
    const options: Completion[] = [
      ...KEYWORDS.map((name) => ({ label: name, type: "keyword", detail: MEANINGS[name] ?? "", boost: 1 })),
      ...this.names.map((one) => ({
        label: one.name,
        type: one.kind,
        detail: one.kind === "constant" ? "" : `${one.kind}, ${one.arity} ${one.arity === 1 ? "argument" : "arguments"}`,
        boost: one.kind === "constant" ? -1 : 0,
      })),
    ];
    return { from, options, validFor: /^[A-Za-z0-9_+-]*$/ };
  }

  /** Variables of the rule around the cursor: those are what one wants to write again. */
  private variables(typed: string): Completion[] {
    const text = this.text;
    const at = this.view.state.selection.main.head;
    const start = Math.max(0, text.lastIndexOf("\n(", at));
    const next = text.indexOf("\n(", at);
    const rule = text.slice(start, next < 0 ? text.length : next);
    const found = new Set(rule.match(/\?\w+/g) ?? []);
    found.delete(typed);
    return [...found].map((label) => ({ label, type: "variable" }));
  }
}
