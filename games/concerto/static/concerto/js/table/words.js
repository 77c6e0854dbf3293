/* Concerto's actions and hands in words; the words themselves come with the page. */
import { fill, mySeat, nameOf, words } from "../../../js/table/page.js";
import { cardFace, cardName, pointsOfSides } from "../../../js/table/words.js";

export const isCall = (token) => token.length === 1;

export function handName(hand) {
  const name = words.combinations[hand.combination] || hand.combination;
  return hand.split ? fill(words.with_split, { name, split: hand.split }) : name;
}

/* A finished hand: "full house, 8 points". */
const handResult = (hand) => fill(words.hand_result, { hand: handName(hand), points: hand.points });

export function actionWords(seat, token) {
  const player = seat === mySeat() ? words.you : nameOf(seat);
  if (token === "-") return fill(words.passes, { player });
  if (token === ">") return fill(words.says_play, { player });
  return fill(words.plays, { player, card: cardName(token) });
}

export const actionName = (token) =>
  token === "-" ? words.pass : token === ">" ? words.say_play : fill(words.play_card, { card: cardFace(token) });

/* Every action of the deal; the last of a hand with the finished hand. */
export function movesOf(shown) {
  const hands = shown.current ? [...shown.hands, shown.current] : shown.hands;
  return hands.flatMap((hand) =>
    hand.moves.map(([seat, token], place) => ({
      seat,
      token,
      hand: hand.combination && place === hand.moves.length - 1 ? hand : null,
    }))
  );
}

export const moveNews = (move) => (move.hand ? [handResult(move.hand)] : []);

/* The hand that is being played, and the points so far. */
export function standing({ current, made }) {
  const led = fill(words.hand_led, { number: current.number + 1, player: nameOf(current.leader) });
  return [led, ...current.moves.map(([seat, token]) => actionWords(seat, token)), pointsOfSides(made)];
}
