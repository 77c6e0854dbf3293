/* A replay by keyboard, and without loading the whole page: the arrows step, Home and End go to its ends. */
(function () {
  "use strict";

  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

  async function go(address) {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) return window.location.assign(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("replay");
    const here = document.getElementById("replay");
    if (!next || !here) return window.location.assign(address);
    const name = focusedStep();
    here.replaceWith(next);
    history.replaceState(null, "", address);
    const again = name && next.querySelector(`[${name}]`);
    if (again) again.focus({ preventScroll: true });
    announce(next.querySelector(".replay-last").textContent);
  }

  function focusedStep() {
    const names = Object.values(KEYS).map((key) => `data-replay-${key}`);
    return names.find((name) => document.activeElement && document.activeElement.hasAttribute(name));
  }

  function announce(text) {
    if (window.concertmaster) window.concertmaster.announce(text);
  }

  document.addEventListener("keydown", function (event) {
    const key = KEYS[event.key];
    if (!key || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) return;
    const link = document.querySelector(`[data-replay-${key}]`);
    if (!link) return;
    event.preventDefault();
    go(link.href);
  });

  document.addEventListener("click", function (event) {
    const link = event.target.closest ? event.target.closest("#replay nav a, .replay-actions a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href);
  });
})();
