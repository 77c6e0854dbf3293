/* What all parts of the page share: the last view that the server gave, and what the player has in hand. */

import { felt } from "./felt.js";

export const root = document.getElementById("table");
export const texts = root.dataset;
export const words = JSON.parse(document.getElementById("table-words").textContent);
/* A sentence about a single card, as it is played, discarded or buried now. */
export const ofCard = (name) => ((cards() && words.card_uses[cards().card_use]) || words)[name];
const places = {};
/* The places of the page are there as long as it is. */
export const find = (name) => (places[name] ??= document.getElementById("main").querySelector(`[data-${name}]`));

/* Of any form: everybody who is logged in has one to log out. */
export const csrfToken = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

/* `view` is the server's; `selected` the card that a second press plays, `chosen` those that something is to be done with, `amounts` where a call of many amounts stands, by what is before the figures, `sort` how the own cards lie, `sent` what is on
   its way, `laid` the own card that is and lies in the middle already, `trouble` what went wrong last, and `troubleAt` at which seat or request it was pressed; `hasShortKeys` whether single letters and figures do anything;
   `isCatchingUp` whether more has happened than is shown. */
export const now = {
  given: JSON.parse(document.getElementById("table-view").textContent),
  view: null,
  received: 0,
  selected: null,
  chosen: [],
  amounts: {},
  sort: read("table:sort") || words.order.by,
  press: read("table:press"),
  hasShortKeys: read("table:keys") !== "off",
  sent: null,
  laid: null,
  trouble: "",
  hint: "",
  troubleAt: {},
  isConnected: true,
  isTakenOver: false,
  isCatchingUp: false,
};
const listeners = [];
const LOG_LINES = 30;

export const whenChanged = (listener) => listeners.push(listener);

/* Who watches a hidden deal is told another count of versions than who plays it. */
const isOfOneCount = (one, other) => one.you.seat === other.you.seat && isHidden(one) === isHidden(other);
const isHidden = (view) => Boolean(view.deal && view.deal.is_hidden);

/* Whether this view of the same seat is older than that one. */
export const isOlder = (view, than) => isOfOneCount(view, than) && view.version < than.version;

/* Shows a view, which came at that moment; an older one of the same seat is left. */
export function take(view, { silent = false, received = performance.now() } = {}) {
  const before = now.view;
  if (!view || (before && isOlder(view, before))) return;
  if (!before || view.version !== before.version) now.hint = "";
  now.view = view;
  now.received = received;
  if (now.laid && !isOpenStill(now.laid)) now.laid = null;
  if (now.selected && !mayPlay(tokenOf(now.selected))) now.selected = null;
  now.chosen = isComposing() ? now.chosen.filter((key) => keysOf(cards().mine).includes(key)) : [];
  if (!silent) for (const listener of listeners) listener(view, before);
}

export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    return null;
  }
}

export function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    /* Then the choice holds for this page only. */
  }
}

export const deal = () => now.view.deal;
const isOpenStill = ({ number, next }) => Boolean(deal() && deal().number === number && deal().next === next);
export const cards = () => (now.view.deal && now.view.deal.view) || null;
export const mySeat = () => now.view.you.seat;
export const isBehind = () => !mySeat() && now.view.terms.delay_seconds > 0;
export const isPaused = () => Boolean(deal() && deal().is_paused);
export const isMyTurn = () => Boolean(cards() && mySeat() && cards().turn === mySeat() && !isPaused());
export const mayPlay = (token) => Boolean(isMyTurn() && felt.legal(cards()).includes(token));
/* Whether cards are chosen first, and then what is done with them. */
export const isComposing = () => isMyTurn() && felt.compositions(cards()).length > 0;
/* A card of the own hand by a key: of equal ones each has its own. */
export const tokenOf = (key) => key.slice(0, 2);
export const keysOf = (tokens) => tokens.map((token, place) => token + "'".repeat(tokens.slice(0, place).filter((each) => each === token).length));
export const may = (step) => now.view.you.may.includes(step);
export const isOnePress = () => (now.press === null ? now.view.terms.single_press : now.press === "one");
export const seatRow = (seat) => now.view.seats.find((each) => each.seat === seat);
/* Who acts there: a robot that stands in is never called by the player's name alone. */
export function nameOf(seat) {
  const row = seatRow(seat);
  return row ? actorName(seat, row.robot) : words.seats[seat] || seat;
}

/* Who did an action, which a robot may have done for somebody: every line says so. */
export function actorName(seat, robot) {
  const row = seatRow(seat);
  const person = row.stands_in || (row.robot ? "" : row.name);
  if (!robot) return person || words.seats[seat] || seat;
  if (!person) return fill(words.robot_at, { seat: words.seats[seat] || seat });
  return fill(words.robot_for, { robot: fill(words.robot, { name: words.robots[robot] || robot }), player: person });
}

/* Since when the player on turn could have acted, in milliseconds. */
export const waited = () => (deal() && deal().turn_ms !== null ? deal().turn_ms + performance.now() - now.received : 0);

/* Tells readers of the screen: a line of the log, so that what comes quickly after it does not take its place. */
export function announce(text) {
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  const log = find("log");
  log.append(line);
  while (log.children.length > LOG_LINES) log.firstElementChild.remove();
}

/* Fills {name} in a text. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? "");
