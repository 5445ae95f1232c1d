// Highlighting of rules in both syntaxes: KIF, (legal ?p (mark ?x)), and infix, legal(P, mark(X)).
import { LanguageSupport, StreamLanguage, type StringStream } from "@codemirror/language";

export type Syntax = "kif" | "infix";

export const KEYWORDS = [
  "role", "init", "true", "does", "next", "legal", "terminal", "goal", "base", "input", "sees", "distinct", "not", "or", "and", "random",
];
const KNOWN = new Set(KEYWORDS);

type State = { isHead: boolean };

function word(text: string, isHead: boolean): string {
  const name = text.toLowerCase();
  if (KNOWN.has(name)) return "keyword";
  if (/^[+-]?\d+$/.test(name)) return "number";
  return isHead ? "propertyName" : "atom";
}

const kif = StreamLanguage.define<State>({
  name: "kif",
  startState: () => ({ isHead: false }),
  token(stream: StringStream, state: State): string | null {
    if (stream.eatSpace()) return null;
    if (stream.match(";")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("(")) {
      state.isHead = true;
      return "paren";
    }
    const isHead = state.isHead;
    state.isHead = false;
    if (stream.match(")")) return "paren";
    if (stream.match(/^<=(?=[\s()]|$)/)) {
      state.isHead = false;
      return "definitionOperator";
    }
    if (stream.match(/^\?[^\s();]*/)) return "variableName";
    const found = stream.match(/^[^\s();]+/) as RegExpMatchArray | null;
    return found ? word(found[0], isHead) : (stream.next(), null);
  },
  languageData: { commentTokens: { line: ";" }, closeBrackets: { brackets: ["("] } },
});

const infix = StreamLanguage.define<State>({
  name: "infix",
  startState: () => ({ isHead: false }),
  token(stream: StringStream): string | null {
    if (stream.eatSpace()) return null;
    if (stream.match("%") || stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(":-") || stream.match("<=") || stream.match(/^[&|~.,]/)) return "definitionOperator";
    if (stream.match(/^[()]/)) return "paren";
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(/^[A-Z_][A-Za-z0-9_]*/)) return "variableName";
    const found = stream.match(/^[^\s()&|~.,':%]+/) as RegExpMatchArray | null;
    return found ? word(found[0], stream.peek() === "(") : (stream.next(), null);
  },
  languageData: { commentTokens: { line: "%" }, closeBrackets: { brackets: ["(", "'"] } },
});

/** Return the language of a syntax. */
export function language(syntax: Syntax): LanguageSupport {
  return new LanguageSupport(syntax === "kif" ? kif : infix);
}
