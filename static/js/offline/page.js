/* On every page: has the device keep what may be kept, sends what waits, and says plainly what became of it. */
(function () {
  "use strict";

  const RETRY = 20000;
  const OWN_MATCH = /^\/matches\/\d+\/(scoresheet\/)?$/;
  const box = document.getElementById("offline");
  const outbox = window.concertmasterOutbox;
  if (!box || !outbox) return;
  const texts = box.dataset;
  // The page for want of a connection is nobody's: there it is not known who sits here.
  const isNobodys = texts.person === "?";
  const person = Number(texts.person) || null;
  // What became of sheets is said as long as the page is open.
  const arrived = new Map();
  let timer = 0;

  /* --- Words ---------------------------------------------------------------------------------------------------- */

  function notice(tone, words, ...actions) {
    const made = document.createElement("div");
    made.className = `notice ${tone}`;
    for (const sentence of words.filter(Boolean)) {
      const line = document.createElement("p");
      line.textContent = sentence;
      made.append(line);
    }
    const row = document.createElement("div");
    row.className = "actions";
    row.append(...actions.filter(Boolean));
    if (row.children.length) made.append(row);
    return made;
  }

  function link(words, address) {
    if (!address || !address.startsWith("/")) return null;
    const made = document.createElement("a");
    made.className = "button compact";
    made.href = address;
    made.textContent = words;
    return made;
  }

  function button(words, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "secondary compact";
    made.textContent = words;
    made.addEventListener("click", act);
    return made;
  }

  function keptNotice() {
    const since = document.body.dataset.keptAt;
    if (!since) return [];
    const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const words = texts.keptText.replace("{}", format.format(new Date(since)));
    return [notice("attention", [words], button(texts.reloadText, () => window.location.reload()))];
  }

  function about(entry) {
    const mine = entry.person === person;
    const title = mine ? entry.title : texts.anythingText;
    const say = (words) => words.replace("{}", title);
    if (entry.state === "sent") {
      return notice("good", [entry.title, entry.message], window.location.pathname === entry.next ? null : link(texts.matchText, entry.next));
    }
    const forget = mine ? button(texts.forgetText, () => outbox.remove(entry.id).then(show)) : null;
    if (entry.state === "waiting") {
      return notice("attention", [say(texts.waitingText)], button(texts.tryText, deliver), forget);
    }
    if (entry.state === "login") {
      const back = encodeURIComponent(mine ? entry.next || "/my/" : "/my/");
      return notice("attention", [say(texts.loggedOutText)], link(texts.loginText, `${texts.login}?next=${back}`));
    }
    return notice("error", [say(texts.refusedText), entry.message, texts.lostText], link(texts.lookText, entry.next), forget);
  }

  /* Somebody else's sheets are nobody else's business; while nobody is logged in, their owner is asked to come back. */
  function concerns(entry) {
    if (entry.person === person) return true;
    return !person && (entry.state === "waiting" || entry.state === "login");
  }

  /* The sheet that is being entered here has been sent: its match says so. */
  function isEntryPageOf(entry) {
    return entry.next !== window.location.pathname && window.location.pathname.startsWith(entry.next);
  }

  async function show() {
    const entries = (await outbox.all().catch(() => [])).filter(concerns);
    const gone = entries.find((entry) => entry.state === "sent" && isEntryPageOf(entry));
    if (gone) return window.location.assign(gone.next);
    for (const entry of entries.filter(({ state }) => state === "sent")) {
      arrived.set(entry.id, entry);
      await settle(entry);
    }
    const waiting = entries.filter(({ state }) => state !== "sent");
    const notices = [...keptNotice(), ...[...arrived.values(), ...waiting].map(about)];
    box.replaceChildren(...notices);
    box.hidden = !notices.length;
    window.clearTimeout(timer);
    if (entries.some((entry) => entry.state === "waiting")) timer = window.setTimeout(deliver, RETRY);
  }

  /* What was sent is no draft any more, unless it was changed since. */
  async function settle(entry) {
    await outbox.remove(entry.id);
    try {
      const kept = JSON.parse(localStorage.getItem(entry.storage));
      if (kept && kept.draft.page.edited > entry.at) return;
      for (const key of Object.keys(localStorage)) {
        if (key === entry.storage || key.startsWith(`${entry.storage}:`)) localStorage.removeItem(key);
      }
    } catch (error) {
      /* Then nothing was kept there either. */
    }
  }

  /* --- Sending -------------------------------------------------------------------------------------------------- */

  async function deliver() {
    await outbox.deliver(texts.session).catch(() => false);
    await show();
  }

  /* Keeps the entry, then sends it; what it then says: {state, message, next}. The device goes on by itself. */
  async function send(entry) {
    const before = (await outbox.all()).filter((other) => other.url === entry.url && other.person === person);
    await Promise.all(before.filter(({ id }) => id !== entry.id).map(({ id }) => outbox.remove(id)));
    await outbox.put({ ...entry, person, state: "waiting", message: "", at: Date.now() });
    askForSync();
    await outbox.deliver(texts.session).catch(() => false);
    const found = (await outbox.all()).find(({ id }) => id === entry.id) || entry;
    if (found.state !== "sent") await show();
    return found;
  }

  async function askForSync() {
    try {
      const registration = await navigator.serviceWorker.getRegistration();
      if (registration && registration.sync) await registration.sync.register("outbox");
    } catch (error) {
      /* The pages send it themselves, then. */
    }
  }

  /* --- Keeping -------------------------------------------------------------------------------------------------- */

  async function startWorker() {
    if (!navigator.serviceWorker) return;
    try {
      const wasThere = Boolean(navigator.serviceWorker.controller);
      await navigator.serviceWorker.register(texts.worker, { scope: "/", updateViaCache: "none" });
      const { active } = await navigator.serviceWorker.ready;
      if (isNobodys || document.body.dataset.keptAt) return;
      const here = window.location.pathname;
      const paths = [...document.querySelectorAll("main a[href]")].map((anchor) => anchor.pathname);
      const own = here === "/my/" ? [...new Set(paths.filter((path) => OWN_MATCH.test(path)))] : [];
      // The page that brought the worker went past it.
      active.postMessage({ person: String(person || 0), keepAhead: wasThere ? own : [here, ...own] });
    } catch (error) {
      /* Without a worker the site needs a connection, as any other. */
    }
  }

  /* --- Leaving -------------------------------------------------------------------------------------------------- */

  const DRAFT = /^scoresheet:(\d+):\d+$/;

  /* The sheets begun on this device by the people that `isMeant` says. */
  function drafts(isMeant) {
    return Object.keys(localStorage).filter((key) => DRAFT.test(key) && isMeant(Number(DRAFT.exec(key)[1])));
  }

  /* Whether the server has the draft as it is. */
  function isSaved(key) {
    const kept = JSON.parse(localStorage.getItem(key));
    if (!kept || !kept.draft) return true;
    return (Number(kept.saved) || 0) === (Number(kept.draft.page && kept.draft.page.edited) || 0);
  }

  function drop(draft) {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) {
        if (key === draft || key.startsWith(`${draft}:`)) storage.removeItem(key);
      }
    }
  }

  /* Sheets of somebody who is not logged in here any more, and that the server has, stay on no shared device. */
  function dropOthers() {
    if (isNobodys) return;
    try {
      drafts((whose) => whose !== person).filter(isSaved).forEach(drop);
    } catch (error) {
      /* A device that keeps nothing has nothing to drop. */
    }
  }

  /* With the button pressed this device forgets what it kept, whether or not the network is there; what has not
     reached the server yet only after asking. */
  async function forgetOnLeaving(event) {
    const form = event.target;
    const isLogout = form.action && new URL(form.action, window.location).pathname === texts.logout;
    if (!isLogout) return;
    event.preventDefault();
    const waiting = (await outbox.all().catch(() => [])).filter((entry) => entry.person === person);
    let own = [];
    let isUnsent = waiting.some(({ state }) => state !== "sent");
    try {
      own = drafts((whose) => whose === person);
      isUnsent = isUnsent || !own.every(isSaved);
    } catch (error) {
      /* Nothing was kept, then. */
    }
    if (isUnsent && !window.confirm(texts.leaveText)) return;
    await Promise.all(waiting.map(({ id }) => outbox.remove(id))).catch(() => {});
    own.forEach(drop);
    if (window.caches) await caches.delete("pages").catch(() => {});
    form.submit();
  }

  /* A page that the browser took up again from its memory may be of somebody who has logged out since. */
  async function checkWhoseThisIs(event) {
    if (!event.persisted || isNobodys) return;
    const here = await outbox.session(texts.session).catch(() => null);
    if (here && (here.person || null) !== person) window.location.reload();
  }

  async function listKept() {
    const section = document.querySelector("[data-kept-pages]");
    if (!section || !window.caches) return;
    const cache = await caches.open("pages");
    for (const key of await cache.keys()) {
      const html = await (await cache.match(key)).text();
      const title = new DOMParser().parseFromString(html, "text/html").title;
      if (!title) continue;
      const item = document.createElement("li");
      const anchor = document.createElement("a");
      anchor.href = key.url;
      anchor.textContent = title.replace(/ · [^·]*$/, "");
      item.append(anchor);
      section.querySelector("ul").append(item);
      section.hidden = false;
    }
  }

  if (navigator.serviceWorker) {
    navigator.serviceWorker.addEventListener("message", (event) => event.data && event.data.outbox && show());
  }
  window.addEventListener("online", deliver);
  window.addEventListener("pageshow", checkWhoseThisIs);
  document.addEventListener("submit", forgetOnLeaving);
  document.querySelectorAll("[data-try-again]").forEach((again) => again.addEventListener("click", () => window.location.reload()));
  window.addEventListener("load", () => (window.requestIdleCallback || window.setTimeout)(startWorker));
  window.concertmaster = { ...window.concertmaster, send: send };
  dropOthers();
  listKept().catch(() => {});
  show().then(deliver);
})();
