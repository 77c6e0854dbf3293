/* What was done and how it stands, in words, from the zones of a view. */
import { fill, isMyTurn, mySeat, nameOf, now, ofCard, seatRow, words } from "../table/page.js";
import { cardFace, cardName, isCard, sideName, signed } from "../table/sentences.js";

/* Cards that are no legal action of their own are chosen for a composition. */
export const legal = (shown) => [...shown.cards, ...shown.calls.map((call) => call.token)];
export const compositions = (shown) => shown.compositions;
export const isCall = (token) => !isCard(token);
export const movesOf = (shown) => shown.actions;

export const callWords = (move) => move.text || move.token;

const isOfTricks = (shown) => shown.seats.some((zone) => zone.tricks !== null);

/* Cards in a trick: who is out plays none. */
const cardsInTrick = (shown) => shown.seats.filter((zone) => zone.is_in).length;

/* Of a game of tricks the trick on the table and the one before, with what was said in them; of any other what was done in the last two rounds. */
export function roundsOf(shown) {
  const moves = shown.actions.map((move, place) => ({ ...move, place }));
  const players = shown.seats.length;
  const played = moves.filter((move) => isCard(move.token));
  if (!isOfTricks(shown) || !played.length) {
    const last = moves.slice(-2 * players);
    return last.length ? [{ title: words.history_last, moves: last, result: "" }] : [];
  }
  const done = played.slice(0, played.length - shown.trick.length).slice(-cardsInTrick(shown));
  const begins = done.length ? done[0].place : 0;
  const ends = done.length ? done[done.length - 1].place + 1 : 0;
  return [
    { title: words.history_before, moves: moves.slice(begins, ends) },
    { title: words.history_now, moves: moves.slice(ends) },
  ].filter((round) => round.moves.length);
}

/* The trick before, which may be looked at until the next one begins. */
export function trickBefore(shown) {
  if (shown.trick.length || !isOfTricks(shown)) return [];
  const played = shown.actions.filter((move) => isCard(move.token)).slice(-cardsInTrick(shown));
  return played.map((move) => [move.seat, move.token]);
}

/* A finished trick lies in the middle, and says who takes it, before the next one begins. */
export function restOf(shown, before, { seat, token }) {
  if (!before.trick.length || shown.trick.length || !isCard(token)) return null;
  const taker = shown.seats.find((zone, place) => zone.tricks > before.seats[place].tricks);
  const note = taker ? fill(words.takes_trick, { player: nameOf(taker.seat) }) : before.phase;
  const nothing = { turn: null, cards: [], calls: [], barred: [], compositions: [], is_over: false, score: null };
  return { ...shown, ...nothing, trick: [...before.trick, [seat, token]], note };
}

export const isAlone = (side) => now.view.seats.filter((row) => row.side === side).length === 1;
export const sides = () => [...new Set(now.view.seats.map((row) => row.side))];

let labels = {};

/* A call keeps its name while it is on its way. */
export function learnLabels(shown) {
  const calls = [...shown.calls, ...shown.barred];
  if (calls.length) labels = Object.fromEntries(calls.map((call) => [call.token, call.label]));
}

export const actionName = (token) => (isCard(token) ? fill(ofCard("play_card"), { card: cardFace(token) }) : labels[token] || token);

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
  for (const [name, points] of shown.places) said.push(fill(words.side_points, { side: name, points: signed(points) }));
  for (const zone of shown.seats) said.push(`${nameOf(zone.seat)}: ${factsOf(zone).join(", ")}`);
  for (const side of sides()) if (pointsOfSide(shown, side) !== null) said.push(fill(words.side_points, { side: sideName(side), points: signed(pointsOfSide(shown, side)) }));
  if (isMyTurn() && shown.mine.length) said.push(fill(words.you_hold, { cards: shown.mine.map(cardName).join(", ") }));
  return said;
}

/* A card that was turned up, a suit, or a word of the game. */
export function trumpName(trump) {
  if (isCard(trump)) return cardName(trump);
  return words.suits[trump] ? words.suits[trump].name : trump;
}

/* Partners' points are one figure, which stands with their side. */
const hasPartner = (seat) => !isAlone(seatRow(seat).side);

export const pointsOfSide = (shown, side) => shown.seats.find((zone) => seatRow(zone.seat).side === side && hasPartner(zone.seat))?.points ?? null;

export function factsOf(zone) {
  const facts = [counted("card", zone.held)];
  if (zone.tricks !== null) facts.push(counted("trick", zone.tricks));
  if (zone.points !== null && !hasPartner(zone.seat)) facts.push(counted("point", zone.points));
  if (zone.stake !== null) facts.push(fill(words.stake, { count: zone.stake }));
  if (!zone.is_in) facts.push(words.out);
  facts.push(...(zone.notes || []));
  return facts;
}
