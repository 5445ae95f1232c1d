// The players: who sits where, their clocks and what they expect, and how to exchange them.
import { h } from "../shared/dom";
import { playerFields, type PlayerKind } from "../shared/players";
import type { SceneFrame } from "../board/types";
import type { HeadInfo, SeatInfo, Thought } from "./types";

interface Row {
  clock: HTMLElement;
  value: HTMLElement;
  bar: HTMLElement;
  line: HTMLElement;
  element: HTMLElement;
}

export class Seats {
  private rows = new Map<string, Row>();
  private timer = 0;
  private asked: { roles: string[]; ends: number; clock: number } | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly scene: SceneFrame,
    private readonly players: PlayerKind[],
    private readonly token: string,
    private readonly send: (message: { type: string } & Record<string, unknown>) => void,
  ) {}

  show(head: HeadInfo): void {
    this.rows.clear();
    this.host.replaceChildren(...head.seats.map((seat) => this.row(seat, head)));
  }

  /** Count down for those who are asked for a move. */
  ask(roles: string[], clock: number, head: HeadInfo): void {
    const binds = (role: string): boolean =>
      head.isClocked || head.seats.find((seat) => seat.role === role)?.kind !== "person";
    this.asked = { roles: roles.filter(binds), ends: performance.now() + 1000 * clock, clock };
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.tick(), 100);
    this.mark(roles);
  }

  rest(): void {
    clearInterval(this.timer);
    this.asked = null;
    for (const row of this.rows.values()) row.clock.textContent = "";
  }

  mark(roles: string[]): void {
    for (const [role, row] of this.rows) row.element.classList.toggle("to-move", roles.includes(role));
  }

  think(role: string, thought: Thought): void {
    const row = this.rows.get(role);
    if (!row) return;
    const value = thought.values[role];
    if (value === undefined) return;
    row.value.textContent = `${value.toFixed(0)}${thought.is_proven ? "=" : ""}`;
    row.value.title = thought.is_proven ? "proven" : "what the player expects";
    row.bar.hidden = false;
    (row.bar.firstElementChild as HTMLElement).style.width = `${value}%`;
    row.line.textContent = thought.lines[0]?.trim() ?? "";
  }

  score(scores: Record<string, number> | null | undefined): void {
    if (!scores) return;
    for (const [role, row] of this.rows) row.value.textContent = `${scores[role] ?? ""}`;
  }

  private tick(): void {
    if (!this.asked) return;
    const left = Math.max(0, (this.asked.ends - performance.now()) / 1000);
    for (const role of this.asked.roles) {
      const row = this.rows.get(role);
      if (row) row.clock.textContent = left < 10 ? left.toFixed(1) : left.toFixed(0);
    }
  }

  private row(seat: SeatInfo, head: HeadInfo): HTMLElement {
    const disc = h("span", { class: "dot", "aria-hidden": "true" });
    disc.style.background = this.scene.roles.find((one) => one.name === seat.role)?.colour ?? "";
    const clock = h("span", { class: "clock", role: "timer", "aria-label": `Clock of ${seat.role}` });
    const value = h("span", { class: "expects" });
    const bar = h("div", { class: "bar", hidden: true, "aria-hidden": "true" }, h("span"));
    const line = h("div", { class: "line-text mono small soft" });
    const who =
      seat.kind === "person" ? (seat.isMine ? "you" : seat.isTaken ? "somebody else" : "nobody yet") : seat.name;
    const element = h(
      "div",
      { class: "seat" },
      h("div", { class: "row" }, disc, h("strong", {}, seat.role), h("span", { class: "who grow soft" }, who), value, clock),
      bar,
      line,
      seat.invite ? this.link(seat.invite, seat.role) : null,
      head.mayControl ? this.change(seat) : null,
    );
    this.rows.set(seat.role, { clock, value, bar, line, element });
    return element;
  }

  private link(invite: string, role: string): HTMLElement {
    const token = this.token ? `&token=${encodeURIComponent(this.token)}` : "";
    const address = `${location.origin}${location.pathname}?seat=${encodeURIComponent(invite)}${token}`;
    const field = h("input", { type: "text", readonly: true, value: address, "aria-label": `Link for ${role}`, class: "link" });
    const copy = h(
      "button",
      {
        type: "button",
        onclick: () => {
          field.select();
          void navigator.clipboard?.writeText(address).then(() => (copy.textContent = "Copied"));
        },
      },
      "Copy",
    );
    return h("div", { class: "row invite" }, h("span", { class: "small soft" }, "Link for this seat"), field, copy);
  }

  private change(seat: SeatInfo): HTMLElement {
    const kind = h(
      "select",
      { "aria-label": `Who plays ${seat.role}` },
      ...[
        ["here", "You"],
        ["link", "Another browser, by link"],
        ["player", "A built-in player"],
        ["url", "A GGP player"],
      ].map(([value, text]) => h("option", { value: value!, selected: value === (seat.kind === "person" ? "here" : seat.kind) }, text!)),
    );
    const spec = h("input", { type: "hidden", value: seat.kind === "player" ? seat.spec : this.players[1]?.name ?? "" });
    const fields = h("div", {}, spec, playerFields(this.players, spec));
    const url = h("input", { type: "text", placeholder: "http://127.0.0.1:9147", "aria-label": "Address of the player", value: seat.kind === "url" ? seat.spec : "" });
    const show = (): void => {
      fields.hidden = kind.value !== "player";
      url.hidden = kind.value !== "url";
    };
    kind.addEventListener("change", show);
    show();
    const apply = (): void => {
      const isPerson = kind.value === "here" || kind.value === "link";
      const wanted = isPerson
        ? { kind: "person", isOpen: kind.value === "link" }
        : { kind: kind.value, spec: kind.value === "url" ? url.value : spec.value };
      this.send({ type: "seat", role: seat.role, seat: wanted });
    };
    return h(
      "details",
      { class: "change" },
      h("summary", { class: "small" }, "Change"),
      h("div", { class: "stack" }, kind, fields, url, h("button", { type: "button", onclick: apply }, `Seat at ${seat.role}`)),
    );
  }
}
