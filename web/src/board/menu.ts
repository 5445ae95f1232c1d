// A small menu at a place of the board, for a click that means several moves.
import { h } from "../shared/dom";

/** Return a move as people read it: without the outer brackets. */
export function readable(move: string): string {
  return move.startsWith("(") && move.endsWith(")") ? move.slice(1, -1) : move;
}

export function openMenu(host: HTMLElement, x: number, y: number, moves: string[], choose: (move: string) => void): void {
  const back = document.activeElement as HTMLElement | SVGElement | null;
  const close = (): void => {
    menu.remove();
    removeEventListener("pointerdown", outside, true);
    back?.focus();
  };
  const outside = (event: Event): void => {
    if (!menu.contains(event.target as Node)) close();
  };
  const menu = h(
    "div",
    { class: "menu", role: "menu", "aria-label": "Which move?" },
    ...moves.map((move) =>
      h(
        "button",
        {
          type: "button",
          role: "menuitem",
          tabindex: -1,
          onclick: () => {
            close();
            choose(move);
          },
        },
        readable(move),
      ),
    ),
  );
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -at, End: items.length - 1 - at }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (step !== undefined) {
      event.preventDefault();
      items[(at + step + items.length) % items.length]?.focus();
    }
  });
  host.append(menu);
  const width = host.clientWidth;
  menu.style.left = `${Math.max(0, Math.min(x, width - menu.offsetWidth - 4))}px`;
  menu.style.top = `${y}px`;
  addEventListener("pointerdown", outside, true);
  menu.querySelector("button")?.focus();
}
