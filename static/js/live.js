/* Parts that keep themselves up to date: <div data-live="/address/?version=12" data-live-every="5">.
   The address answers 204 while nothing changed, or 200 with the new content; a header X-Live-Url gives the next
   address, X-Live-Announce (percent-encoded) the words for readers. Asked only while the page is seen; slower when
   the network fails. */
(function () {
  "use strict";

  const SLOWEST = 60;

  function isInUse(part) {
    const active = document.activeElement;
    const typing = active && part.contains(active) && active.matches("input, select, textarea");
    return typing || part.querySelector("details[open], dialog[open]") !== null;
  }

  /* Finds again, in the new content, what had the focus in the old. */
  function focusedThing(part) {
    const active = document.activeElement;
    if (!active || active === part || !part.contains(active)) return null;
    if (active.id) return "#" + CSS.escape(active.id);
    const href = active.getAttribute("href");
    return href ? '[href="' + CSS.escape(href) + '"]' : null;
  }

  function swap(part, answer, html) {
    const next = answer.headers.get("X-Live-Url");
    const words = answer.headers.get("X-Live-Announce");
    const focused = focusedThing(part);
    part.innerHTML = html;
    const again = focused && part.querySelector(focused);
    if (again) again.focus({ preventScroll: true });
    if (next) part.dataset.live = next;
    if (window.htmx) window.htmx.process(part);
    if (words && window.concertmaster) window.concertmaster.announce(decodeURIComponent(words));
    part.dispatchEvent(new CustomEvent("live:changed", { bubbles: true }));
  }

  /* Whether the answer was good: a part in use waits for its next turn rather than losing the visitor's place. */
  async function ask(part) {
    if (isInUse(part)) return true;
    const answer = await fetch(part.dataset.live, {
      headers: { "X-Requested-With": "live" },
      credentials: "same-origin",
    });
    if (answer.status === 204) return true;
    if (!answer.ok || answer.redirected) return false;
    const html = await answer.text();
    if (!isInUse(part)) swap(part, answer, html);
    return true;
  }

  function watch(part) {
    const every = Math.max(1, Number(part.dataset.liveEvery) || 5);
    let pause = every;
    let isAsking = false;
    async function turn() {
      if (!part.isConnected || isAsking) return;
      isAsking = true;
      if (document.visibilityState === "visible" && navigator.onLine) {
        let good = false;
        try {
          good = await ask(part);
        } catch (error) {
          good = false;
        }
        pause = good ? every : Math.min(SLOWEST, pause * 2);
      }
      isAsking = false;
      part.liveTimer = window.setTimeout(turn, pause * 1000);
    }
    part.liveTurn = function () {
      window.clearTimeout(part.liveTimer);
      pause = every;
      turn();
    };
    part.liveTimer = window.setTimeout(turn, every * 1000);
  }

  function start(root) {
    root.querySelectorAll("[data-live]").forEach(function (part) {
      if (!part.liveTurn) watch(part);
    });
  }

  function wake() {
    if (document.visibilityState !== "visible") return;
    document.querySelectorAll("[data-live]").forEach(function (part) {
      if (part.liveTurn) part.liveTurn();
    });
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  document.addEventListener("htmx:load", function () {
    start(document);
  });
  document.addEventListener("live:changed", function (event) {
    start(event.target);
  });
  start(document);
})();
