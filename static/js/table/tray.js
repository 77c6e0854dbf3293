/* What lies before the player, always in view: the own cards, what can be done now, and one line that says so. */
import { button, cardButton, element, hide, put, say } from "./elements.js";
import { felt } from "./felt.js";
import { paceName } from "./pace.js";
import { cardFace, signed } from "./sentences.js";
import { isOn } from "./sound.js";
import { cards, deal, fill, find, isComposing, isMyTurn, isOnePress, isPaused, keysOf, may, mayPlay, mySeat, nameOf, now, ofCard, tokenOf, words } from "./page.js";

/* So many cards lie in one row where the screen is narrow: a thumb tells them apart. */
const IN_A_ROW = 7;
/* So many amounts of a call have a button each. */
const AMOUNTS = 6;
const STEPS = ["swap", "pause", "director", "roll_back", "add_time", "stand", "count", "guests_talk", "guests_silent", "close", "again"];

export function drawTray() {
  drawOwnCards();
  put(find("actions"), ...actionButtons());
  const isOver = Boolean(cards() && cards().is_over);
  put(find("steps"), ...STEPS.filter((step) => may(step) && !(step === "again" && isOver)).map((step) => stepButton(step, "quiet compact")));
  // What is refused at a seat or a request is said there.
  const trouble = now.troubleAt.seat || now.troubleAt.request ? "" : now.trouble;
  say(find("line"), trouble || lineOfWords());
  find("line").classList.toggle("trouble", Boolean(trouble));
  drawChoices();
}

function drawOwnCards() {
  const box = find("own");
  const shown = cards();
  const mine = mySeat() && shown && !shown.is_over ? [...shown.mine].sort(now.sort === "suit" ? trumpsFirst(shown) : byRank) : [];
  const isFolded = mine.length > IN_A_ROW;
  // Where something is said and no card is played, the hand is looked at: it keeps its colours.
  const isResting = isMyTurn() && !isComposing() && !mine.some(mayTake);
  const keys = keysOf(mine);
  const stop = [now.stop, now.selected, keys[0]].find((key) => keys.includes(key));
  hide(box, !mine.length);
  box.classList.toggle("folded", isFolded);
  box.style.setProperty("--count", String(Math.max(2, mine.length)));
  box.style.setProperty("--columns", String(isFolded ? Math.ceil(mine.length / 2) : Math.max(1, mine.length)));
  put(box, ...keys.map((key) => cardButton(key, { isSelected: isTaken(key), isLegal: mayTake(tokenOf(key)), isStop: key === stop, isLaid: isLaid(key), isResting })));
}

const isLaid = (key) => Boolean(now.laid) && now.laid.token === tokenOf(key);
const isTaken = (key) => now.selected === key || now.chosen.includes(key);
const mayTake = (token) => !isPaused() && !now.isTakenOver && (!isMyTurn() || mayPlay(token) || isComposing());
const bySuit = (one, other) => suitPlace(one) - suitPlace(other) || rankPlace(one) - rankPlace(other);
function trumpsFirst({ trump }) {
  const suit = trump ? trump[trump.length - 1] : "";
  return (one, other) => (other[1] === suit) - (one[1] === suit) || bySuit(one, other);
}
const byRank = (one, other) => rankPlace(one) - rankPlace(other) || suitPlace(one) - suitPlace(other);
/* The chosen cards, in heaps of so many as they were chosen. */
const heapsOf = ({ heap }) => now.chosen.map(tokenOf).reduce((heaps, token, at) => (at % heap ? heaps.at(-1).push(token) : heaps.push([token]), heaps), []);
/* As a composition sends them: in heaps, or as hands are written. */
export function composed(prefix) {
  const composition = felt.compositions(cards()).find((each) => each.prefix === prefix);
  if (composition && composition.heap) return heapsOf(composition).map((heap) => heap.join("")).join("/");
  return now.chosen.map(tokenOf).sort(bySuit).join("");
}
const suitPlace = (token) => words.order.suits.indexOf(token[1]);
const rankPlace = (token) => words.order.ranks.indexOf(token[0]);

const isPractice = () => now.view.kind === "practice";
const nameOfStep = (step) => (step === "ready" && isPractice() ? words.next_deal : words.steps[step]);
const stepButton = (step, css) => button(nameOfStep(step), { css, "data-step": step });

function actionButtons() {
  if (now.isTakenOver) return [button(words.play_here, { "data-play-here": true })];
  const made = ["ready", "resume"].filter(may).map((step) => stepButton(step, ""));
  if (isMyTurn()) made.push(...callButtons(), ...composeButtons(), ...playButton());
  if (may("take_back")) made.push(stepButton("take_back", "secondary"));
  if (may("hint") && isMyTurn()) made.push(button(words.steps.hint, { css: "secondary", "data-hint": true }));
  if (may("again") && cards() && cards().is_over) made.push(stepButton("again", "secondary"));
  return made;
}

function callButtons() {
  const refused = deal().why_not.map((each) => each.token).filter(felt.isCall);
  const order = Object.values(felt.callKeys);
  const calls = [...new Set([...felt.legal(cards()).filter(felt.isCall), ...refused])].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return calls.flatMap((token) => {
    const amounts = amountsOf(token);
    if (amounts.length <= AMOUNTS) return [callButton(token)];
    return token === amounts[0] ? [amountButtons(prefixOf(token), amounts)] : [];
  });
}

const callButton = (token) => button(felt.actionName(token), { css: "secondary", "data-act": token, "aria-disabled": mayPlay(token) ? null : "true" });

/* The same call with other numbers, from the lowest: of many, one is shown, with buttons for less and more. */
const prefixOf = (token) => (/\d+$/.test(token) ? token.replace(/\d+$/, "") : null);
const amountsOf = (token) => (felt.isCall(token) && prefixOf(token) !== null && mayPlay(token) ? felt.legal(cards()).filter((each) => felt.isCall(each) && prefixOf(each) === prefixOf(token)) : []);
const amountOf = (token) => Number(token.slice(prefixOf(token).length));

function amountButtons(prefix, amounts) {
  const at = Math.min(now.amounts[prefix] || 0, amounts.length - 1);
  const each = amountOf(amounts[1]) - amountOf(amounts[0]);
  const by = (step) => {
    const to = Math.min(Math.max(at + step, 0), amounts.length - 1);
    return button(step > 0 ? `+${step * each}` : signed(step * each), { css: "quiet", "data-amount": String(to), "data-of": prefix, "data-by": String(step), "aria-disabled": to === at ? "true" : null });
  };
  return element("span", { css: "amounts", role: "group", "data-of": prefix }, by(-5), by(-1), callButton(amounts[at]), by(1), by(5));
}

/* Whether these cards will do, and how many, says the server. */
function composeButtons() {
  const count = now.chosen.length;
  const name = ({ label, heap }) => (heap ? `${label}: ${heapsOf({ heap }).map((cards) => cards.map(cardFace).join(" ")).join(" / ")}` : fill(words.with_cards, { label, count }));
  // One card that is played by itself has a button of its own.
  const composable = felt.compositions(cards()).filter((each) => each.prefix || !chosenAlone());
  return composable.map((each) => button(count ? name(each) : each.label, { css: count ? "play" : "secondary", "data-compose": each.prefix }));
}

/* The one card that was chosen, where cards are also played by themselves. */
const chosenAlone = () => (isComposing() && now.chosen.length === 1 && felt.legal(cards()).some((token) => !felt.isCall(token)) ? tokenOf(now.chosen[0]) : null);

function playButton() {
  const token = isComposing() ? chosenAlone() : !isOnePress() && now.selected && tokenOf(now.selected);
  return token ? [button(felt.actionName(token), { css: "play", "data-act": token, "aria-disabled": mayPlay(token) ? null : "true" })] : [];
}

function whatToPress(shown) {
  if (isComposing()) return words.your_turn_choose;
  if (!felt.legal(shown).some((token) => !felt.isCall(token))) return words.your_turn;
  return ofCard(isOnePress() ? "your_turn_one" : "your_turn_two");
}

/* One line says what may be done now, and why something else may not. */
function lineOfWords() {
  const shown = cards();
  if (now.sent) return words.sending;
  if (now.isTakenOver) return words.other_window;
  if (now.isCatchingUp) return words.skip;
  if (now.hint) return now.hint;
  if (!shown || shown.is_over) return may("ready") && !isPractice() ? words.ready_for_next : "";
  if (isPaused()) return words.pause_line;
  if (!shown.turn) return "";
  /* Nobody plays a lesson on. */
  if (!isMyTurn()) return now.view.lesson ? "" : fill(words.waits_for, { player: nameOf(shown.turn) });
  return [whatToPress(shown), ...reasons()].join(" ");
}

/* Each reason once, with all calls that it forbids; why a card may not be played is said when it is pressed or chosen alone. */
function reasons() {
  const byMessage = new Map();
  const alone = chosenAlone();
  for (const { token, message } of deal().why_not.filter((each) => felt.isCall(each.token) || each.token === alone)) byMessage.set(message, [...(byMessage.get(message) || []), felt.actionName(token)]);
  return [...byMessage].map(([message, names]) => `${names.join(", ")}: ${message}`);
}

function drawChoices() {
  const box = find("choices");
  hide(box, !mySeat());
  for (const each of box.querySelectorAll("[data-sort]")) each.setAttribute("aria-pressed", String(each.dataset.sort === now.sort));
  for (const each of box.querySelectorAll("[data-sound]")) each.setAttribute("aria-pressed", String((each.dataset.sound === "on") === isOn()));
  for (const each of box.querySelectorAll("[data-pace]")) each.setAttribute("aria-pressed", String(each.dataset.pace === paceName()));
  for (const each of box.querySelectorAll("[data-press]")) each.setAttribute("aria-pressed", String((each.dataset.press === "one") === isOnePress()));
  find("short-keys").checked = now.hasShortKeys;
  hide(find("show-help"), !(cards() && cards().help && cards().help.length));
}
