// Tabs by the usual keyboard pattern: arrow keys choose, the panel of the chosen tab is shown.

/** Make the buttons of a tablist work; return a function that chooses a tab by its id. */
export function tabs(list: HTMLElement): (id: string) => void {
  const buttons = [...list.querySelectorAll<HTMLButtonElement>("[role=tab]")];

  function choose(chosen: HTMLButtonElement): void {
    for (const button of buttons) {
      const isChosen = button === chosen;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(button.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isChosen;
    }
  }

  buttons.forEach((button, index) => {
    button.addEventListener("click", () => choose(button));
    button.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = step ? buttons[(index + step + buttons.length) % buttons.length] : undefined;
      if (!next) return;
      event.preventDefault();
      choose(next);
      next.focus();
    });
  });
  return (id) => {
    const found = buttons.find((button) => button.id === id);
    if (found) choose(found);
  };
}
