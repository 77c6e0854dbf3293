/* What all parts of the page share: the last view that the server gave, and what the player has in hand. */

export const root = document.getElementById("table");
export const texts = root.dataset;
export const words = JSON.parse(document.getElementById("table-words").textContent);
export const find = (name) => document.getElementById("main").querySelector(`[data-${name}]`);

/* `view` is the server's; `selected` the card that a second press plays, `sort` how the own cards lie, `sent` what is on
   its way, `trouble` what went wrong last. */
export const now = {
  given: JSON.parse(document.getElementById("table-view").textContent),
  view: null,
  received: 0,
  selected: null,
  sort: read("table:sort") || "suit",
  press: read("table:press"),
  sent: null,
  trouble: "",
  isConnected: true,
  isTakenOver: false,
};
const listeners = [];

export const whenChanged = (listener) => listeners.push(listener);

/* Takes a newer view; an older one of the same seat is left. */
export function take(view, { silent = false } = {}) {
  const before = now.view;
  if (!view || (before && view.version < before.version)) return;
  now.view = view;
  now.received = performance.now();
  if (now.selected && !mayPlay(now.selected)) now.selected = null;
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
export const cards = () => (now.view.deal && now.view.deal.view) || null;
export const mySeat = () => now.view.you.seat;
export const isMyTurn = () => Boolean(cards() && mySeat() && cards().turn === mySeat());
export const mayPlay = (token) => Boolean(isMyTurn() && cards().legal.includes(token));
export const may = (step) => now.view.you.may.includes(step);
export const isOnePress = () => (now.press === null ? now.view.terms.single_press : now.press === "one");
export const seatRow = (seat) => now.view.seats.find((each) => each.seat === seat);
export const nameOf = (seat) => (seatRow(seat) && seatRow(seat).name) || words.seats[seat] || seat;

export function announce(text) {
  if (text && window.concertmaster) window.concertmaster.announce(text);
}

/* Fills {name} in a text. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? "");
