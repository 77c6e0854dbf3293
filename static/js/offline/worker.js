/* The service worker. It keeps the pages that the server marks as keepable for whoever is logged in, and what they look
   like; it sends what waits when the network is back. Everything else passes through untouched. */
(function () {
  "use strict";

  const given = self.given;
  const FILES = `files-${given.version}`;
  const PAGES = "pages";
  const MOST_PAGES = 40;
  const PATIENCE = 8000;
  const OWNER = "/pages-are-of";
  const GONE = [403, 404, 410];

  /* --- Files: their addresses change with their content, so what is kept is never stale ------------------------- */

  async function keepFiles() {
    const cache = await caches.open(FILES);
    await cache.addAll(given.assets);
    // As a visitor: there must be nobody's name on it.
    const page = await fetch(given.offline, { credentials: "omit", cache: "no-store" });
    if (page.ok) await cache.put(given.offline, page);
  }

  async function dropOldFiles() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("files-") && name !== FILES).map((name) => caches.delete(name)));
  }

  /* A device that is full, or keeps nothing, still shows what the network brings. */
  async function file(event) {
    const { request } = event;
    const cache = await caches.open(FILES).catch(() => null);
    const kept = cache && (await cache.match(request, { ignoreVary: true }).catch(() => null));
    if (kept) return kept;
    const answer = await fetch(request);
    if (cache && answer.status === 200 && answer.type === "basic") event.waitUntil(cache.put(request, answer.clone()).catch(() => {}));
    return answer;
  }

  /* --- Pages ---------------------------------------------------------------------------------------------------- */

  async function owner() {
    const noted = await (await caches.open(PAGES)).match(OWNER);
    return noted ? noted.text() : null;
  }

  /* Whoever the pages were kept for, another person on this device never sees one. */
  async function belongsTo(person) {
    if ((await owner()) === person) return caches.open(PAGES);
    await caches.delete(PAGES);
    const fresh = await caches.open(PAGES);
    await fresh.put(OWNER, new Response(person));
    return fresh;
  }

  async function keep(url, answer, isFetchedAhead) {
    const person = answer.headers.get(given.person);
    if (person === null || (isFetchedAhead && person !== (await owner()))) return;
    const cache = await belongsTo(person);
    if (!answer.headers.get(given.keep)) return;
    const headers = new Headers(answer.headers);
    headers.delete("Content-Encoding");
    headers.set("X-Kept-At", new Date().toISOString());
    await cache.delete(url);
    await cache.put(url, new Response(await answer.blob(), { headers }));
    const keys = (await cache.keys()).filter((key) => new URL(key.url).pathname !== OWNER);
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_PAGES)).map((key) => cache.delete(key)));
  }

  function address(url) {
    const at = new URL(url);
    at.hash = "";
    return at.href;
  }

  /* A network that is there in name only is not waited for when the page is at hand. */
  function patient(answer, kept) {
    if (!kept) return answer;
    const tooLong = new Promise((_, reject) => setTimeout(() => reject(new Error("too slow")), PATIENCE));
    return Promise.race([answer, tooLong]);
  }

  async function keptPage(url) {
    try {
      return await (await caches.open(PAGES)).match(address(url), { ignoreVary: true });
    } catch (error) {
      return undefined;
    }
  }

  async function forget(url) {
    await (await caches.open(PAGES)).delete(address(url), { ignoreVary: true });
  }

  /* A page of ours is noted for whose it is, and kept where it may be. One reached by a redirect is of another address.
     What this person may not see any more, or may not keep, goes. */
  async function take(url, answer) {
    if (GONE.includes(answer.status)) return forget(url);
    if (answer.status !== 200) return undefined;
    const person = answer.headers.get(given.person);
    if (person === null) return undefined;
    if (answer.headers.get(given.keep)) return keep(address(url), answer);
    await belongsTo(person);
    return forget(url);
  }

  async function page(event) {
    const { request } = event;
    const kept = await keptPage(request.url);
    try {
      const answer = await patient(fetch(request), kept);
      // Copied only where it is kept: the copy of a long page would be held in memory.
      const copy = answer.headers.get(given.keep) ? answer.clone() : answer;
      event.waitUntil(take(answer.redirected ? answer.url : request.url, copy).catch(() => {}));
      return answer;
    } catch (error) {
      const instead = kept || (await caches.match(given.offline).catch(() => null));
      if (!instead) return Response.error();
      return kept ? marked(kept) : instead;
    }
  }

  /* The page as it was kept, which says since when. */
  async function marked(kept) {
    const html = await kept.text();
    const since = kept.headers.get("X-Kept-At");
    return new Response(html.replace("<body", `<body data-kept-at="${since}"`), { headers: kept.headers });
  }

  async function keepAhead(urls) {
    for (const url of urls.slice(0, 8)) {
      const at = new URL(url, self.location.origin);
      if (at.origin !== self.location.origin) continue;
      try {
        const answer = await fetch(at.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
        if (answer.status === 200 && !answer.redirected) await keep(at.href, answer, true);
      } catch (error) {
        return;
      }
    }
  }

  /* --- What happens --------------------------------------------------------------------------------------------- */

  self.addEventListener("install", (event) => {
    event.waitUntil(keepFiles().then(() => self.skipWaiting()));
  });

  self.addEventListener("activate", (event) => {
    event.waitUntil(dropOldFiles().then(() => self.clients.claim()));
  });

  self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
    if (request.mode === "navigate") event.respondWith(page(event));
    else if (new URL(request.url).pathname.startsWith(given.static)) event.respondWith(file(event));
  });

  async function send() {
    const isDone = await self.concertmasterOutbox.deliver(given.session);
    for (const client of await self.clients.matchAll()) client.postMessage({ outbox: true });
    // The browser asks again, at longer and longer intervals.
    if (!isDone) throw new Error("not sent yet");
  }

  self.addEventListener("sync", (event) => {
    if (event.tag === "outbox") event.waitUntil(send());
  });

  self.addEventListener("message", (event) => {
    const { keepAhead: urls, person } = event.data || {};
    if (typeof person === "string") event.waitUntil(belongsTo(person).then(() => keepAhead(urls || [])));
  });

  /* A push says that something is waiting, or what, as its person chose; what was sent encrypted is read here first. */
  self.addEventListener("push", (event) => {
    let told = {};
    try {
      told = event.data.json();
    } catch (error) {
      /* Then it says no more than that there is something. */
    }
    const shown = { body: told.body || "", tag: told.tag || "concertmaster", icon: given.icon, data: told.path || given.notices };
    event.waitUntil(self.registration.showNotification(told.title || "Concertmaster", shown));
  });

  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const at = new URL(event.notification.data, self.location.origin);
    if (at.origin === self.location.origin) event.waitUntil(self.clients.openWindow(at.href));
  });
})();
