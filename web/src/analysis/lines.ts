// The best lines as text: a click on a move plays the line up to it.
import { h, refill } from "../shared/dom";
import { turnText } from "../shared/position";
import { count, score } from "./format";
import type { RoleReport } from "./types";

export interface LineChoice {
  role: string;
  rank: number;
  moves: string[][];
}

/** Fill the list of lines of the roles that have a choice. `joint` makes a turn of a move that has no line yet. */
export function showLines(
  host: HTMLElement,
  reports: RoleReport[],
  roles: string[],
  most: number,
  joint: (role: string, move: string) => string[][],
  play: (choice: LineChoice) => void,
): void {
  const choosers = reports.filter((one) => one.count > 1);
  const shown = choosers.length ? choosers : reports.slice(0, 1);
  const rows = shown.flatMap((report) =>
    report.moves.slice(0, most).map((move, i) => {
      const line = move.line?.length ? move.line : joint(report.role, move.move);
      const isKnown = move.interval[0] > 0 || move.interval[1] < 100;
      const range = move.is_proven ? "proven" : !isKnown ? "" : `${score(move.interval[0])}–${score(move.interval[1])}`;
      return h(
        "li",
        { class: `line rank${i + 1}` },
        h(
          "span",
          { class: "line-value" },
          h("strong", {}, score(move.value), move.is_proven ? h("span", { class: "seal", title: "proven" }, "✓") : null),
          h("span", { class: "soft small" }, range),
        ),
        h(
          "span",
          { class: "line-moves" },
          shown.length > 1 ? h("span", { class: "tag" }, report.role) : null,
          ...line.map((moves, turn) =>
            h(
              "button",
              {
                type: "button",
                class: turn === 0 ? "turn first" : "turn",
                title: turn === 0 ? "Play this move" : "Play the line up to here",
                onclick: () => play({ role: report.role, rank: i, moves: line.slice(0, turn + 1) }),
              },
              turnText(moves, roles),
            ),
          ),
          h("span", { class: "soft small visits" }, `${count(move.visits)} ${move.visits === 1 ? "visit" : "visits"}`),
        ),
      );
    }),
  );
  refill(host, rows);
}
