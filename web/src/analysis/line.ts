// The line of play on the page, and in its address: a reload and a link come back to the same state.

export type Joint = string[];

export class PlayedLine {
  moves: Joint[] = [];
  at = 0;
  /** The line that the page began with: a match, or a record. */
  private trunk: Joint[] = [];

  /** The line of a match, or else the one in the address. */
  constructor(known: { moves: Joint[]; at: number } | null) {
    const query = new URLSearchParams(location.hash.slice(1));
    const text = query.get("moves") ?? "";
    this.moves = text ? text.split(";").map((joint) => joint.split(",")) : (known?.moves ?? []);
    this.trunk = known?.moves ?? this.moves;
    if (JSON.stringify(this.moves) === JSON.stringify(this.trunk)) this.moves = this.trunk;
    const at = Number(query.get("at") ?? (text ? this.moves.length : (known?.at ?? 0)));
    this.at = Number.isInteger(at) && at >= 0 && at <= this.moves.length ? at : this.moves.length;
  }

  /** The joint moves up to the state on the board. */
  get path(): Joint[] {
    return this.moves.slice(0, this.at);
  }

  get hasLeftTrunk(): boolean {
    return this.trunk.length > 0 && this.moves !== this.trunk;
  }

  /** Make joint moves here; a line that goes on differently is replaced. Return whether the line changed. */
  play(joints: Joint[]): boolean {
    const isKnown = joints.every((joint, i) => isSame(joint, this.moves[this.at + i]));
    if (!isKnown) this.moves = [...this.path, ...joints];
    this.at += joints.length;
    this.keep();
    return !isKnown;
  }

  go(at: number): boolean {
    const target = Math.max(0, Math.min(this.moves.length, at));
    if (target === this.at) return false;
    this.at = target;
    this.keep();
    return true;
  }

  /** Go back to the line that the page began with. */
  backToTrunk(): void {
    let common = 0;
    while (common < this.at && isSame(this.trunk[common] ?? [], this.moves[common])) common += 1;
    this.moves = this.trunk;
    this.at = common;
    this.keep();
  }

  /** The part of an address that names this line. */
  get address(): string {
    const query = new URLSearchParams({ moves: this.moves.map((joint) => joint.join(",")).join(";"), at: String(this.at) });
    return this.moves.length ? `#${query}` : "";
  }

  private keep(): void {
    history.replaceState(null, "", `${location.pathname}${location.search}${this.address}`);
  }
}

function isSame(one: Joint, other: Joint | undefined): boolean {
  return other !== undefined && one.length === other.length && one.every((move, i) => move === other[i]);
}
