// Choosing a built-in player and its settings.
import { h } from "./dom";

export interface PlayerKind {
  name: string;
  summary: string;
  options: { name: string; help: string }[];
}

/** Make fields for a player's specification, such as `uct:c=0.7`; the value is kept in `input`. */
export function playerFields(players: PlayerKind[], input: HTMLInputElement): HTMLElement {
  const [start, rest] = split(input.value);
  const select = h(
    "select",
    {},
    ...players.map((kind) => h("option", { value: kind.name, selected: kind.name === start }, kind.name)),
  );
  const summary = h("p", { class: "soft small" });
  const options = h("div", { class: "options" });
  const values = new Map(rest);
  const details = h("details", {}, h("summary", {}, "Settings"), options);
  const update = (): void => {
    const kind = players.find((one) => one.name === select.value);
    const given = [...values].filter(([name, value]) => value && kind?.options.some((one) => one.name === name));
    input.value = given.length ? `${select.value}:${given.map(([name, value]) => `${name}=${value}`).join(",")}` : select.value;
  };
  const show = (): void => {
    const kind = players.find((one) => one.name === select.value);
    summary.textContent = kind?.summary ?? "";
    options.replaceChildren(
      ...(kind?.options ?? []).map((option) =>
        h(
          "label",
          {},
          `${option.name}: ${option.help}`,
          h("input", {
            type: "text",
            value: values.get(option.name) ?? "",
            placeholder: "as usual",
            autocomplete: "off",
            oninput: (event: Event) => {
              values.set(option.name, (event.target as HTMLInputElement).value.trim());
              update();
            },
          }),
        ),
      ),
    );
    details.hidden = !kind?.options.length;
    update();
  };
  select.addEventListener("change", show);
  show();
  return h("div", { class: "stack player-choice" }, h("label", {}, "Player", select), summary, details);
}

function split(spec: string): [string, [string, string][]] {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const pairs = rest.split(",").filter(Boolean);
  return [name ?? "", pairs.map((one) => [one.split("=")[0]!.trim(), one.split("=").slice(1).join("=").trim()])];
}
