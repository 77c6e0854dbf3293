/* What all parts of the entry share: the page, the sheet being entered, and what the server last said of it. */
import { device, editOf, newerOf } from "./keeping.js";
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

/* `reading` is the server's last answer, `deals` each deal as it was last read, `from` who plays the next card,
   `isWhole` whether the whole sheet is shown. What this device was last shown of this very draft is newer than a
   page that was made of an earlier one. */
const told = device.read(`${storageKey}:reading`);
const isNewer = sheet.page.edited && sheet.page.edited !== editOf(given.draft);
const isTold = told && isNewer && told.edited === sheet.page.edited;
export const now = {
  reading: isTold ? told.reading : given.reading,
  deals: isTold ? told.deals : { ...given.reading.near },
  from: null,
  goOnWhenRead: false,
  isOffline: false,
  isWhole: device.read("scoresheet:view") === "whole",
};

export function takeReading(reading) {
  now.reading = reading;
  Object.assign(now.deals, reading.near);
}

/* With what was last shown a page that is opened without a connection goes on where it was. */
export function keepReading() {
  device.write(`${storageKey}:reading`, { edited: sheet.page.edited, reading: now.reading, deals: now.deals });
}

const memoryKey = `${storageKey}:undo`;

export function recallSteps() {
  try {
    sheet.recall(JSON.parse(sessionStorage.getItem(memoryKey)));
  } catch (error) {
    /* Then there is no way back beyond the reload. */
  }
}

export function keepSteps() {
  try {
    sessionStorage.setItem(memoryKey, JSON.stringify(sheet.memory()));
  } catch (error) {
    /* As above. */
  }
}

/* What a deal is called by: the number of the board that it lay in, else its place. */
export const numberOf = (deal) => (given.boards || [])[deal] || deal + 1;

export const depth = (deal = sheet.page.deal) => sheet.page.depths[deal] || given.depths[deal] || given.depth;
export const isHand = (spot = sheet.page.spot) => typeof spot === "number";
export const firstSpot = (deal) => (depth(deal) === "totals" ? "total" : 0);
export const dealAt = (deal) => now.deals[deal] || null;
export const shownDeal = () => dealAt(sheet.page.deal);

export function shownAt(spot = sheet.page.spot, deal = shownDeal()) {
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
