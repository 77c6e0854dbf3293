/* Four places round the table: your own seat below, partner opposite; who watches sits with South. */
import { clockOf } from "../../../js/table/clocks.js";
import { element, put } from "../../../js/table/elements.js";
import { waitingWords } from "../../../js/table/sentences.js";
import { cards, deal, fill, find, mySeat, now, seatRow, words } from "../../../js/table/page.js";
import { drawSeat } from "../../../js/table/seats.js";
import { centre } from "./centre.js";

const PLACES = ["below", "left", "above", "right"];

function order() {
  const seats = now.view.seats.map((each) => each.seat);
  const first = Math.max(0, seats.indexOf(mySeat() || seats[2]));
  return seats.map((_each, step) => seats[(first + step) % seats.length]);
}

export function draw() {
  drawScores();
  order().forEach((seat, step) => drawSeat(find(`seat-${PLACES[step]}`), seat));
  const shown = !deal() || deal().is_hidden ? null : cards();
  put(find("centre"), ...(shown ? centre(shown) : [element("p", { css: "centre-words", text: waitingWords() })]));
}

function drawScores() {
  const [own, other] = [0, 1].map((place) => seatRow(order()[place]).side);
  drawScore(find("our-score"), own);
  drawScore(find("their-score"), other);
}

function drawScore(box, side) {
  const shown = cards();
  /* What is left over counts at the end. */
  const made = shown ? (shown.is_over ? shown.score.total : shown.made)[side] : null;
  const isOfMany = now.view.deal && now.view.deal.of > 1;
  const total = now.view.match && isOfMany ? now.view.match.total[side] : null;
  put(
    box,
    element(
      "p",
      { css: "score-head" },
      element("span", { css: "score-side" }, pairName(side), element("span", { css: "score-which", text: words.sides[side] })),
      clockOf(side)
    ),
    element(
      "p",
      { css: "score-sum" },
      element("b", { css: "score-points", text: made === null ? "–" : String(made) }),
      element("span", { css: "score-more", text: made === null ? "" : total === null ? words.in_deal : fill(words.in_match, { points: total }) })
    )
  );
}

function pairName(side) {
  const { match } = now.view.names;
  const name = mySeat() && side === now.view.you.side ? words.you : match && (side === match.home_side ? match.home : match.away);
  return name ? element("span", { css: "score-pair ellipsis", text: name }) : null;
}
