/* The clock of the room: <div data-clock data-ends="seconds" data-now="seconds"> with <b data-digits>. It counts by the
   server's time, which stood in data-now when the part was drawn. Parts within [data-turns] are shown in turn, so many
   seconds each; which one it is survives that the content is fetched again. */
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

  function turn(group) {
    const parts = Array.from(group.querySelectorAll(".turn"));
    if (parts.length < 2) return;
    const every = Math.max(2, Number(group.dataset.turns) || 10);
    const now = Math.floor(Date.now() / 1000 / every) % parts.length;
    parts.forEach((part, index) => (part.hidden = index !== now));
  }

  function tick() {
    document.querySelectorAll("[data-clock]").forEach(show);
    document.querySelectorAll("[data-turns]").forEach(turn);
  }

  document.addEventListener("live:changed", tick);
  window.setInterval(tick, 500);
  tick();
})();
