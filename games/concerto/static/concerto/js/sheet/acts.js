/* What a tap or a key does to the sheet. Each change is shown at once, kept, and sent to be read. */
import { device } from "./keeping.js";
import { announce, depth, find, firstSpot, given, isHand, nextSpot, now, sheet, shownAt, texts } from "./page.js";
import { cardsBySeat, setAt, toggled } from "./state.js";

/* Set by the page: `draw()` shows everything again, `keep()` stores and sends, `reveal(spot)` brings a row into view. */
export const then = { draw() {}, keep() {}, reveal() {} };

export function changed() {
  then.draw();
  then.keep();
}

export function go(deal, spot) {
  if (deal !== sheet.page.deal && !sheet.page.depths[deal] && !given.depths[deal]) sheet.page.depths[deal] = depth();
  Object.assign(sheet.page, { deal, spot });
  now.from = null;
  changed();
  then.reveal(spot);
  announce(find("title").textContent);
}

export function next() {
  const target = nextSpot();
  if (target) go(...target);
  else find("check").focus();
}

export function step(by) {
  const { deal, spot } = sheet.page;
  if (!isHand() && spot !== "left") return;
  const to = Math.min(Math.max(0, (isHand() ? spot : given.hands) + by), given.hands);
  go(deal, to === given.hands ? "left" : to);
}

/* To the same spot of the deal before or after. */
export function across(by) {
  const { deal, spot } = sheet.page;
  const to = deal + by;
  const state = (now.reading.deals[to] || {}).state;
  if (to < 0 || to >= given.deals || state === "beyond" || spot === "seats") return;
  go(to, depth(to) === "totals" ? "total" : spot === "total" ? 0 : spot);
}

export function showWhole(isWhole) {
  now.isWhole = isWhole;
  device.write("scoresheet:view", isWhole ? "whole" : "steps");
  then.draw();
  then.reveal(sheet.page.spot);
}

/* A value: a combination, with its split where that counts. One that is whole leads on to the next hand. */
export function choose({ combination, split, label, points_shown, key }, isWhole) {
  const value = split ? { combination, split } : { combination };
  const shown = shownAt();
  if (sheet.page.spot === "left") sheet.setField(["left_over"], value);
  else sheet.setHand(value, given.hands);
  // What was tapped is shown before the server has read it.
  if (shown) {
    Object.assign(shown, { words: label, points: isWhole ? points_shown : "", value: key, provisional: true });
    if (isHand()) Object.assign(shown, { cards: [], by_seat: {}, so_far: "" });
  }
  if (!isWhole) changed();
  else if (isHand()) next();
  else if (now.isOffline) next();
  else {
    // Whether another deal follows is the server's to say: the page goes on when it has.
    now.goOnWhenRead = true;
    changed();
  }
}

export function tapCard(card) {
  const shown = shownAt();
  if (!shown || !now.from) return;
  const bySeat = toggled(cardsHere(), now.from, card);
  shown.by_seat = bySeat;
  if (sheet.page.spot === "left") sheet.setField(["left"], Object.keys(bySeat).length ? bySeat : null);
  else sheet.setHand(Object.keys(bySeat).length ? { cards: bySeat } : null, given.hands);
  changed();
}

/* Who played which of this hand's cards, or has which left: as tapped here, else as the server read a line of play. */
export function cardsHere() {
  const shown = shownAt();
  if (shown && shown.by_seat) return shown.by_seat;
  return sheet.page.spot === "left" ? sheet.record().left || {} : cardsBySeat(sheet.hand());
}

export function typeLine(text) {
  const shown = shownAt();
  if (shown) shown.by_seat = null;
  sheet.setHand(text.trim() || null, given.hands);
  changed();
}

export function typeTotal(path, text) {
  const words = text.trim();
  sheet.setField(path, /^\d{1,6}$/.test(words) ? Number(words) : words);
  changed();
}

export function clearSpot() {
  const shown = shownAt();
  if (shown) Object.assign(shown, { by_seat: {}, cards: [], value: "", so_far: "", words: "", points: "" });
  if (sheet.page.spot === "left") {
    sheet.changeRecord((record) => {
      delete record.left;
      delete record.left_over;
    });
  } else sheet.setHand(null, given.hands);
  changed();
}

export function undo() {
  if (sheet.undo()) afterStep(texts.undoneText);
}

export function redo() {
  if (sheet.redo()) afterStep(texts.redoneText);
}

function afterStep(words) {
  now.from = null;
  forgetTaps();
  changed();
  then.reveal(sheet.page.spot);
  announce(words);
}

/* After a change from elsewhere the server's next reading says who played which. */
function forgetTaps() {
  for (const deal of Object.values(now.deals)) {
    for (const shown of [...deal.hands, deal.left]) shown.by_seat = null;
  }
}

export function applyFix(fix) {
  sheet.change(() => fix.forEach(({ place, value }) => setAt(sheet.content, place, value)));
  forgetTaps();
  changed();
}

export function swapFrom() {
  const shown = shownAt();
  if (!shown || depth() !== "cards") return;
  const order = shown.from.map((player) => player.seat);
  now.from = order[(order.indexOf(now.from) + 1) % order.length];
  then.draw();
}

export function setDepth(name) {
  const { deal, spot } = sheet.page;
  sheet.page.depths[deal] = name;
  given.depth = name;
  const stays = name !== "totals" && (isHand() || spot === "left");
  go(deal, stays ? spot : firstSpot(deal));
}

export function swapPlayers(one, other) {
  sheet.change(() => {
    const seats = { ...sheet.content.seats };
    [seats[one], seats[other]] = [seats[other], seats[one]];
    sheet.content.seats = seats;
  });
  changed();
}

export function turnTable() {
  sheet.change(() => {
    const order = given.seats.map(({ seat }) => seat);
    const turned = order.map((seat, at) => [order[(at + 1) % order.length], sheet.content.seats[seat]]);
    sheet.content.seats = Object.fromEntries(turned);
  });
  changed();
}

export function dealsFirst(seat) {
  sheet.change(() => (sheet.content.first_dealer = seat));
  changed();
}
