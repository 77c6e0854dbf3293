/* Concerto's actions and hands in words; the words themselves come with the page. */
import { fill, mySeat, nameOf, words } from "../../../js/table/page.js";
import { cardFace, cardName, pointsOfSides } from "../../../js/table/sentences.js";

export const isCall = (token) => token.length === 1;

export function handName(hand) {
  const name = words.combinations[hand.combination] || hand.combination;
  return hand.split ? fill(words.with_split, { name, split: hand.split }) : name;
}

/* A finished hand: "full house, 8 points". */
export const handResult = (hand) => fill(hand.points === 1 ? words.one_hand_result : words.hand_result, { hand: handName(hand), points: hand.points });

export function actionWords(seat, token) {
  const player = seat === mySeat() ? words.you : nameOf(seat);
  if (token === "-") return fill(words.passes, { player });
  if (token === ">") return fill(words.says_play, { player });
  return fill(words.plays, { player, card: cardName(token) });
}

export const actionName = (token) =>
  token === "-" ? words.pass : token === ">" ? words.say_play : fill(words.play_card, { card: cardFace(token) });

export const callWords = ({ token }) => (token === "-" ? words.pass : words.play_called);

const handsOf = (shown) => (shown.current ? [...shown.hands, shown.current] : shown.hands);

/* Every action of the deal; the last of a hand with the finished hand. */
export function movesOf(shown) {
  return handsOf(shown).flatMap((hand) =>
    hand.moves.map(([seat, token], place) => ({
      seat,
      token,
      hand: hand.combination && place === hand.moves.length - 1 ? hand : null,
    }))
  );
}

export const moveNews = (move) => (move.hand ? [handResult(move.hand)] : []);

export function roundsOf(shown) {
  let place = 0;
  return handsOf(shown)
    .map((hand) => ({
      title: fill(words.hand_number, { number: hand.number + 1 }),
      moves: hand.moves.map(([seat, token]) => ({ seat, token, place: place++ })),
      result: hand.combination ? handResult(hand) : "",
    }))
    .filter((round) => round.moves.length);
}

/* A finished hand lies in the middle, with what it made, before the next one begins. */
export function restOf(shown, before) {
  if (shown.hands.length === before.hands.length) return null;
  const current = shown.hands[shown.hands.length - 1];
  return { ...shown, hands: shown.hands.slice(0, -1), current, turn: null, legal: [], is_over: false, score: null, left_overs: null };
}

export const ledWords = ({ number, leader }) =>
  fill(leader === mySeat() ? words.hand_led_by_you : words.hand_led, { number: number + 1, player: nameOf(leader) });

/* The hand that is being played, and the points so far. */
export function standing({ current, made }) {
  return [ledWords(current), ...current.moves.map(([seat, token]) => actionWords(seat, token)), pointsOfSides(made)];
}
