/* The whole table by keyboard: arrows go along the cards, Enter takes up and plays, letters make the game's calls; a rank
   finds a card, W says how the table stands, and ? tells all this. Who speaks to the device, or hits keys by chance, can
   switch single letters and figures off; it is remembered. */
import { play } from "./acts.js";
import { draw } from "./drawing.js";
import { felt } from "./felt.js";
import { skip } from "./pace.js";
import { announce, cards, find, mySeat, now } from "./page.js";
import { standing } from "./sentences.js";

const RANKS = { a: "A", k: "K", q: "Q", j: "J", t: "T", 1: "T", 0: "T" };

export function startKeys() {
  document.addEventListener("keydown", onKey);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase();
  if (["arrowleft", "arrowright", "home", "end"].includes(key) && find("own").contains(document.activeElement)) return move(event, key);
  if (key === "escape" && skip()) return;
  if (key === "escape" && (now.selected || now.chosen.length)) return putDown();
  if (now.hasShortKeys) onShortKey(event, key);
}

function onShortKey(event, key) {
  if (key === "?") return showKeys(event);
  if (key === "w") return announce(standing());
  if (!mySeat() || !cards()) return;
  if (felt.callKeys[key]) return act(event, felt.callKeys[key]);
  if (RANKS[key] || /^[2-9]$/.test(key)) seek(event, RANKS[key] || key);
}

function showKeys(event) {
  event.preventDefault();
  find("keys").showModal();
}

function act(event, token) {
  event.preventDefault();
  // What nobody has seen yet is nothing to answer.
  if (!skip()) play(token);
}

function putDown() {
  now.selected = null;
  now.chosen = [];
  draw();
}

function move(event, key) {
  const all = [...find("own").children];
  const at = all.indexOf(document.activeElement);
  const to = { arrowleft: at - 1, arrowright: at + 1, home: 0, end: all.length - 1 }[key];
  const next = all[(to + all.length) % all.length];
  event.preventDefault();
  next.focus();
}

/* The next own card of that rank gets the focus; the same key again goes on to the next one. */
function seek(event, rank) {
  const all = [...find("own").children].filter((each) => each.dataset.card[0] === rank);
  if (!all.length) return;
  event.preventDefault();
  all[(all.indexOf(document.activeElement) + 1) % all.length].focus();
}
