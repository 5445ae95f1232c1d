// Where the places of a panel are, in units of which a square is 40 wide.
import type { PanelFrame } from "./types";

export const CELL = 40;
const MARK = 13;
const LETTER = 7.4;
const BOX_HEIGHT = 36;
const SHORT_TABLE = 12;

export interface Spot {
  x: number;
  y: number;
  /** Half of its width and height. */
  rx: number;
  ry: number;
  /** The outline, as points of a polygon. */
  points: string;
  isDark: boolean;
}

export interface Mark {
  x: number;
  y: number;
  text: string;
  anchor: "start" | "middle" | "end";
}

export interface Geometry {
  width: number;
  height: number;
  /** By place, from the first one of the panel on; a hidden place has none. */
  spots: (Spot | undefined)[];
  marks: Mark[];
  /** The size of a piece in a place: that of a square. */
  size: number;
}

/** Return the places of a panel. `used` are the columns of a long table that hold something, `room` is how wide it may be. */
export function geometry(panel: PanelFrame, isFlipped: boolean, used: Set<number>, room = 600): Geometry {
  if (panel.kind === "hex") return hexagons(panel, isFlipped);
  if (panel.kind === "grid") return squares(panel, isFlipped);
  return boxes(panel, used, room);
}

function rectangle(x: number, y: number, rx: number, ry: number): string {
  return `${x - rx},${y - ry} ${x + rx},${y - ry} ${x + rx},${y + ry} ${x - rx},${y + ry}`;
}

function squares(panel: PanelFrame, isFlipped: boolean): Geometry {
  const columns = panel.columns.length;
  const rows = panel.rows.length;
  const left = Math.max(12, Math.min(10, longest(panel.rows)) * LETTER + 8);
  const spots = panel.places.map(([column, row]) => {
    const i = isFlipped ? columns - 1 - column : column;
    const j = isFlipped ? rows - 1 - row : row;
    const x = left + (i + 0.5) * CELL;
    const y = (j + 0.5) * CELL + 2;
    return { x, y, rx: CELL / 2, ry: CELL / 2, points: rectangle(x, y, CELL / 2, CELL / 2), isDark: (column + row) % 2 === 1 };
  });
  const marks: Mark[] = [];
  panel.rows.forEach((text, row) => {
    const j = isFlipped ? rows - 1 - row : row;
    marks.push({ x: left - 6, y: (j + 0.5) * CELL + 2, text, anchor: "end" });
  });
  panel.columns.forEach((text, column) => {
    const i = isFlipped ? columns - 1 - column : column;
    marks.push({ x: left + (i + 0.5) * CELL, y: rows * CELL + 2 + MARK, text, anchor: "middle" });
  });
  return { width: left + columns * CELL + 2, height: rows * CELL + 2 * MARK, spots, marks, size: CELL };
}

function hexagons(panel: PanelFrame, isFlipped: boolean): Geometry {
  const side = CELL / Math.sqrt(3);
  const last = panel.places.length - 1;
  const halves = panel.places.map(([q, r]) => 2 * q + r);
  const most = Math.max(...halves);
  const rows = panel.places.map(([, r]) => r);
  const least = Math.min(...rows);
  const lowest = Math.max(...rows);
  const left = panel.isNamed ? 2 : Math.max(12, Math.min(8, longest(panel.rows)) * LETTER + 8);
  const spots = panel.places.map(([q, r]) => {
    const half = isFlipped ? most - (2 * q + r) : 2 * q + r;
    const row = isFlipped ? lowest - r : r - least;
    const x = left + (half / 2 + 0.5) * CELL;
    const y = 2 + side * (1 + 1.5 * row);
    const points = [0, 1, 2, 3, 4, 5].map((i) => {
      const turn = (Math.PI / 180) * (60 * i - 90);
      return `${(x + side * Math.cos(turn)).toFixed(2)},${(y + side * Math.sin(turn)).toFixed(2)}`;
    });
    return { x, y, rx: CELL / 2, ry: side, points: points.join(" "), isDark: (((q - r) % 3) + 3) % 3 === 1 };
  });
  const marks: Mark[] = [];
  if (!panel.isNamed && last >= 0) {
    const byRow = new Map<number, number[]>();
    spots.forEach((spot, i) => {
      const key = Math.round(spot.y);
      byRow.set(key, [...(byRow.get(key) ?? []), i]);
    });
    for (const places of byRow.values()) {
      const first = places.reduce((a, b) => (spots[a]!.x < spots[b]!.x ? a : b));
      const row = panel.names[first]?.split(" ").at(-1) ?? "";
      marks.push({ x: spots[first]!.x - CELL / 2 - 5, y: spots[first]!.y, text: row, anchor: "end" });
    }
    const bottom = [...byRow.keys()].sort((a, b) => b - a)[0]!;
    for (const i of byRow.get(bottom)!) {
      const text = panel.names[i]?.split(" ").at(-2) ?? "";
      const shift = (isFlipped ? -1 : 1) * panel.lean * (CELL / 4);
      marks.push({ x: spots[i]!.x + shift, y: spots[i]!.y + side + MARK, text, anchor: "middle" });
    }
  }
  const width = Math.max(...spots.map((spot) => spot.x)) + CELL / 2 + 4;
  return { width, height: side * (1.5 * (lowest - least) + 2) + 2 * MARK, spots, marks, size: CELL * 0.94 };
}

function boxes(panel: PanelFrame, used: Set<number>, room: number): Geometry {
  const isTable = panel.kind === "table";
  const all = panel.columns.map((_, i) => i);
  const shown = isTable && all.length > SHORT_TABLE && used.size ? all.filter((i) => used.has(i)) : all;
  const texts = [...panel.columns, ...panel.pieces.map((piece) => piece.short)];
  const width = Math.max(38, Math.min(18, longest(texts)) * LETTER + 14);
  const rowNames = panel.rows.length > 1 || (panel.rows[0] ?? "") !== "";
  const left = rowNames ? Math.min(20, longest(panel.rows)) * LETTER + 12 : 2;
  // Long rows are folded, so that they stay readable on a narrow screen.
  const fold = Math.max(1, Math.min(shown.length, Math.floor((room - left) / width)));
  const parts = Math.ceil(shown.length / fold);
  const block = panel.rows.length * BOX_HEIGHT + MARK + 10;
  const spots = panel.places.map(([column, row]) => {
    const i = shown.indexOf(column);
    if (i < 0) return undefined;
    const x = left + ((i % fold) + 0.5) * width;
    const top = Math.floor(i / fold) * block + (isTable ? MARK + 6 : 2);
    const y = top + (row + 0.5) * BOX_HEIGHT;
    return { x, y, rx: width / 2, ry: BOX_HEIGHT / 2, points: rectangle(x, y, width / 2, BOX_HEIGHT / 2), isDark: false };
  });
  const marks: Mark[] = [];
  for (let part = 0; part < parts; part++) {
    const top = part * block + (isTable ? MARK + 6 : 2);
    panel.rows.forEach((text, row) => {
      if (rowNames) marks.push({ x: 2, y: top + (row + 0.5) * BOX_HEIGHT, text, anchor: "start" });
    });
    shown.slice(part * fold, (part + 1) * fold).forEach((column, i) => {
      const y = isTable ? part * block + MARK - 3 : top + panel.rows.length * BOX_HEIGHT + MARK - 2;
      marks.push({ x: left + (i + 0.5) * width, y, text: panel.columns[column]!, anchor: "middle" });
    });
  }
  return { width: left + fold * width + 2, height: parts * block + 4, spots, marks, size: BOX_HEIGHT };
}

function longest(texts: string[]): number {
  return Math.max(1, ...texts.map((text) => text.length));
}
