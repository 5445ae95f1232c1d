// The values that the server sends about boards; made by `woodstock.view.scene` and `woodstock.view.gestures`.

export interface Coloured {
  name: string;
  colour: string;
  ink: string;
}

export interface PieceKind extends Coloured {
  short: string;
}

export interface PanelFrame {
  title: string;
  kind: "grid" | "hex" | "line" | "table";
  /** The number of its first place; the others follow. */
  first: number;
  columns: string[];
  rows: string[];
  places: [number, number][];
  names: string[];
  isNamed: boolean;
  lean: number;
  isPlain: boolean;
  pieces: PieceKind[];
  legend: [string, string][];
}

export interface SceneFrame {
  panels: PanelFrame[];
  roles: Coloured[];
}

export interface Position {
  /** A place, and the number of a piece of its panel, or a name that the frame does not know. */
  pieces: [number, number | string][];
  changed: number[];
  /** A name, its arguments, and whether it says whose turn it is. */
  facts: [string, string[], boolean][];
}

export interface Gesture {
  move: string;
  steps: number[][];
}

export interface Arrow {
  from: number;
  /** The same place as `from` for a move of one step. */
  to: number;
  /** 1 is the best line; others are thinner and paler. */
  rank: number;
  label?: string;
}

export interface Bar {
  place: number;
  /** 0 to 1. */
  value: number;
  label: string;
}
