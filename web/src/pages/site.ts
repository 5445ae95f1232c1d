// On every page: the button for light or dark colours.
import { byId } from "../shared/dom";
import { icon } from "../shared/icons";

const root = document.documentElement;
const button = byId("theme");

function show(): void {
  const isDark = root.dataset["theme"] === "dark";
  button.replaceChildren(icon(isDark ? "sun" : "moon"));
  button.setAttribute("aria-label", isDark ? "Use light colours" : "Use dark colours");
}

button.addEventListener("click", () => {
  const theme = root.dataset["theme"] === "dark" ? "light" : "dark";
  root.dataset["theme"] = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice holds for this page alone.
  }
  show();
});
show();
