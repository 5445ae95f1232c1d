// A state as the server sends it (`woodstock.web.position`).
import type { Gesture, Position } from "../board/types";

export interface StateView extends Position {
  moves: Record<string, Gesture[]>;
  isTerminal: boolean;
  scores: Record<string, number> | null;
  turn: number | null;
  last: string[] | null;
}

/** Return the roles that have a choice. */
export function choosers(state: StateView): string[] {
  return Object.entries(state.moves).filter(([, moves]) => moves.length > 1).map(([role]) => role);
}

/** Return the gestures of all roles, each move once; `whose` says which roles have a move. */
export function allGestures(state: StateView): { gestures: Gesture[]; whose: Map<string, string[]> } {
  const whose = new Map<string, string[]>();
  const gestures: Gesture[] = [];
  const roles = choosers(state);
  for (const role of roles.length ? roles : Object.keys(state.moves)) {
    for (const one of state.moves[role] ?? []) {
      const known = whose.get(one.move);
      if (known) known.push(role);
      else {
        whose.set(one.move, [role]);
        gestures.push(one);
      }
    }
  }
  return { gestures, whose };
}

/** Return a turn as text: what the roles did, without those that only waited. */
export function turnText(joint: string[], roles: string[]): string {
  const told = joint.map((move, i) => [roles[i] ?? "", move] as const).filter(([, move]) => move.toLowerCase() !== "noop");
  const parts = (told.length ? told : [[roles[0] ?? "", joint[0] ?? ""] as const]).map(([, move]) => move.replace(/^\((.*)\)$/, "$1"));
  return parts.join(" + ");
}
