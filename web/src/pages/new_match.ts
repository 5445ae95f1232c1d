// The form of a new match: only the fields that a choice needs.
import { byId, pageData } from "../shared/dom";
import { playerFields, type PlayerKind } from "../shared/players";

const data = pageData<{ players: PlayerKind[]; default: string }>();

for (const seat of byId("new-match").querySelectorAll<HTMLElement>("[data-seat]")) {
  const kind = seat.querySelector("select")!;
  const url = seat.querySelector<HTMLElement>(".url-field")!;
  const fields = seat.querySelector<HTMLElement>(".player-fields")!;
  const spec = fields.querySelector("input")!;
  spec.type = "hidden";
  fields.replaceChildren(spec, playerFields(data.players, spec));
  const show = (): void => {
    url.hidden = kind.value !== "url";
    fields.hidden = kind.value !== "player";
    url.querySelector("input")!.required = kind.value === "url";
  };
  kind.addEventListener("change", show);
  show();
}
