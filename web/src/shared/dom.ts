// Elements made by code. Texts become text nodes: nothing from rules or names is ever read as HTML.

export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

function fill<E extends Element>(element: E, attributes: Record<string, Value>, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Make an HTML element; attributes that are functions become listeners (`onclick`). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Return the element with this id; it must be on the page. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found as E;
}

/** Return the values that the server put into the page. */
export function pageData<T>(): T {
  return JSON.parse(byId("data").textContent ?? "null") as T;
}

/** Return the nonce for style sheets that a script makes. */
export function nonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=nonce]")?.content ?? "";
}

/** Say something to screen readers, politely; one live region for the whole page. */
export function announce(text: string): void {
  let region = document.getElementById("announcer");
  if (!region) {
    region = h("div", { id: "announcer", class: "unseen", role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  // The same text twice is a change only if the node is another one.
  region.replaceChildren(h("span", {}, text));
}

/** Scroll a list so that one of its parts is seen; the page stays where it is. */
export function scrollWithin(list: HTMLElement, part: Element | null | undefined): void {
  if (!part) return;
  const [outer, inner] = [list.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** Fill a list anew; the button that has the keyboard keeps it, and one that is being pressed is not taken away. */
export function refill(list: HTMLElement, rows: Node[]): void {
  if (list.querySelector("button:active")) return;
  const at = [...list.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
  list.replaceChildren(...rows);
  if (at >= 0) list.querySelectorAll("button")[at]?.focus({ preventScroll: true });
}
