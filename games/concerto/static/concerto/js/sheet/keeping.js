/* Where a draft is kept: on this device at once, on the server a moment later. Nothing typed is ever lost: where the
   two differ the newer is shown and the other stays at hand until the sheet is sent. */

const PAUSE = 300;
const FIRST_RETRY = 2000;
const LONGEST_RETRY = 60000;

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch (error) {
    return null;
  }
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch (error) {
    return false;
  }
}

export const device = { read, write };

/* Of the drafts on the device and on the server: which is shown, and which is kept beside it. */
export function newerOf(mine, theirs) {
  if (!mine || !mine.draft) return { shown: theirs, other: null };
  if (!theirs) return { shown: mine.draft, other: null };
  const mineEdited = editOf(mine.draft);
  const theirsEdited = editOf(theirs);
  if (mineEdited === theirsEdited) return { shown: theirs, other: null };
  if (mineEdited < theirsEdited) return { shown: theirs, other: goesBackTo(theirs, mineEdited) ? null : mine.draft };
  const isMine = mine.saved === theirsEdited || goesBackTo(mine.draft, theirsEdited);
  return { shown: mine.draft, other: isMine ? null : theirs };
}

/* When a draft was last changed names that state of it. */
export function editOf(draft) {
  return Number(draft && draft.page && draft.page.edited) || 0;
}

/* Whether the draft was made of that earlier state: two devices may have gone on from the same one. */
function goesBackTo(draft, edit) {
  return edit === 0 || (draft.page.trail || []).includes(edit);
}

/* Sends the draft to be saved and read; the answer to the newest one counts. One request at a time: what is typed
   meanwhile goes with the next. */
export class Saver {
  constructor({ url, token, storageKey, saved, question, onAnswer, onState }) {
    Object.assign(this, { url, token, storageKey, saved, question, onAnswer, onState });
    this.isOffline = !navigator.onLine;
    this.timer = 0;
    this.retry = FIRST_RETRY;
    this.isAsking = false;
    this.isWanted = false;
    window.addEventListener("online", () => this.now());
    window.addEventListener("offline", () => this.lost());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && this.isWanted) this.now();
    });
  }

  lost() {
    this.isOffline = true;
    this.onState("offline");
  }

  keep(draft) {
    return write(this.storageKey, { draft, saved: this.saved });
  }

  soon() {
    this.isWanted = true;
    this.onState("saving");
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.now(), PAUSE);
  }

  async now() {
    window.clearTimeout(this.timer);
    if (this.isAsking) {
      this.isWanted = true;
      return;
    }
    this.isAsking = true;
    this.isWanted = false;
    const question = this.question();
    try {
      const answer = await ask(this.url, this.token, question);
      this.retry = FIRST_RETRY;
      this.isOffline = false;
      this.take(question, answer);
    } catch (error) {
      this.isWanted = true;
      this.lost();
      this.timer = window.setTimeout(() => this.now(), this.retry);
      this.retry = Math.min(LONGEST_RETRY, this.retry * 2);
      this.isAsking = false;
      return;
    }
    this.isAsking = false;
    if (this.isWanted) this.now();
  }

  take(question, answer) {
    if (answer.error) {
      this.onState("refused", answer.error, answer.login);
      return;
    }
    this.saved = question.content.page.edited;
    // What was entered since the question stays on the device: it goes to the server with the next one.
    this.keep(this.question().content);
    if (!this.isWanted) this.onState("saved", answer.saved);
    this.onAnswer(answer, question);
  }
}

/* The server's answer; an answer that is not ours (a proxy's page, a crash) counts as no connection. */
async function ask(url, token, question, isAgain = false) {
  const answer = await fetch(url, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-CSRFToken": await token(isAgain), Accept: "application/json" },
    body: JSON.stringify(question),
  });
  const isOurs = (answer.headers.get("Content-Type") || "").startsWith("application/json");
  if (isOurs) return answer.json();
  // A page left open through a login has an old token.
  if (answer.status === 403 && !isAgain) return ask(url, token, question, true);
  if (answer.status < 500 && answer.status !== 429) return { error: answer.statusText || String(answer.status) };
  throw new Error(String(answer.status));
}
