// Moves as a list: for those that are not made on the board, and for who prefers words. Long lists can be searched.
import { readable } from "../board/menu";
import type { Gesture } from "../board/types";
import { h } from "./dom";

const LONG = 12;
const MOST_SHOWN = 300;

/** Fill an element with the moves of each role that has a choice. */
export function moveList(host: HTMLElement, moves: Record<string, Gesture[]>, choose: (role: string, move: string) => void): void {
  const roles = Object.entries(moves).filter(([, mine]) => mine.length > 1 || (mine.length === 1 && Object.keys(moves).length === 1));
  host.replaceChildren(
    ...roles.map(([role, mine]) => {
      const off = mine.filter((one) => one.steps.length === 0);
      const isListed = off.length > 0;
      const summary = isListed ? `Moves of ${role}` : `Moves of ${role} as a list (${mine.length})`;
      const buttons = h("div", { class: "moves" });
      const fill = (words: string): void => {
        const found = mine.filter((one) => readable(one.move).toLowerCase().includes(words.toLowerCase()));
        buttons.replaceChildren(
          ...found.slice(0, MOST_SHOWN).map((one) => h("button", { type: "button", class: "move", onclick: () => choose(role, one.move) }, readable(one.move))),
          found.length > MOST_SHOWN ? h("span", { class: "soft small" }, `and ${found.length - MOST_SHOWN} more: search for them`) : "",
        );
      };
      fill("");
      const search =
        mine.length > LONG
          ? h("input", { type: "search", placeholder: "Search moves", "aria-label": `Search the moves of ${role}`, oninput: (event: Event) => fill((event.target as HTMLInputElement).value) })
          : null;
      return h("details", isListed ? { open: true, class: "role-moves" } : { class: "role-moves" }, h("summary", {}, summary), search, buttons);
    }),
  );
}
