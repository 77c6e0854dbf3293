/* Cards and what was done, in words; the words themselves come with the page. */
import { felt } from "./felt.js";
import { cards, deal, fill, isBehind, isMyTurn, isPaused, mySeat, nameOf, now, seatRow, words } from "./page.js";

export function cardName(token) {
  if (isJoker(token)) return words.joker;
  return fill(words.card, { rank: words.ranks[token[0]], suit: words.suits[token[1]].name });
}

export const isCard = (token) => token.length === 2 && token[0] in words.ranks && token[1] in words.suits;
const isJoker = (token) => token[1] === "k";
export const cardFace = (token) => (isJoker(token) ? words.suits.k.symbol : (token[0] === "T" ? "10" : token[0]) + words.suits[token[1]].symbol);
export const sentence = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

export const phraseText = (said) => fill(words.said, { player: nameOf(said.seat), phrase: words.phrases[said.phrase] || said.phrase });

/* What has happened from one view to the next, as sentences for those who listen: each thing once. */
export function newsOf(view, before) {
  return [...playNews(view, before), ...(before ? tableNews(view, before) : []), ...turnNews(view, before)].map(sentence);
}

function playNews(view, before) {
  const said = [];
  const isSameDeal = before && before.deal && view.deal && before.deal.number === view.deal.number;
  if (view.deal && !isSameDeal) said.push(fill(view.deal.of ? words.deal_begins : words.replay, { number: view.deal.number, of: view.deal.of }));
  const old = isSameDeal && before.deal.view ? felt.movesOf(before.deal.view) : [];
  const seen = view.deal && view.deal.view ? felt.movesOf(view.deal.view) : [];
  if (seen.length < old.length) said.push(words.taken_back);
  for (const move of seen.slice(old.length)) said.push(felt.actionWords(move.seat, move.token, move), ...felt.moveNews(move));
  if (isSameDeal && before.deal.view && view.deal.view) said.push(...felt.newsOf(view.deal.view, before.deal.view));
  if (isOver(view) && !(before && isOver(before))) said.push(words.deal_over, dealResult(view));
  return said;
}

/* Who asks for what, and what came of it; who sat down; what was said; a pause; the end. */
function tableNews(view, before) {
  const said = [...seatNews(view, before), ...requestNews(view, before)];
  const phrases = view.phrases.slice(before.state === view.state ? before.phrases.length : 0);
  said.push(...phrases.filter((each) => each.seat !== mySeat()).map(phraseText));
  const was = Boolean(before.deal && before.deal.is_paused);
  const is = Boolean(view.deal && view.deal.is_paused);
  if (was !== is && before.deal && view.deal) said.push(is ? words.pause_line : words.pause_over);
  if (isEnded(view) && !isEnded(before)) said.push((view.result && view.result.fault) || words.match_over);
  return said;
}

function seatNews(view, before) {
  return view.seats
    .filter((row, place) => holderName(row) !== holderName(before.seats[place]) && !row.is_you)
    .map((row) => `${words.seats[row.seat]}: ${holderName(row)}`);
}

/* Who holds a seat; of a free one in a match, whose it is. */
export function holderName(row) {
  if (row.is_free) return row.name || words.free;
  return row.robot ? fill(words.robot, { name: words.robots[row.robot] || row.robot }) : row.name;
}

/* The match is written down, or the deals of a table without a match are all played. */
export const isEnded = (view) => Boolean(view.result) || (view.state === "finished" && view.kind !== "match");

/* Somebody asks for something, or agrees; what was asked is no more, where that is not told by what it changed. */
function requestNews(view, before) {
  const old = new Map(before.requests.map((each) => [each.id, each]));
  const current = new Map(view.requests.map((each) => [each.id, each]));
  const isNews = (each) => each.state === "open" || each.kind === "time";
  const asked = view.requests.filter((each) => !old.has(each.id) && isNews(each) && each.seat !== mySeat());
  const agreed = view.requests.filter((each) => old.has(each.id) && each.state === "open" && each.agreed.length > old.get(each.id).agreed.length);
  const refused = view.requests.filter((each) => old.has(each.id) && each.state === "refused" && old.get(each.id).state === "open");
  const gone = before.requests.filter((each) => each.state === "open" && !current.has(each.id));
  const isBack = view.version > before.version && movesLeft(view) < movesLeft(before);
  return [
    ...[...asked, ...refused].map(requestText),
    ...agreed.map((each) => fill(words.agreed, { player: nameOf(each.agreed[each.agreed.length - 1]) })),
    ...gone.filter((each) => words.gone[each.kind] && !(each.kind === "take_back" && isBack)).map((each) => words.gone[each.kind]),
  ];
}

const movesLeft = (view) => (view.deal && view.deal.view ? felt.movesOf(view.deal.view).length : 0);

export function requestText(asked) {
  const who = asked.kind === "return" ? personAt(asked.seat) : asked.seat ? nameOf(asked.seat) : asked.side ? sideName(asked.side) : "";
  return fill(textOf(asked), { who, text: asked.text }).trim();
}

/* Whose seat it is, though a robot may hold it. */
const personAt = (seat) => seatRow(seat).stands_in || nameOf(seat);

function textOf(asked) {
  if (asked.kind === "return" && asked.state === "refused") return words.return_refused;
  if (asked.kind === "pause" && asked.state !== "open") return words.pause_of;
  if (asked.kind === "time" && now.view.terms.on_timeout === "robot") return words.time_robot;
  return words.requests[asked.kind] || "{who}";
}

const isOver = (view) => Boolean(view.deal && view.deal.view && view.deal.view.is_over);

/* A robot is not waited for: who is next is said of people. */
function turnNews(view, before) {
  const turn = turnOf(view);
  if (!turn || (before && turnOf(before) === turn && movesLeft(before) === movesLeft(view))) return [];
  if (turn === view.you.seat) return [words.your_turn];
  const row = seatRow(turn);
  return row.robot || row.played_by_robot ? [] : [fill(words.waits_for, { player: nameOf(turn) })];
}

const turnOf = (view) => (view.deal && view.deal.view && !view.deal.is_paused ? view.deal.view.turn : null);

export function clockFace(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const dealResult = (view) => pointsOfSides(view.deal.view.score.total);
export const totals = (match) => `${pointsOfSides(match.total)}.`;

export function pointsOfSides(points) {
  return Object.entries(points)
    .map(([side, made]) => fill(words.side_points, { side: sideName(side), points: signed(made) }))
    .join(", ");
}

/* A side by its name; where it is one seat, by who sits there. */
export function sideName(side) {
  const rows = now.view.seats.filter((row) => row.side === side);
  return rows.length === 1 ? nameOf(rows[0].seat) : words.sides[side] || side;
}

export const signed = (points) => String(points).replace("-", "−");

/* How the table stands, for whoever asks for it by a key. */
export function standing() {
  const shown = cards();
  if (!shown) return "";
  if (shown.is_over) return `${words.deal_over} ${dealResult(now.view)}.`;
  const said = [...felt.standing(shown)];
  if (deal().clock) said.push(...Object.entries(deal().clock.left_ms).map(([side, left]) => `${sideName(side)}: ${clockFace(left)}`));
  said.push(isPaused() ? words.pause_line : isMyTurn() ? words.your_turn : fill(words.waits_for, { player: nameOf(shown.turn) }));
  return said.map(sentence).join(" ");
}

/* What is said where there are no cards to be seen. */
export function waitingWords() {
  if (deal() && deal().is_hidden) return words.hidden;
  if (now.view.state === "waiting") return words.waiting;
  if (now.view.state === "closed") return words.closed;
  return isBehind() ? fill(words.nothing_yet, { seconds: now.view.terms.delay_seconds }) : "";
}
