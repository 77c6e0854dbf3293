/* A list of items by keyboard: within it J goes to the next item, K to the one before: to its button with data-stop,
   or to its name. Letters do this only while the focus is in the list, so they stand in nobody's way. After a press the
   address names the list, and its first button has the focus again. */
(function () {
  "use strict";

  function stopOf(item) {
    return item.querySelector("[data-stop]") || item.querySelector(".what a");
  }

  function step(list, from, by) {
    const items = Array.from(list.closest("[data-live], main").querySelectorAll(".desk-items > li"));
    const next = items[items.indexOf(from.closest("li")) + by];
    if (next) stopOf(next).focus();
  }

  function goOn() {
    const part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const first = part && part.querySelector(".desk-items > li [data-stop]");
    if (first) first.focus();
  }

  document.addEventListener("keydown", function (event) {
    const list = event.target.closest ? event.target.closest(".desk-items") : null;
    if (!list || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input:not([type=hidden]), select, textarea")) return;
    const by = { j: 1, k: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(list, event.target, by);
  });

  // Until the page is loaded the browser gives the focus to what the address names.
  window.addEventListener("load", goOn);
})();
