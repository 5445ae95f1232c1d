// Pieces: discs with letters, and how they move from one state to the next.
import { s } from "../shared/dom";
import type { Geometry, Spot } from "./geometry";
import type { PanelFrame, PieceKind } from "./types";

const LETTERS = [0.5, 0.42, 0.32, 0.25];
const MOVE_MS = 190;
const MANY = 4;

export interface Piece {
  /** The number of its place in the panel. */
  place: number;
  name: string;
  x: number;
  y: number;
  element: SVGGElement;
}

/** Return the pieces of a panel; several on one place are smaller, very many become a number. */
export function drawPieces(frame: PanelFrame, shape: Geometry, held: Map<number, (number | string)[]>): Piece[] {
  const found: Piece[] = [];
  for (const [place, pieces] of held) {
    const spot = shape.spots[place];
    if (!spot) continue;
    if (pieces.length > MANY) {
      const text = s("text", { class: "plain", "font-size": shape.size * 0.4, dy: ".35em", "text-anchor": "middle" }, `${pieces.length}×`);
      found.push(made(place, `${pieces.length}`, spot.x, spot.y, text));
      continue;
    }
    pieces.forEach((piece, i) => {
      const kind = typeof piece === "number" ? frame.pieces[piece]! : unknown(piece);
      const [x, y, size] = spread(spot, shape.size, pieces.length, i);
      found.push(made(place, kind.name, x, y, ...look(frame, kind, size)));
    });
  }
  return found;
}

function made(place: number, name: string, x: number, y: number, ...shapes: SVGElement[]): Piece {
  const inner = s("g", {}, ...shapes);
  return { place, name, x, y, element: s("g", { class: "piece" }, s("g", { transform: `translate(${x} ${y})` }, inner)) };
}

function unknown(name: string): PieceKind {
  return { name, short: name.slice(0, 3), colour: "#e6e6e6", ink: "#000000" };
}

function spread(spot: Spot, size: number, count: number, i: number): [number, number, number] {
  if (count === 1) return [spot.x, spot.y, size];
  const offset = size * 0.22;
  const [dx, dy] = [[-1, -1], [1, 1], [1, -1], [-1, 1]][i]!;
  return [spot.x + dx! * offset, spot.y + dy! * offset, size * 0.52];
}

function look(frame: PanelFrame, kind: PieceKind, size: number): SVGElement[] {
  const longest = frame.isPlain ? Math.max(...frame.pieces.map((one) => one.short.length), 1) : kind.short.length;
  const letters = size * LETTERS[Math.min(longest, LETTERS.length) - 1]!;
  const text = (more: Record<string, string | number>): SVGElement =>
    s("text", { "font-size": letters.toFixed(1), "text-anchor": "middle", dy: ".35em", ...more }, kind.short);
  if (frame.isPlain) return [text({ class: "plain" })];
  const radius = size * 0.39;
  return [
    s("circle", { r: radius, cy: size * 0.035, class: "shade" }),
    s("circle", { r: radius, fill: kind.colour, class: "disc" }),
    s("circle", { r: radius * 0.8, class: "groove", stroke: kind.ink }),
    text({ fill: kind.ink }),
  ];
}

/** Move pieces that are the same as before from their old place; others appear. */
export function animate(before: Piece[], now: Piece[]): void {
  const stays = new Set(before.map((piece) => `${piece.name}@${piece.x},${piece.y}`));
  const gone = new Set(now.map((piece) => `${piece.name}@${piece.x},${piece.y}`));
  const left = before.filter((piece) => !gone.has(`${piece.name}@${piece.x},${piece.y}`));
  for (const piece of now) {
    if (stays.has(`${piece.name}@${piece.x},${piece.y}`)) continue;
    const from = nearest(piece, left);
    const timing = { duration: MOVE_MS, easing: "cubic-bezier(.2,.8,.3,1)" };
    if (from) {
      left.splice(left.indexOf(from), 1);
      const start = `translate(${from.x - piece.x}px, ${from.y - piece.y}px)`;
      piece.element.animate([{ transform: start }, { transform: "none" }], timing);
    } else {
      const inner = piece.element.firstElementChild!.firstElementChild!;
      inner.animate([{ transform: "scale(.3)", opacity: 0 }, { transform: "none", opacity: 1 }], timing);
    }
  }
}

function nearest(piece: Piece, others: Piece[]): Piece | undefined {
  const same = others.filter((other) => other.name === piece.name);
  const far = (other: Piece): number => Math.hypot(other.x - piece.x, other.y - piece.y);
  return same.sort((a, b) => far(a) - far(b))[0];
}
