// What an analysis draws on the board: arrows of the best lines, bars of visits and values, tints of equal moves.
import type { Board } from "../board/board";
import type { Gesture } from "../board/types";
import type { StateView } from "../shared/position";
import { score } from "./format";
import type { RoleReport, Symmetries } from "./types";

export interface Shown {
  arrows: boolean;
  bars: boolean;
  tints: boolean;
}

function ends(gesture: Gesture | undefined): [number, number] | null {
  const to = gesture?.steps.at(-1)?.[0];
  const from = gesture && gesture.steps.length > 1 ? gesture.steps[0]?.[0] : to;
  return from === undefined || to === undefined ? null : [from, to];
}

/** Draw everything that is switched on. */
export function drawOverlay(board: Board, state: StateView, reports: RoleReport[], symmetries: Symmetries | null, lines: number, shown: Shown): void {
  const choosers = reports.filter((one) => one.count > 1);
  board.setArrows(shown.arrows ? choosers.flatMap((report) => arrows(state, report, lines)) : []);
  board.setBars(shown.bars ? choosers.flatMap((report) => bars(state, report)) : []);
  board.setTints(shown.tints && symmetries && !symmetries.problem ? tints(state, symmetries) : new Map());
}

function arrows(state: StateView, report: RoleReport, lines: number): { from: number; to: number; rank: number }[] {
  const gestures = new Map((state.moves[report.role] ?? []).map((one) => [one.move, one]));
  return report.moves.slice(0, lines).flatMap((move, i) => {
    const found = ends(gestures.get(move.move));
    return found ? [{ from: found[0], to: found[1], rank: i + 1 }] : [];
  });
}

/** One bar for each place where a move ends: the best of the moves that end there. */
function bars(state: StateView, report: RoleReport): { place: number; value: number; label: string }[] {
  const gestures = new Map((state.moves[report.role] ?? []).map((one) => [one.move, one]));
  const most = Math.max(1, ...report.moves.map((move) => move.visits));
  const best = new Map<number, { place: number; value: number; label: string }>();
  for (const move of [...report.moves].sort((a, b) => b.visits - a.visits)) {
    const place = ends(gestures.get(move.move))?.[1];
    if (place === undefined || best.has(place)) continue;
    best.set(place, { place, value: move.visits / most, label: `${score(Math.round(move.value))}${move.is_proven ? "✓" : ""}` });
  }
  return [...best.values()];
}

/** Moves that a symmetry of the state maps onto each other are equal: so are the places where they end. */
function tints(state: StateView, symmetries: Symmetries): Map<number, number> {
  const parent = new Map<number, number>();
  const root = (place: number): number => {
    let at = place;
    while (parent.get(at) !== undefined && parent.get(at) !== at) at = parent.get(at)!;
    return at;
  };
  for (const [role, classes] of Object.entries(symmetries.classes)) {
    const gestures = new Map((state.moves[role] ?? []).map((one) => [one.move, one]));
    for (const some of classes) {
      const places = some.flatMap((move) => ends(gestures.get(move))?.[1] ?? []);
      for (const place of places) if (!parent.has(place)) parent.set(place, place);
      for (const place of places) parent.set(root(place), root(places[0]!));
    }
  }
  const members = Map.groupBy(parent.keys(), root);
  const groups = [...members.values()].filter((places) => places.length > 1);
  return new Map(groups.flatMap((places, tint) => places.map((place) => [place, tint] as const)));
}
