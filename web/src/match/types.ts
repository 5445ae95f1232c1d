// The messages of a match; made by src/woodstock/web/match.
import type { Gesture, Position, SceneFrame } from "../board/types";

export interface Thought {
  values: Record<string, number>;
  lines: string[];
  is_proven: boolean;
  statistics?: Record<string, number>;
}

export interface Turn {
  node: number;
  parent: number;
  moves: string[];
  /** The numbers of the roles that had a choice. */
  chose?: number[];
  errors?: string[];
  seconds?: number[];
  thoughts?: Record<string, Thought>;
}

export interface SeatInfo {
  role: string;
  kind: "person" | "player" | "url";
  spec: string;
  name: string;
  isMine?: boolean;
  isTaken?: boolean;
  invite?: string;
}

export interface HeadInfo {
  seats: SeatInfo[];
  roles: string[];
  startClock: number;
  playClock: number;
  isClocked: boolean;
  delay: number;
  current: number;
  isPaused: boolean;
  isPreparing: boolean;
  mayControl: boolean;
  isOver: boolean;
  scores: Record<string, number> | null;
  watchers: number;
}

export interface NodeView {
  node: number;
  toMove: string[];
  isTerminal: boolean;
  scores?: Record<string, number>;
  position: Position;
  percepts?: string[];
  // Facts that may hold in a game that hides things, each with its probability.
  possible?: [string, number][];
  note?: string;
}

export type Moves = Record<string, Gesture[]>;

export interface Whole extends HeadInfo, NodeView {
  id: string;
  game: { key: string; title: string; roles: string[] };
  seated: string[];
  isFromStart: boolean;
  problem: string;
  isHidden: boolean;
  scene: SceneFrame;
  tree: Turn[];
  moves: Moves;
  scores: Record<string, number>;
}

export interface Reason {
  move: string;
  reasons: { line: number; rule: string; condition: string | null }[];
}
