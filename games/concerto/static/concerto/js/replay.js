/* A replay by keyboard, and without loading the whole page: the arrows step, Home and End go to its ends. */
(function () {
  "use strict";

  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const CONTROLS = "nav a, .replay-actions a, select, summary";

  async function go(address) {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) return window.location.assign(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("replay");
    const here = document.getElementById("replay");
    if (!next || !here) return window.location.assign(address);
    const again = sameIn(next, here);
    keepOpen(next, here);
    here.replaceWith(next);
    // What waits for an analysis goes on asking.
    if (window.htmx) window.htmx.process(next);
    history.replaceState(null, "", address);
    if (again) again.focus({ preventScroll: true });
    announce(next.querySelector(".moment").textContent);
  }

  /* The control of the new part that stands where the one with the focus stood in the old one. */
  function sameIn(next, here) {
    const active = document.activeElement;
    if (!here.contains(active)) return null;
    const group = active.closest("nav, ol, form, details");
    const groups = (part) => [...part.querySelectorAll("nav, ol, form, details")].filter((each) => each.className === group.className);
    if (!group || !groups(next).length) return null;
    const place = [...group.querySelectorAll(CONTROLS)].indexOf(active);
    const other = groups(next)[groups(here).indexOf(group)] || groups(next)[0];
    const controls = [...other.querySelectorAll(CONTROLS)];
    return controls[Math.min(place, controls.length - 1)] || null;
  }

  /* What was unfolded stays so. */
  function keepOpen(next, here) {
    const old = [...here.querySelectorAll("details")];
    for (const each of next.querySelectorAll("details")) {
      const same = old.filter((one) => one.className === each.className);
      const rank = [...next.querySelectorAll("details")].filter((one) => one.className === each.className).indexOf(each);
      each.open = Boolean(same[rank] && same[rank].open);
    }
  }

  function announce(text) {
    if (window.concertmaster) window.concertmaster.announce(text);
  }

  document.addEventListener("keydown", function (event) {
    const key = KEYS[event.key];
    if (!key || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) return;
    const link = document.querySelector(`[data-replay-${key}]`);
    if (!link || !link.href) return;
    event.preventDefault();
    go(link.href);
  });

  document.addEventListener("click", function (event) {
    const link = event.target.closest ? event.target.closest("#replay nav a, .replay-actions a") : null;
    if (!link || !link.href || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href);
  });

  document.addEventListener("submit", function (event) {
    if (!event.target.matches("#replay form[data-submit-on-change]")) return;
    event.preventDefault();
    go(`${event.target.action.split("#")[0]}?${new URLSearchParams(new FormData(event.target))}#replay`);
  });
})();
