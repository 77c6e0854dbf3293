/* What was done and how it stands, in words, from the zones of a view. */
import { fill, isMyTurn, mySeat, nameOf, seatRow, words } from "../table/page.js";
import { cardFace, cardName, isCard, sideName, signed } from "../table/sentences.js";

/* Cards that are no legal action of their own are chosen for a composition. */
export const legal = (shown) => [...shown.cards, ...shown.calls.map((call) => call.token)];
export const compositions = (shown) => shown.compositions;
export const isCall = (token) => !isCard(token);
export const movesOf = (shown) => shown.actions;

export const callWords = (move) => move.text || move.token;

/* Of a game of tricks the trick on the table and the one before; of any other what was done in the last two rounds. */
export function roundsOf(shown) {
  const moves = shown.actions.map((move, place) => ({ ...move, place }));
  const players = shown.seats.length;
  const isOfTricks = shown.seats.some((zone) => zone.tricks !== null);
  const played = moves.filter((move) => isCard(move.token));
  if (!isOfTricks || played.length < moves.length || !played.length) {
    const last = moves.slice(-2 * players);
    return last.length ? [{ title: words.history_last, moves: last, result: "" }] : [];
  }
  const open = moves.slice(moves.length - shown.trick.length);
  const done = moves.slice(0, moves.length - open.length).slice(-players);
  return [
    { title: words.history_before, moves: done },
    { title: words.history_now, moves: open },
  ].filter((round) => round.moves.length);
}

/* A finished trick lies in the middle, and says who takes it, before the next one begins. */
export function restOf(shown, before, { seat, token }) {
  if (!before.trick.length || shown.trick.length || !isCard(token)) return null;
  const taker = shown.seats.find((zone, place) => zone.tricks > before.seats[place].tricks);
  const note = taker ? fill(words.takes_trick, { player: nameOf(taker.seat) }) : before.phase;
  const nothing = { turn: null, cards: [], calls: [], compositions: [], is_over: false, score: null };
  return { ...shown, ...nothing, trick: [...before.trick, [seat, token]], note };
}

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
