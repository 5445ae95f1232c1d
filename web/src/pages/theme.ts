// Runs before the page is drawn: the chosen colours, so that nothing flashes.
(() => {
  let theme: string | null = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // No storage: what the system prefers.
  }
  document.documentElement.dataset["theme"] = theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
})();
