/* The places: who sits there, whose turn it is, and what that seat has before it. */
import { button, element, putOf } from "./elements.js";
import { felt } from "./felt.js";
import { cards, deal, fill, isPaused, may, mySeat, nameOf, now, seatRow, waited, words } from "./page.js";
import { holderName } from "./sentences.js";

export function drawSeat(box, seat) {
  const row = seatRow(seat);
  const shown = cards();
  const isTurn = Boolean(shown && shown.turn === seat);
  box.classList.toggle("on-turn", isTurn);
  box.dataset.place = seat;
  putOf(box, factsOf(row, isTurn), () => [
    element(
      "p",
      { css: "seat-head" },
      element("b", { css: "seat-who", text: holderName(row) }),
      row.is_you && row.name !== words.you ? element("span", { css: "seat-you", text: words.you_mark }) : null,
      isTurn ? element("span", { css: "pill brass", text: isPaused() ? words.paused : words.to_play }) : null
    ),
    felt.seatScore(row),
    element("p", { css: "seat-more", text: seatFacts(row) }),
    seatButtons(row),
    troubleAt(row.seat),
    shown ? felt.underSeat(shown, seat) : null,
  ]);
}

/* Everything that a seat shows but the time on its clock, which `drawClocks` writes. */
function factsOf(row, isTurn) {
  const { state, match } = now.view;
  const told = deal() && { dealer: deal().dealer, hasClock: Boolean(deal().clock) };
  const trouble = now.troubleAt.seat === row.seat ? now.trouble : "";
  return [row, mySeat(), now.view.you.side, state, match && match.total, told, isTurn, isPaused(), isAbsent(row), trouble, cards() && felt.seatOf(cards(), row.seat)];
}

const troubleAt = (seat) => (now.trouble && now.troubleAt.seat === seat ? element("p", { css: "fault bold", text: now.trouble }) : null);

function seatFacts(row) {
  const facts = [words.seats[row.seat]];
  const shown = cards();
  if (mySeat() && !row.is_you && row.side === now.view.you.side) facts.push(words.partner);
  if (deal() && deal().dealer === row.seat) facts.push(words.dealer);
  if (row.played_by_robot && !row.robot) facts.push(words.robot_plays_on);
  if (row.is_free) facts.push(words.seat_free);
  if (row.robot && row.stands_in) facts.push(fill(words.stands_in, { name: row.stands_in }));
  if (shown) facts.push(...felt.seatFacts(shown, row.seat));
  if (["waiting", "between"].includes(now.view.state) && row.is_ready && !row.is_free) facts.push(words.ready);
  return facts.join(" · ");
}

export const cardsLeft = (count) => fill(count === 1 ? words.one_card : words.cards, { count });

function seatButtons(row) {
  const made = [];
  if (row.may_sit) made.push(button(words.sit, { css: "compact", "data-step": "sit", "data-seat": row.seat }));
  if (row.may_return) made.push(button(words.ask_return, { css: "compact", "data-step": "return", "data-seat": row.seat }));
  for (const key of row.robots) {
    const text = fill(words.seat_robot, { name: words.robots_to_choose[key] || key });
    made.push(button(text, { css: "quiet compact", "data-step": "robot", "data-seat": row.seat, "data-robot": key }));
  }
  if (row.explains) {
    const label = fill(words.ask_reasons_of, { player: holderName(row) });
    made.push(button(words.ask_reasons, { css: "quiet compact", "data-reasons-of": row.seat, "aria-label": label }));
  }
  if (isAbsent(row)) made.push(button(words.absent, { css: "quiet compact", "data-step": "absence", "data-seat": row.seat }));
  return made.length ? element("div", { css: "seat-buttons actions" }, ...made) : null;
}

/* Asked no sooner than the terms of the table say. */
function isAbsent(row) {
  const isWaitedFor = cards() && cards().turn === row.seat && !row.is_free && !row.robot && !row.is_you;
  return isWaitedFor && may("absence") && waited() >= now.view.terms.absence_seconds * 1000;
}

export function meaningButton(hand) {
  if (!now.view.you.seat || hand.moves.length < 2) return null;
  return button("?", {
    css: "quiet ask",
    "data-meaning": String(hand.number),
    "aria-label": fill(words.ask_meaning, { number: hand.number + 1 }),
  });
}
