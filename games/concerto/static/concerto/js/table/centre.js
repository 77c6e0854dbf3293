/* The middle of the table: the five cards of the hand being played, or what a deal came to. */
import { element, face, vacant } from "../../../js/table/elements.js";
import { deal, fill, isPaused, mySeat, nameOf, now, words } from "../../../js/table/page.js";
import { meaningButton } from "../../../js/table/seats.js";
import { dealResult } from "../../../js/table/sentences.js";
import { handName, handResult, isCall, ledWords } from "./moves.js";

export const centre = (shown) => (shown.is_over ? overParts(shown) : handParts(shown.current));

function handParts(told) {
  // With the own card that is on its way.
  const hand = now.laid ? { ...told, moves: [...told.moves, [mySeat(), now.laid.token]] } : told;
  const played = hand.moves.filter(([, token]) => !isCall(token));
  const isLaid = hand.moves.length > 0 && !isCall(hand.moves[hand.moves.length - 1][1]);
  const faces = played.map(([by, token], place) => {
    const extra = [by === hand.leader ? "" : "by-partner", isLaid && place === played.length - 1 ? "laid" : ""];
    return face(token, "large", { by: nameOf(by), extra: extra.filter(Boolean).join(" ") });
  });
  const missing = Array.from({ length: words.cards_in_hand - played.length }, () => vacant("large"));
  return [
    element("p", { css: "centre-words", text: centreWords(hand) }),
    element("div", { css: "hand current-hand" }, ...faces, ...missing),
    element("div", { css: "centre-moves" }, element("p", { text: callsInWords(hand) }), meaningButton(told)),
  ];
}

function centreWords(hand) {
  const parts = [ledWords(hand)];
  if (hand.combination) return `${parts[0]} · ${handResult(hand)}`;
  if (isPaused()) parts.unshift(words.paused);
  const { help } = deal();
  if (help) parts.push(fill(words.can_become, { hand: words.combinations[help.combination], in_ten: help.in_ten }));
  return parts.join(" · ");
}

/* Passes and "Play" leave no card: those since the last card are told in words, and a "Play" as long as it binds. */
function callsInWords(hand) {
  const isCard = hand.moves.map(([, token]) => !isCall(token));
  const last = isCard.lastIndexOf(true);
  return hand.moves
    .filter(([, token], place) => isCall(token) && (place > last || token === ">"))
    .map(([by, token]) => fill(token === "-" ? words.passed : words.said_play, { player: nameOf(by) }))
    .join(" · ");
}

function overParts(shown) {
  const left = shown.left_overs;
  const rows = [element("p", { css: "centre-words", text: words.deal_over }), element("p", { css: "large bold", text: dealResult(now.view) })];
  if (!left) return rows;
  const six = Object.entries(left.cards).flatMap(([seat, tokens]) => tokens.map((token) => face(token, "medium", { by: nameOf(seat) })));
  const told = { hand: handName(left), points: shown.score.left_over_bonus, side: words.sides[shown.score.left_over_to] };
  return [...rows, element("div", { css: "hand" }, ...six), element("p", { css: "centre-moves", text: fill(words.left_over, told) })];
}
