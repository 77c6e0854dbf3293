/* What a seat has before it: the finished hands that it led, and how many cards it holds. */
import { element, face } from "../../../js/table/elements.js";
import { nameOf, now } from "../../../js/table/page.js";
import { cardsLeft, meaningButton } from "../../../js/table/seats.js";
import { handName, isCall } from "./moves.js";

export const seatFacts = (shown, seat) => (shown.is_over ? [] : [cardsLeft(shown.cards_left[seat])]);

/* A hand says who played each card. */
export const seatOf = (shown) => [shown, now.view.seats];

export function underSeat(shown, seat) {
  const led = shown.hands.filter((hand) => hand.leader === seat);
  return led.length ? element("ul", { css: "led-hands" }, ...led.map(ledHand)) : null;
}

function ledHand(hand) {
  const played = hand.moves.filter(([, token]) => !isCall(token));
  const faces = played.map(([by, token]) => face(token, "tiny", { by: nameOf(by), extra: by === hand.leader ? "" : "by-partner" }));
  return element(
    "li",
    { css: "led-hand" },
    element("span", { css: "hand" }, ...faces),
    element("b", { css: "led-points", text: String(hand.points) }),
    meaningButton(hand),
    element("span", { css: "led-name", text: handName(hand) })
  );
}
