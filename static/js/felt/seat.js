/* What lies before a seat: its cards, or their backs; melds; what it has said. */
import { copied, element, face } from "../table/elements.js";
import { mySeat, words } from "../table/page.js";
import { cardName } from "../table/sentences.js";
import { factsOf } from "./moves.js";

/* So many backs tell that there are many: the number stands beside them. */
const MOST_BACKS = 13;

const zoneOf = (shown, seat) => shown.seats.find((zone) => zone.seat === seat);

/* None of them is torn apart at the end of a line. */
export const seatFacts = (shown, seat) => factsOf(zoneOf(shown, seat)).map((fact) => fact.replaceAll(" ", "\u00a0"));

export const seatOf = (shown, seat) => [zoneOf(shown, seat), saidBy(shown, seat), shown.is_over];

const saidBy = (shown, seat) => shown.actions.findLast((move) => move.seat === seat && move.text)?.text;

export function underSeat(shown, seat) {
  const zone = zoneOf(shown, seat);
  const said = saidBy(shown, seat);
  const parts = [cardsOf(shown, zone), ...zone.melds.map((meld) => row(meld, "meld")), said ? element("p", { css: "seat-said", text: said }) : null].filter(Boolean);
  return parts.length ? element("div", { css: zone.is_in ? "seat-zone" : "seat-zone out" }, ...parts) : null;
}

/* The own cards lie before the player, as long as the deal goes on. */
function cardsOf(shown, zone) {
  if (zone.seat === mySeat() && !shown.is_over) return null;
  if (zone.cards.length) return row(zone.cards, "open");
  if (!zone.held) return null;
  const backs = Array.from({ length: Math.min(zone.held, MOST_BACKS) }, () => element("span", { css: "card-face tiny back" }));
  return element("span", { css: "fan", "aria-hidden": "true" }, ...backs);
}

const row = (tokens, kind) => copied(kind + tokens, () => rowOf(tokens, kind));

function rowOf(tokens, kind) {
  const label = `${words[kind]}: ${tokens.map(cardName).join(", ")}`;
  return element("span", { css: `hand ${kind}`, role: "group", "aria-label": label }, ...tokens.map((token) => face(token, "tiny")));
}
