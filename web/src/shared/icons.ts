// Icons as paths on a square of 24, so that no font is needed.
import { s } from "./dom";

const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5l12 7.5-12 7.5z",
  step: "M5 5l9 7-9 7zM19 5v14",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3",
  branch: "M6 4v16M6 14c0-5 4-5 8-5h3M14 5l4 4-4 4",
  flip: "M8 4v15M4 8l4-4 4 4M16 20V5M12 16l4 4 4-4",
  hints: "M12 9a3 3 0 100 6 3 3 0 000-6zM12 4a8 8 0 100 16 8 8 0 000-16z",
  animation: "M3 8h9M3 12h6M3 16h9M16 7a5 5 0 110 10 5 5 0 010-10z",
  help: "M9 9a3 3 0 115 2.2c-1.2 1-2 1.5-2 3.3M12 18.5v.5",
  close: "M6 6l12 12M18 6L6 18",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14.5A8 8 0 019.5 4a8 8 0 1010.5 10.5z",
};

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const path = s("path", { d: PATHS[name], fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linejoin": "round", "stroke-linecap": "round" });
  return s("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", focusable: "false" }, path);
}

/** Put icons into buttons by their ids; each button has a label of its own. */
export function setIcons(icons: Record<string, IconName>): void {
  for (const [id, name] of Object.entries(icons)) document.getElementById(id)?.replaceChildren(icon(name));
}
