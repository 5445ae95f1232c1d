// Plays a match to its end by clicks alone: on possible places, in menus, in the list for moves without a place.
async ({ turns, seed }) => {
  let value = seed;
  const draw = (count) => {
    value = (value * 1103515245 + 12345) % 2147483648;
    return Math.floor((value / 2147483648) * count);
  };
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const status = () => document.getElementById("status").textContent;
  const mark = () => document.getElementById("turns").textContent + status() + document.querySelectorAll(".place.selected").length;
  const click = (element) => {
    const box = element.getBoundingClientRect();
    const at = { bubbles: true, button: 0, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    element.dispatchEvent(new PointerEvent("pointerdown", at));
    window.dispatchEvent(new PointerEvent("pointerup", at));
  };
  const used = { board: 0, menu: 0, list: 0 };
  let waited = 0;
  for (let made = 0; made < turns; ) {
    if (status().startsWith("The match is over")) return { ...used, status: status() };
    const menu = [...document.querySelectorAll(".menu button")];
    const open = [...document.querySelectorAll(".place.open")];
    const free = document.getElementById("moves-card").hidden ? [] : [...document.querySelectorAll(".move-list .free")];
    const before = mark();
    const choices = open.length + free.length;
    if (!menu.length && !choices) {
      await pause(15);
      if ((waited += 15) > 20000) return { ...used, status: `stuck: ${status()}` };
      continue;
    }
    if (menu.length) {
      used.menu++;
      menu[draw(menu.length)].click();
    } else {
      const at = draw(choices);
      used[at < open.length ? "board" : "list"]++;
      if (at < open.length) click(open[at]);
      else free[at - open.length].click();
    }
    made++;
    waited = 0;
    for (let i = 0; i < 400 && mark() === before && !document.querySelector(".menu"); i++) await pause(5);
  }
  return { ...used, status: status() };
};
