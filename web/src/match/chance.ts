// Chance rolls visibly: what the role of chance did, with a short roll.
import { readable } from "../board/menu";
import { h } from "../shared/dom";
import type { Turn } from "./types";

export function showChance(host: HTMLElement, roles: string[], turn: Turn, isAnimated: boolean): void {
  const number = roles.findIndex((role) => role.toLowerCase() === "random");
  const move = turn.moves[number];
  const isRolled = number >= 0 && move !== undefined && (turn.chose ?? []).includes(number);
  host.hidden = !isRolled;
  if (!isRolled) return;
  const parts = readable(move).split(/\s+/);
  const name = parts.length > 1 ? parts.shift()! : "chance";
  const dice = parts.map((part) => h("span", { class: "die" }, part.replace(/[()]/g, "")));
  host.replaceChildren(h("span", { class: "soft small" }, name), ...dice);
  if (!isAnimated) return;
  dice.forEach((die, i) =>
    die.animate(
      [
        { transform: "translateY(-14px) rotate(-200deg) scale(.6)", opacity: 0 },
        { transform: "translateY(3px) rotate(12deg)", opacity: 1, offset: 0.75 },
        { transform: "none" },
      ],
      { duration: 420, delay: 60 * i, easing: "ease-out", fill: "backwards" },
    ),
  );
}
