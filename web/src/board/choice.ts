// From clicks to a move: the same rules as `woodstock.view.gestures.fitting`.
import type { Gesture } from "./types";

export type Outcome =
  | { kind: "move"; move: string }
  | { kind: "menu"; moves: string[] }
  | { kind: "select" }
  | { kind: "clear" }
  | { kind: "nothing"; clicks: number[] };

/** Return the gestures that begin with these clicks. */
export function fitting(gestures: Gesture[], clicks: number[]): Gesture[] {
  return gestures.filter(
    (one) => one.steps.length >= Math.max(1, clicks.length) && clicks.every((click, i) => one.steps[i]!.includes(click)),
  );
}

export class Choice {
  gestures: Gesture[] = [];
  clicks: number[] = [];

  /** Return the places that can be clicked now. */
  get places(): Set<number> {
    const next = fitting(this.gestures, this.clicks).flatMap((one) => one.steps[this.clicks.length] ?? []);
    return new Set(next);
  }

  /** Return the places that show the moves: of a line of places only the one where something happens. */
  get shown(): Set<number> {
    const next = fitting(this.gestures, this.clicks).map((one) => one.steps[this.clicks.length]?.[0]);
    return new Set(next.filter((one) => one !== undefined));
  }

  click(place: number): Outcome {
    const clicks = [...this.clicks, place];
    const found = fitting(this.gestures, clicks);
    if (found.length) return this.judge(found, clicks);
    if (this.clicks.at(-1) === place) {
      // The same place again: the moves that end there. A menu even for one, since most people only want to let go.
      const done = fitting(this.gestures, this.clicks).filter((one) => one.steps.length === this.clicks.length);
      this.clicks = [];
      return done.length ? { kind: "menu", moves: done.map((one) => one.move) } : { kind: "clear" };
    }
    const wasSelected = this.clicks.length > 0;
    this.clicks = [];
    const anew = fitting(this.gestures, [place]);
    if (anew.length) return this.judge(anew, [place]);
    return { kind: "nothing", clicks: wasSelected ? clicks : [place] };
  }

  /** A drag is two clicks, or one if the places of the first are not needed. */
  drag(from: number, to: number): Outcome {
    this.clicks = [];
    if (fitting(this.gestures, [from, to]).length) {
      this.clicks = [from];
      return this.click(to);
    }
    if (!fitting(this.gestures, [from]).some((one) => one.steps.length > 1) && fitting(this.gestures, [to]).length) {
      return this.click(to);
    }
    return { kind: "nothing", clicks: [from, to] };
  }

  private judge(found: Gesture[], clicks: number[]): Outcome {
    const done = found.filter((one) => one.steps.length === clicks.length);
    if (done.length < found.length) {
      this.clicks = clicks;
      return { kind: "select" };
    }
    this.clicks = [];
    if (done.length === 1) return { kind: "move", move: done[0]!.move };
    return { kind: "menu", moves: done.map((one) => one.move) };
  }
}
