/* What all parts of the entry share: the page, the sheet being entered, and what the server last said of it. */
import { device, newerOf } from "./keeping.js";
import { Sheet } from "./state.js";

export const root = document.getElementById("sheet");
export const texts = root.dataset;
export const given = JSON.parse(document.getElementById("sheet-data").textContent);
export const storageKey = `scoresheet:${given.person}:${given.match}`;
export const find = (name) => root.querySelector(`[data-${name}]`);
export const findAll = (name) => [...root.querySelectorAll(`[data-${name}]`)];

const kept = device.read(storageKey);
export const drafts = newerOf(kept, given.draft);
export const keptEdit = kept && kept.draft ? Number(kept.saved) || 0 : 0;
export const sheet = new Sheet(drafts.shown, given.deals);

/* `reading` is the server's last answer, `deals` each deal as it was last read, `from` who plays the next card. */
export const now = { reading: given.reading, deals: { ...given.reading.near }, from: null, goOnWhenRead: false };

export function takeReading(reading) {
  now.reading = reading;
  Object.assign(now.deals, reading.near);
}

export const depth = (deal = sheet.page.deal) => sheet.page.depths[deal] || given.depth;
export const isHand = (spot = sheet.page.spot) => typeof spot === "number";
export const firstSpot = (deal) => (depth(deal) === "totals" ? "total" : 0);
export const shownDeal = () => now.deals[sheet.page.deal] || null;

export function shownAt(spot = sheet.page.spot) {
  const deal = shownDeal();
  if (!deal || spot === "seats" || spot === "total") return null;
  return spot === "left" ? deal.left : deal.hands[spot];
}

/* Where the person goes from here; null at the end of the sheet. */
export function nextSpot() {
  const { deal, spot } = sheet.page;
  if (spot === "seats") return [deal, firstSpot(deal)];
  if (isHand() && spot < given.hands - 1) return [deal, spot + 1];
  if (isHand()) return [deal, "left"];
  if (now.reading.over || deal + 1 >= given.deals) return null;
  return [deal + 1, depth() === "totals" && !sheet.page.depths[deal + 1] ? "total" : firstSpot(deal + 1)];
}

export function announce(words) {
  if (words && window.concertmaster) window.concertmaster.announce(words);
}
