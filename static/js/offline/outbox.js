/* What waits on this device to be sent. Pages and the worker share it; it lives in IndexedDB, where both can reach it.
   One entry: {id, person, url, fields, title, storage, state, message, next, at}. `id` is the idempotency key, so an
   entry counts once however often it arrives. States: "waiting", "login" (the person has to log in again), "sent",
   "refused" (the server says why in `message`; the content stays). */
(function (scope) {
  "use strict";

  const STORE = "outbox";
  const PATIENCE = 20000;

  function open() {
    return new Promise(function (resolve, reject) {
      const request = indexedDB.open("concertmaster", 1);
      request.onupgradeneeded = function () {
        request.result.createObjectStore(STORE, { keyPath: "id" });
      };
      request.onsuccess = function () {
        resolve(request.result);
      };
      request.onerror = function () {
        reject(request.error);
      };
    });
  }

  async function inStore(mode, act) {
    const database = await open();
    try {
      return await new Promise(function (resolve, reject) {
        const transaction = database.transaction(STORE, mode);
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = function () {
          resolve(request.result);
        };
        transaction.onerror = transaction.onabort = function () {
          reject(transaction.error);
        };
      });
    } finally {
      database.close();
    }
  }

  const all = () => inStore("readonly", (store) => store.getAll());
  const put = (entry) => inStore("readwrite", (store) => store.put(entry));
  const remove = (id) => inStore("readwrite", (store) => store.delete(id));

  function within(milliseconds) {
    return AbortSignal.timeout ? AbortSignal.timeout(milliseconds) : undefined;
  }

  async function session(url) {
    const answer = await fetch(url, { credentials: "same-origin", cache: "no-store", signal: within(PATIENCE) });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  /* The server's word on one entry; null while there is none, as when it is being restarted. */
  async function post(entry, token) {
    const answer = await fetch(entry.url, {
      method: "POST",
      credentials: "same-origin",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ ...entry.fields, csrfmiddlewaretoken: token }),
      signal: within(PATIENCE),
    });
    if (answer.status >= 500 || answer.status === 429) return null;
    const isOurs = (answer.headers.get("Content-Type") || "").startsWith("application/json");
    if (isOurs) return answer.json();
    // Somebody has logged in since the token was given: it is for the next attempt to see who.
    if (answer.status === 403) return null;
    // Led to the login page: the session has just ended.
    return answer.redirected ? { outcome: "login" } : { outcome: "refused", message: "", next: "" };
  }

  async function settle(entry, answer) {
    const { outcome, message, next } = answer;
    const settled = { ...entry, state: outcome || "refused", message: message || "", next: next || entry.next || "" };
    // What was sent stands on the server; the device keeps none of it.
    await put(outcome === "sent" ? { ...settled, fields: {} } : settled);
  }

  async function attempt(sessionUrl) {
    const entries = (await all()).filter((entry) => entry.state === "waiting" || entry.state === "login");
    if (!entries.length) return true;
    let isDone = true;
    try {
      const here = await session(sessionUrl);
      for (const entry of entries) {
        if (here.person === entry.person) {
          const answer = await post(entry, here.token);
          if (answer) await settle(entry, answer);
          else isDone = false;
        } else if (!here.person) await settle(entry, { outcome: "login" });
      }
    } catch (error) {
      isDone = false;
    }
    return isDone;
  }

  /* Sends what waits; true when nothing is left that a connection would send. One at a time on this device. */
  function deliver(sessionUrl) {
    const locks = scope.navigator && scope.navigator.locks;
    return locks ? locks.request("outbox", () => attempt(sessionUrl)) : attempt(sessionUrl);
  }

  scope.concertmasterOutbox = { all: all, put: put, remove: remove, deliver: deliver, session: session };
})(self);
