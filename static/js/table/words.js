/* Cards, hands and what was done, in words; the words themselves come with the page. */
import { fill, mySeat, nameOf, words } from "./page.js";

export function cardName(token) {
  return fill(words.card, { rank: words.ranks[token[0]], suit: words.suits[token[1]].name });
}

export const cardFace = (token) => (token[0] === "T" ? "10" : token[0]) + words.suits[token[1]].symbol;

export function handName(hand) {
  const name = words.combinations[hand.combination] || hand.combination;
  return hand.split ? fill(words.with_split, { name, split: hand.split }) : name;
}

/* A finished hand: "full house, 8 points". */
export const handResult = (hand) => fill(words.hand_result, { hand: handName(hand), points: hand.points });

export function actionWords(seat, token) {
  const player = seat === mySeat() ? words.you : nameOf(seat);
  if (token === "-") return fill(words.passes, { player });
  if (token === ">") return fill(words.says_play, { player });
  return fill(words.plays, { player, card: cardName(token) });
}

export const actionName = (token) =>
  token === "-" ? words.pass : token === ">" ? words.play : fill(words.play_card, { card: cardFace(token) });

/* What has happened from one view to the next, for those who listen. */
export function newsOf(view, before) {
  const said = [];
  const isSameDeal = before && before.deal && view.deal && before.deal.number === view.deal.number;
  if (view.deal && !isSameDeal) said.push(fill(words.deal_begins, { number: view.deal.number, of: view.deal.of }));
  const old = isSameDeal && before.deal.view ? movesOf(before.deal.view) : [];
  const seen = view.deal && view.deal.view ? movesOf(view.deal.view) : [];
  if (seen.length < old.length) said.push(words.taken_back);
  for (const move of seen.slice(old.length)) {
    said.push(actionWords(move.seat, move.token));
    if (move.hand) said.push(handResult(move.hand));
  }
  if (view.deal && view.deal.view && view.deal.view.is_over && !(before && isOver(before))) said.push(dealResult(view));
  if (before) said.push(...requestNews(view, before));
  if (isEnded(view) && before && !isEnded(before)) said.push((view.result && view.result.fault) || words.match_over);
  return said.concat(turnWords(view, before));
}

/* The match is written down, or the deals of a table without a match are all played. */
export const isEnded = (view) => Boolean(view.result) || (view.state === "finished" && view.kind !== "match");

/* Somebody asks for something; what was asked is granted or settled, or is no more. */
function requestNews(view, before) {
  const old = new Map(before.requests.map((each) => [each.id, each]));
  const current = new Map(view.requests.map((each) => [each.id, each]));
  const asked = view.requests.filter((each) => !old.has(each.id) && each.state === "open" && each.seat !== mySeat());
  const agreed = view.requests.filter((each) => old.has(each.id) && each.agreed.length > old.get(each.id).agreed.length);
  const gone = before.requests.filter((each) => each.state === "open" && (current.get(each.id) || { state: "gone" }).state === "gone");
  return [
    ...asked.map(requestText),
    ...agreed.map((each) => fill(words.agreed, { player: nameOf(each.agreed[each.agreed.length - 1]) })),
    ...gone.filter((each) => words.gone[each.kind]).map((each) => words.gone[each.kind]),
  ];
}

export function requestText(asked) {
  const who = asked.seat ? nameOf(asked.seat) : words.sides[asked.side] || "";
  return fill(words.requests[asked.kind] || "{who}", { who, text: asked.text });
}

const isOver = (view) => Boolean(view.deal && view.deal.view && view.deal.view.is_over);

function movesOf(cards) {
  const hands = cards.current ? [...cards.hands, cards.current] : cards.hands;
  return hands.flatMap((hand) =>
    hand.moves.map(([seat, token], place) => ({
      seat,
      token,
      hand: hand.combination && place === hand.moves.length - 1 ? hand : null,
    }))
  );
}

function turnWords(view, before) {
  const turn = view.deal && view.deal.view && view.deal.view.turn;
  const was = before && before.deal && before.deal.view && before.deal.view.turn;
  return turn && turn === view.you.seat && was !== turn ? [words.your_turn] : [];
}

export function dealResult(view) {
  const { total } = view.deal.view.score;
  return Object.entries(total)
    .map(([side, points]) => fill(words.side_points, { side: words.sides[side], points }))
    .join(", ");
}
