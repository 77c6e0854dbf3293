/* The desk's list by keyboard: within it J goes to the next matter, K to the one before. Letters do this only while the
   focus is in the list, so they stand in nobody's way. */
(function () {
  "use strict";

  function step(list, from, by) {
    const links = Array.from(list.closest("[data-live], main").querySelectorAll(".matters .what a"));
    const here = links.indexOf(from.closest("li").querySelector(".what a"));
    const next = links[here + by];
    if (next) next.focus();
  }

  document.addEventListener("keydown", function (event) {
    const list = event.target.closest ? event.target.closest(".matters") : null;
    if (!list || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input:not([type=hidden]), select, textarea")) return;
    const by = { j: 1, k: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(list, event.target, by);
  });
})();
