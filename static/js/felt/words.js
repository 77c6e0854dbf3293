/* What was done and how it stands, in words, from the zones of a view. */
import { fill, isMyTurn, mySeat, nameOf, seatRow, words } from "../table/page.js";
import { cardFace, cardName, isCard, sideName, signed } from "../table/words.js";

/* Cards that are no legal action of their own are chosen for a composition. */
export const legal = (shown) => [...shown.cards, ...shown.calls.map((call) => call.token)];
export const compositions = (shown) => shown.compositions;
export const isCall = (token) => !isCard(token);
export const movesOf = (shown) => shown.actions;

let labels = {};

/* A call keeps its name while it is on its way. */
export function learnLabels(shown) {
  if (shown.calls.length) labels = Object.fromEntries(shown.calls.map((call) => [call.token, call.label]));
}

export const actionName = (token) => (isCard(token) ? fill(words.play_card, { card: cardFace(token) }) : labels[token] || token);

export function actionWords(seat, token, move) {
  const player = seat === mySeat() ? words.you : nameOf(seat);
  return fill(words.plays, { player, card: move.text || cardName(token) });
}

export const counted = (name, count) => fill(count === 1 || count === -1 ? words[`one_${name}`] : words[`${name}s`], { count: signed(count) });

/* Who has taken a trick, and points made since; a new phase. */
export function newsOf(shown, before) {
  const said = [];
  const tricks = shown.seats.find((zone, place) => zone.tricks > before.seats[place].tricks);
  if (tricks) said.push(fill(words.takes_trick, { player: nameOf(tricks.seat) }));
  const sides = new Set();
  shown.seats.forEach((zone, place) => {
    const side = seatRow(zone.seat).side;
    if (zone.points === before.seats[place].points || sides.has(side)) return;
    sides.add(side);
    said.push(fill(words.side_points, { side: sideName(side), points: signed(zone.points) }));
  });
  if (shown.phase !== before.phase && !shown.is_over) said.push(shown.phase);
  return said;
}

export function standing(shown) {
  const said = [shown.phase];
  if (shown.trump) said.push(fill(words.trump, { card: trumpName(shown.trump) }));
  for (const [seat, token] of shown.trick) said.push(fill(words.plays, { player: nameOf(seat), card: cardName(token) }));
  if (shown.upcard) said.push(fill(words.upcard, { card: cardName(shown.upcard) }));
  if (shown.stock !== null) said.push(counted("stock_card", shown.stock));
  if (shown.pot !== null) said.push(fill(words.in_pot, { count: shown.pot }));
  for (const zone of shown.seats) said.push(`${nameOf(zone.seat)}: ${factsOf(zone).join(", ")}`);
  if (isMyTurn() && shown.mine.length) said.push(fill(words.you_hold, { cards: shown.mine.map(cardName).join(", ") }));
  return said;
}

/* A card that was turned up, a suit, or a word of the game. */
export function trumpName(trump) {
  if (isCard(trump)) return cardName(trump);
  return words.suits[trump] ? words.suits[trump].name : trump;
}

export function factsOf(zone) {
  const facts = [counted("card", zone.held)];
  if (zone.tricks !== null) facts.push(counted("trick", zone.tricks));
  if (zone.points !== null) facts.push(counted("point", zone.points));
  if (zone.stake !== null) facts.push(fill(words.stake, { count: zone.stake }));
  if (!zone.is_in) facts.push(words.out);
  return facts;
}
