/* How the page hears of the table, and how it acts: by a socket while there is one, else by asking and posting. An
   action has a key of its own, so that the other way can be tried with no second effect. docs/tables.md has the messages. */
import { draw, news } from "../table/drawing.js";
import { focusEnd } from "../table/end.js";
import { bringLine } from "../table/line.js";
import { receive } from "../table/pace.js";
import { announce, csrfToken, now, texts, whenChanged, words } from "../table/page.js";
import { isEnded } from "../table/sentences.js";

const DEAD_AFTER = 10000;
/* When a server has just come back, all tables' windows stand at its door: who left it would only come last. */
const LET_IN_WITHIN = 30000;
const POLL_EVERY = 2000;
const ANSWER_WITHIN = 4000;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const CLOSED = { takenOver: 4001, loggedOut: 4002, seatLost: 4003, noTable: 4004 };
const windowName = nameOfWindow();
const waiting = new Map();
let socket = null;
let pause = SHORTEST_PAUSE;
let heard = 0;
let isLetIn = false;
let isAsking = false;
let isTakenOver = false;

function nameOfWindow() {
  const made = newKey();
  try {
    const kept = sessionStorage.getItem("table:window");
    // A page that was duplicated brings its name along: the newer one must have its own.
    const isNew = !kept || performance.getEntriesByType("navigation").some((each) => each.type === "navigate");
    if (isNew) sessionStorage.setItem("table:window", made);
    return isNew ? made : kept;
  } catch (error) {
    return made;
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function start() {
  whenChanged((view, before) => {
    // What was refused stays to be read: the table as it is comes with every refusal.
    if (!before || view.version !== before.version) now.trouble = "";
    draw();
    announce(news(view, before));
    if (isEnded(view) && before && !isEnded(before)) focusEnd();
  });
  open();
  window.setInterval(watch, POLL_EVERY);
  window.addEventListener("online", open);
  document.addEventListener("visibilitychange", watch);
}

function open() {
  if (isTakenOver || (socket && socket.readyState <= WebSocket.OPEN)) return;
  const address = new URL(texts.socketUrl, window.location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("window", windowName);
  const opened = new WebSocket(address);
  socket = opened;
  isLetIn = false;
  opened.addEventListener("open", () => (heard = performance.now()));
  opened.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  opened.addEventListener("close", (event) => socket === opened && onClose(event.code));
}

function onClose(code) {
  socket = null;
  if (code === CLOSED.takenOver) return beTakenOver();
  if (code === CLOSED.loggedOut || code === CLOSED.noTable) return window.location.reload();
  connected(false);
  // Not all at once when the server comes back.
  window.setTimeout(open, pause * (0.5 + Math.random()));
  pause = Math.min(pause * 2, LONGEST_PAUSE);
}

function beTakenOver() {
  isTakenOver = true;
  now.isTakenOver = true;
  draw();
  announce(words.other_window);
}

/* This window plays again; the other one is told so. By post as well: there may be no sockets here. */
function playHere() {
  isTakenOver = false;
  now.isTakenOver = false;
  open();
  draw();
  byPost("window", { window: windowName });
}

function connected(is) {
  if (now.isConnected === is) return;
  now.isConnected = is;
  draw();
  announce(is ? words.connected : words.connection_lost);
}

function hear(message) {
  heard = performance.now();
  if (message.type === "view") beLetIn(message.view);
  else if (message.type === "done") settle(message.key, {});
  else if (message.type === "refused") settle(message.key, { error: message.error.message });
  else if (message.type === "beat" && message.version > now.view.version) say({ type: "look", key: newKey() });
}

/* Only now: a socket opens also for who is shown the door at once, and would be asked for again and again. */
function beLetIn(view) {
  isLetIn = true;
  pause = SHORTEST_PAUSE;
  connected(true);
  receive(view);
}

function settle(key, answer) {
  const resolve = waiting.get(key);
  waiting.delete(key);
  if (resolve) resolve(answer);
}

const isOpen = () => Boolean(socket && socket.readyState === WebSocket.OPEN);

function say(message) {
  socket.send(JSON.stringify(message));
}

/* A line on which nothing is heard any more is dead: it is closed, and the page asks by itself meanwhile. */
function watch() {
  if (isTakenOver || document.visibilityState !== "visible") return;
  const silence = performance.now() - heard;
  if (isOpen() && silence < DEAD_AFTER) return;
  if (isOpen() && (isLetIn || silence > LET_IN_WITHIN)) socket.close();
  // One question at a time: a server that is slow to answer is not asked faster than it can.
  if (!isAsking) ask();
}

async function ask() {
  isAsking = true;
  const address = new URL(texts.viewUrl, window.location.href);
  address.searchParams.set("since", now.view.version);
  address.searchParams.set("window", windowName);
  const { deal } = now.view;
  if (deal && deal.next !== undefined && deal.next !== null) {
    address.searchParams.set("deal", deal.number);
    address.searchParams.set("next", deal.next);
  }
  const answer = await refresh(address);
  isAsking = false;
  if (answer && answer.view) receive(answer.view);
}

async function refresh(address) {
  try {
    const answer = await fetch(address, {
      credentials: "same-origin",
      headers: { Accept: "application/json" },
      // One that is never answered must not keep the page from asking again.
      signal: AbortSignal.timeout(DEAD_AFTER),
    });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    return null;
  }
}

/* Does it, by the socket or by post: {} when it is done, {error} when it is refused. Where the socket does not answer, an
   action is sent again, for its key keeps it from being done twice; of steps the server knows no keys. */
async function post(name, fields) {
  const key = newKey();
  if (isOpen()) {
    const answer = await bySocket(name, fields, key);
    if (answer) return answer;
    if (name !== "act") return { error: words.failed };
  }
  return byPost(name, { ...fields, key, window: windowName });
}

function bySocket(name, fields, key) {
  const message = name === "act" ? { type: "act", key, ...fields } : { type: "step", step: name, key, ...fields };
  return new Promise((resolve) => {
    waiting.set(key, resolve);
    window.setTimeout(() => settle(key, null), ANSWER_WITHIN);
    say(message);
  });
}

async function byPost(name, fields) {
  const told = await send(name === "act" ? texts.actUrl : texts.stepUrl.replace("/name/", `/${name}/`), fields);
  return told.error ? told : {};
}

async function send(address, fields) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() },
      body: JSON.stringify(fields),
    });
    const told = await answer.json().catch(() => ({}));
    if (told.view) receive(told.view);
    if (answer.ok) return told;
    if (told.error && told.error.code === "other_window") beTakenOver();
    return { error: (told.error && told.error.message) || words.failed };
  } catch (error) {
    return { error: words.offline };
  }
}

async function meanings(hand) {
  return refresh(texts.meaningUrl.replace("/0/", `/${hand}/`));
}

async function reasons(seat) {
  return refresh(texts.reasonsUrl.replace("/seat/", `/${seat}/`));
}

const hint = () => send(texts.hintUrl, {});

bringLine({ start, post, meanings, reasons, hint, playHere });
