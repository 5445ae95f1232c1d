// A tournament while it runs: standings, ratings and cells fill in by themselves.
import { byId, h, pageData } from "../shared/dom";

const EVERY_MS = 2000;

interface News {
  mark: string;
  name: string;
  matches: number;
  known: number;
  isRunning: boolean;
  ratings: { name: string; points: number; low: number; high: number; matches: number }[];
  tables: { title: string; heads: string[]; rows: string[][]; note: string; isCross: boolean }[];
  last: { key: string | null; game: string; seats: { role: string; player: string; goal: number | null }[]; turns: number; reason: string }[];
}

const here = location.pathname;
let mark = "";
/** What each cell of the cross table said: those that changed are marked. */
let cells = new Map<string, string>();

function show(news: News): void {
  mark = news.mark;
  const share = news.known ? news.matches / news.known : 0;
  byId("status").textContent = `${news.matches.toLocaleString("en")} of ${news.known.toLocaleString("en")} matches (${Math.round(100 * share)} %)`;
  byId<HTMLProgressElement>("progress").value = share;
  showRunning(news.isRunning);
  showRatings(news);
  showTables(news);
  byId("last").replaceChildren(
    h("thead", {}, h("tr", {}, ...["Game", "Seats", "Turns", "End", "Replay"].map((text) => heading(text)))),
    h(
      "tbody",
      {},
      ...news.last.map((one) =>
        h(
          "tr",
          {},
          h("td", {}, one.game),
          h("td", {}, one.seats.map((seat) => `${seat.role}: ${seat.player} ${seat.goal ?? "–"}`).join(", ")),
          h("td", { class: "number" }, one.turns),
          h("td", {}, one.reason),
          h("td", {}, one.key === null ? null : h("a", { href: `${here}/match/${one.key.split("/").map(encodeURIComponent).join("/")}` }, "Watch")),
        ),
      ),
    ),
  );
}

function showRunning(isRunning: boolean): void {
  byId("running").textContent = isRunning ? "running" : "not running";
}

function showRatings(news: News): void {
  byId("ratings-card").hidden = news.ratings.length === 0;
  const low = Math.min(...news.ratings.map((one) => one.low), -1);
  const high = Math.max(...news.ratings.map((one) => one.high), 1);
  const at = (points: number): string => `${(100 * (points - low)) / (high - low)}%`;
  byId("ratings").replaceChildren(
    h("thead", {}, h("tr", {}, heading("Player"), heading("Points", true), heading("Interval"), heading(""), heading("Matches", true))),
    h(
      "tbody",
      {},
      ...news.ratings.map((one) => {
        const dot = h("b", {});
        dot.style.left = at(one.points);
        const span = h("i", {});
        span.style.left = at(one.low);
        span.style.width = `${(100 * (one.high - one.low)) / (high - low)}%`;
        return h(
          "tr",
          {},
          h("td", {}, one.name),
          h("td", { class: "number" }, signed(one.points)),
          h("td", {}, `[${signed(one.low)}, ${signed(one.high)}]`),
          h("td", {}, h("span", { class: "interval", "aria-hidden": "true" }, span, dot)),
          h("td", { class: "number" }, one.matches),
        );
      }),
    ),
  );
}

function showTables(news: News): void {
  const fresh = new Map<string, string>();
  byId("tables").replaceChildren(
    ...news.tables.map((table) => {
      const rows = table.rows.map((row) =>
        h(
          "tr",
          {},
          ...row.map((text, i) => {
            const key = `${table.title}/${row[0]}/${table.heads[i]}`;
            fresh.set(key, text);
            const cell = i === 0 ? h("th", { scope: "row" }, text) : h("td", { class: isNumber(text) ? "number" : null }, text);
            if (table.isCross && i > 0) colour(cell, text);
            if (table.isCross && cells.size > 0 && cells.get(key) !== text) cell.classList.add("fresh");
            return cell;
          }),
        ),
      );
      const body = h("table", { class: table.isCross ? "cross" : null }, h("thead", {}, h("tr", {}, ...table.heads.map((head, i) => heading(head, i > 0 && table.rows.every((row) => isNumber(row[i] ?? "")))))), h("tbody", {}, ...rows));
      const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title }, body);
      const inner = table.rows.length > 30 ? h("details", {}, h("summary", {}, `${table.rows.length} rows`), scroll) : scroll;
      return h("div", { class: "card" }, h("h2", {}, table.title), inner, table.note ? h("p", { class: "soft small" }, table.note) : null);
    }),
  );
  cells = fresh;
}

/** Blue above one half, orange below; the number is there as well. */
function colour(cell: HTMLElement, text: string): void {
  const value = Number(text);
  if (text === "" || Number.isNaN(value)) return;
  const share = Math.abs(value - 50) / 50;
  const tone = value >= 50 ? "86 180 233" : "230 159 0";
  cell.style.background = `rgb(${tone} / ${Math.round(40 * share)}%)`;
}

/** The head of a column; one without a name is no head. */
function heading(text: string, isNumeric = false): HTMLElement {
  return text ? h("th", { scope: "col", class: isNumeric ? "number" : null }, text) : h("td", {});
}

function isNumber(text: string): boolean {
  return /^[+-]?[\d.]+$/.test(text);
}

function signed(points: number): string {
  return `${points >= 0 ? "+" : "−"}${Math.abs(Math.round(points))}`;
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch(`${here}/news?mark=${encodeURIComponent(mark)}`);
    const news = (await answer.json()) as Partial<News> & { problem?: string };
    byId("problem").hidden = news.problem === undefined;
    if (news.problem !== undefined) byId("problem").textContent = news.problem;
    else if (news.mark) show(news as News);
    else showRunning(news.isRunning ?? false);
  } catch {
    byId("running").textContent = "the server is away";
  }
  // Nobody looks at a hidden page.
  window.setTimeout(() => void ask(), document.hidden ? 4 * EVERY_MS : EVERY_MS);
}

show(pageData<News>());
window.setTimeout(() => void ask(), EVERY_MS);
