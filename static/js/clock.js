/* The clock of the room: <div data-clock data-ends="seconds" data-now="seconds"> with <b data-digits>. It counts by the
   server's time, which stood in data-now when the part was drawn. Parts within [data-turns] are shown in turn, so many
   seconds each; which one it is survives that the content is fetched again. A list within a part that has more columns
   than fit ([data-columns]) takes a turn for each screenful. */
(function () {
  "use strict";

  const LONGEST_OVER = 99 * 60 + 59;

  function digits(left) {
    const seconds = Math.abs(Math.max(left, -LONGEST_OVER));
    const rest = String(seconds % 60).padStart(2, "0");
    return (left < 0 ? "+" : "") + Math.floor(seconds / 60) + ":" + rest;
  }

  function show(clock) {
    if (!clock.drawnAt) clock.drawnAt = performance.now();
    const gone = (performance.now() - clock.drawnAt) / 1000;
    const left = Math.floor(Number(clock.dataset.ends) - Number(clock.dataset.now) - gone);
    const shown = clock.querySelector("[data-digits]");
    if (shown) shown.textContent = digits(left);
    const isOver = left <= 0;
    clock.classList.toggle("over", isOver);
    clock.querySelectorAll("[data-before]").forEach((each) => (each.hidden = isOver));
    clock.querySelectorAll("[data-after]").forEach((each) => (each.hidden = !isOver));
  }

  /* How far a list moves for its next columns. */
  function step(list) {
    return list.clientWidth + (parseFloat(getComputedStyle(list).columnGap) || 0);
  }

  /* How many turns each part needs: as many as its longest list has screenfuls. Measured once for a size of window. */
  function measure(parts) {
    const size = window.innerWidth + "x" + window.innerHeight;
    if (parts.every((part) => part.measuredAt === size)) return;
    parts.forEach(function (part) {
      parts.forEach((each) => (each.hidden = each !== part));
      const lists = Array.from(part.querySelectorAll("[data-columns]"));
      part.screenfuls = Math.max(1, ...lists.map((list) => Math.ceil((list.scrollWidth - 1) / step(list))));
      part.measuredAt = size;
    });
  }

  function turn(group) {
    const parts = Array.from(group.querySelectorAll(".turn"));
    measure(parts);
    const turns = parts.flatMap((part) => Array.from({ length: part.screenfuls }, (_each, page) => ({ part, page })));
    if (!turns.length) return;
    const every = Math.max(2, Number(group.dataset.turns) || 10);
    const now = turns[Math.floor(Date.now() / 1000 / every) % turns.length];
    parts.forEach((part) => (part.hidden = part !== now.part));
    now.part.querySelectorAll("[data-columns]").forEach((list) => (list.scrollLeft = now.page * step(list)));
    now.part.querySelectorAll("[data-page]").forEach((mark) => {
      const of = now.part.screenfuls;
      mark.textContent = of > 1 ? now.page + 1 + "/" + of : "";
    });
  }

  function tick() {
    document.querySelectorAll("[data-clock]").forEach(show);
    document.querySelectorAll("[data-turns]").forEach(turn);
  }

  document.addEventListener("live:changed", tick);
  window.setInterval(tick, 500);
  tick();
})();
