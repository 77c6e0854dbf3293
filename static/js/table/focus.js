/* The keyboard's focus stays where the player was, though the page changes under it. */
import { find, root } from "./page.js";

const NAMES = ["data-card", "data-act", "data-by", "data-of", "data-compose", "data-step", "data-seat", "data-robot", "data-phrase", "data-answer", "data-request", "data-meaning", "data-reasons-of", "data-play-here", "data-mute", "data-line-id"];
let last = null;

/* Draws, and puts the focus back: on the same control, else on its neighbour, else where the player acts. */
export function keepingFocus(drawn) {
  remember();
  drawn();
  restore();
}

function remember() {
  const active = document.activeElement;
  if (!active || !root.contains(active) || active.closest("dialog")) return;
  const row = [...active.parentElement.children];
  last = { selector: selectorOf(active), row: rowOf(active), at: row.indexOf(active) };
}

/* Also for a dialog that was closed, when what had opened it is gone. */
export function restore() {
  if (!last || isSomewhere()) return;
  const target = (last.selector && root.querySelector(last.selector)) || neighbour() || whereToAct();
  if (target) target.focus({ preventScroll: true });
}

function isSomewhere() {
  const active = document.activeElement;
  return Boolean(active && active !== document.body && active.checkVisibility());
}

function selectorOf(node) {
  const parts = NAMES.filter((name) => node.hasAttribute(name)).map((name) => `[${name}="${CSS.escape(node.getAttribute(name))}"]`);
  return parts.length ? `button${parts.join("")}` : "";
}

const rowOf = (node) => ["own", "actions", "requests", "steps", "phrases"].find((name) => find(name).contains(node));

function neighbour() {
  const all = last.row ? buttonsIn(find(last.row)) : [];
  return all[Math.min(last.at, all.length - 1)];
}

function whereToAct() {
  const stop = find("own").querySelector('[tabindex="0"]');
  return [...buttonsIn(find("actions")), stop, ...buttonsIn(find("steps")), find("felt")].find((each) => each && each.checkVisibility());
}

const buttonsIn = (place) => [...place.querySelectorAll("button:not([disabled])")].filter((each) => each.checkVisibility());
