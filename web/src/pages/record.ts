// Replay of a record: the board, the players, what they expected and thought.
import { Graph } from "../analysis/graph";
import { score } from "../analysis/format";
import { showValues } from "../analysis/values";
import { byId, h, pageData, scrollWithin } from "../shared/dom";
import { setIcons } from "../shared/icons";
import { RecordPlayer, type Recorded } from "../shared/player";
import { turnText } from "../shared/position";

interface Story extends Recorded {
  game: string;
  title: string;
  players: Record<string, string>;
  start: string[] | null;
  errors: string[][];
  seconds: number[][];
  values: Record<string, number>[];
  lines: Record<string, string[]>[];
  reason: string;
  scores: Record<string, number> | null;
}

const story = pageData<Story>();
const roles = story.scene.roles.filter((role) => role.name.toLowerCase() !== "random");
const player = new RecordPlayer(story, story.title);
const graph = new Graph(byId("graph"), roles, (index) => player.go(index));
const hasValues = story.values.some((one) => Object.keys(one).length > 0);

function values(at: number): Record<string, number> {
  if (at === story.moves.length && story.scores) return story.scores;
  return story.values[at] ?? {};
}

function show(at: number): void {
  const now = values(at);
  const isEnd = at === story.moves.length && story.scores !== null;
  byId("values").hidden = !hasValues && !isEnd;
  showValues(byId("values"), roles.map((role) => ({ role: role.name, value: now[role.name] ?? null, interval: null, isProven: isEnd })), roles);
  graph.setAt(at);
  for (const button of byId("turns").querySelectorAll("button")) button.removeAttribute("aria-current");
  const current = byId("turns").querySelectorAll("button")[at - 1];
  current?.setAttribute("aria-current", "step");
  scrollWithin(byId("turns"), current);
  const lines = at > 0 ? story.lines[at - 1] ?? {} : {};
  byId("thoughts").hidden = Object.keys(lines).length === 0;
  byId("lines").replaceChildren(...Object.entries(lines).flatMap(([role, mine]) => [h("strong", {}, role), ...mine.map((line) => h("pre", {}, line))]));
  const query = new URLSearchParams({ moves: story.moves.map((joint) => joint.join(",")).join(";"), at: String(at) });
  byId<HTMLAnchorElement>("analyse").href = `/analysis?game=${encodeURIComponent(story.game)}#${query}`;
}

byId("players").replaceChildren(
  ...roles.flatMap((role) => [
    h("dt", {}, h("span", { class: "dot" }), " ", role.name),
    h("dd", {}, story.players[role.name] ?? "?", story.scores ? h("strong", {}, ` ${score(story.scores[role.name] ?? 0)}`) : null),
  ]),
);
byId("players").querySelectorAll<HTMLElement>(".dot").forEach((dot, i) => (dot.style.background = roles[i]!.colour));
byId("turns").replaceChildren(
  ...story.moves.map((joint, i) => {
    const codes = (story.errors[i] ?? []).filter(Boolean);
    return h(
      "li",
      {},
      h("button", { type: "button", class: "turn", onclick: () => player.go(i + 1) }, h("span", { class: "soft" }, `${i + 1}. `), turnText(joint, story.roles)),
      codes.length ? h("span", { class: "loss blunder", title: "error of a player" }, codes.join(" ")) : null,
    );
  }),
);
graph.cut(story.moves.length, story.moves.length);
if (hasValues) story.positions.forEach((_, i) => Object.keys(values(i)).length && graph.set(i, values(i)));
else byId("graph").closest<HTMLElement>(".card")!.hidden = true;
player.onTurn = show;
show(0);
setIcons({ first: "first", previous: "back", next: "forward", last: "last", flip: "flip" });
