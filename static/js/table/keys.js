/* The whole table by keyboard: arrows go along the cards, Enter takes up and plays, P passes, G says "Play"; a rank
   finds a card, and ? tells all this. */
import { play, press } from "./acts.js";
import { draw } from "./drawing.js";
import { cards, find, mySeat, now } from "./page.js";

const RANKS = { a: "A", k: "K", q: "Q", j: "J", t: "T", 1: "T", 0: "T" };

export function startKeys() {
  document.addEventListener("keydown", onKey);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  if (event.key === "?") return showKeys(event);
  if (!mySeat() || !cards()) return;
  const key = event.key.toLowerCase();
  if (["arrowleft", "arrowright", "home", "end"].includes(key) && find("own").contains(document.activeElement)) return move(event, key);
  if (key === "escape" && now.selected) return putDown();
  if (key === "p") return act(event, "-");
  if (key === "g") return act(event, ">");
  if (RANKS[key] || /^[2-9]$/.test(key)) return seek(event, RANKS[key] || key);
}

function showKeys(event) {
  event.preventDefault();
  find("keys").showModal();
}

function act(event, token) {
  event.preventDefault();
  play(token);
}

function putDown() {
  now.selected = null;
  draw();
}

function move(event, key) {
  const all = [...find("own").children];
  const at = all.indexOf(document.activeElement);
  const to = { arrowleft: at - 1, arrowright: at + 1, home: 0, end: all.length - 1 }[key];
  const next = all[(to + all.length) % all.length];
  event.preventDefault();
  for (const each of all) each.tabIndex = each === next ? 0 : -1;
  next.focus();
}

/* The next own card of that rank gets the focus; the same key again goes on to the next one. */
function seek(event, rank) {
  const all = [...find("own").children].filter((each) => each.dataset.card[0] === rank);
  if (!all.length) return;
  event.preventDefault();
  const next = all[(all.indexOf(document.activeElement) + 1) % all.length];
  next.tabIndex = 0;
  next.focus();
}

