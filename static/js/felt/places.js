/* The places round the felt, however many: the others above in the order of the turn, the own one below. */
import { clockOf } from "../table/clocks.js";
import { element, hide, put } from "../table/elements.js";
import { cards, deal, fill, find, mySeat, now, words } from "../table/page.js";
import { drawSeat } from "../table/seats.js";
import { sideName, signed } from "../table/sentences.js";
import { drawMiddle } from "./middle.js";
import { isAlone, learnLabels, pointsOfSide, sides } from "./moves.js";

export function draw() {
  if (cards()) learnLabels(cards());
  drawSides();
  drawPlaces();
  drawMiddle();
}

function drawPlaces() {
  const seats = now.view.seats.map((row) => row.seat);
  const own = seats.indexOf(mySeat());
  const inTurn = own < 0 ? seats : [...seats.slice(own + 1), ...seats.slice(0, own)];
  // Where play goes to the right, who comes next sits there.
  const others = words.turns_right ? inTurn.reverse() : inTurn;
  const box = find("others");
  if (others.join() !== box.dataset.seats) {
    box.dataset.seats = others.join();
    box.replaceChildren(...others.map((seat) => element("section", { css: "table-seat", "data-place": seat, "aria-label": words.seats[seat] })));
  }
  for (const section of box.children) drawSeat(section, section.dataset.place);
  hide(find("own-seat"), own < 0);
  if (own >= 0) drawSeat(find("own-seat"), mySeat());
}

/* Each side of several with its points in the deal and in the match, and its clock, where it has any. */
function drawSides() {
  const hasMore = sides().some((side) => !isAlone(side)) && (now.view.match || (deal() && deal().clock) || (cards() && sides().some((side) => pointsOfSide(cards(), side) !== null)));
  put(find("sides"), ...(hasMore ? sides().map(sideRow) : []));
}

function sideRow(side) {
  const { match } = now.view;
  const points = cards() ? pointsOfSide(cards(), side) : null;
  const total = match && signed(match.total[side]);
  const isFirst = !match || !match.deals.length;
  return element(
    "li",
    {},
    element("span", { css: "felt-side ellipsis", text: nameOfSide(side) }),
    points === null ? null : element("b", { text: signed(points) }),
    points === null ? null : element("span", { text: isFirst ? words.in_deal : fill(words.in_match, { points: total }) }),
    match && points === null ? element("b", { text: total }) : null,
    deal() && deal().clock ? clockOf(side) : null
  );
}

/* Who plays alone has points of the match and a clock at the own seat. */
export function seatScore({ side }) {
  const { match } = now.view;
  const clock = deal() && deal().clock;
  if (!isAlone(side) || !(match || clock)) return null;
  return element(
    "p",
    { css: "seat-score" },
    match ? element("b", { text: fill(words.match_points, { points: signed(match.total[side]) }) }) : null,
    clock ? clockOf(side) : null
  );
}

function nameOfSide(side) {
  const { match } = now.view.names;
  return side === now.view.you.side ? words.you : (match && match.sides[side]) || sideName(side);
}
