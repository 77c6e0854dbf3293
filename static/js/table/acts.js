/* What the player does, sent to the server, which alone decides. An action has a key of its own: a phone that sends it
   twice plays it once. */
import { draw } from "./drawing.js";
import { mute } from "./chat.js";
import { element } from "./elements.js";
import { restore } from "./focus.js";
import { felt } from "./felt.js";
import { ask, isAsked } from "./asking.js";
import { line } from "./line.js";
import { announce, cards, deal, fill, find, isComposing, isMyTurn, isOnePress, isPaused, mayPlay, mySeat, now, ofCard, root, tokenOf, words, write } from "./page.js";
import { flight } from "./motion.js";
import { skip } from "./pace.js";
import { composed } from "./tray.js";
import { cardName, isCard, sentence } from "./sentences.js";

export function startActs() {
  root.addEventListener("click", onClick);
  root.addEventListener("change", onChange);
  root.addEventListener("submit", onSubmit);
  // The card that has the focus is the one at which the Tab key stops from now on.
  find("own").addEventListener("focusin", (event) => stopAt(event.target));
  root.addEventListener("close", () => window.setTimeout(restore), true);
}

function stopAt(card) {
  now.stop = card.dataset.card;
  for (const each of find("own").children) each.tabIndex = each === card ? 0 : -1;
}

function onChange(event) {
  if (!event.target.matches("[data-short-keys]")) return;
  now.hasShortKeys = event.target.checked;
  write("table:keys", now.hasShortKeys ? "on" : "off");
}

/* What is said is sent; it stays in the field until it is. */
async function onSubmit(event) {
  const form = event.target;
  if (!form.matches("[data-chat-form]")) return;
  event.preventDefault();
  const said = form.elements.text.value;
  if (await send("chat", { text: said })) form.reset();
}

function onClick(event) {
  const pressed = event.target.closest("button");
  const hasSkipped = skip();
  if (!pressed) return;
  const data = pressed.dataset;
  if (data.card && hasSkipped && isOnePress()) return;
  if (data.card) press(data.card);
  else if ("compose" in data) compose(data.compose);
  else if (data.act) play(data.act);
  else if (data.amount) chooseAmount(data);
  else if (data.step) step(data);
  else if (data.answer) send("answer", { request: Number(data.request), agrees: data.answer === "yes" });
  else if ("hint" in data) askHint();
  else if (data.meaning) askMeaning(Number(data.meaning));
  else if (data.reasonsOf) askReasons(data.reasonsOf);
  else if ("playHere" in data) line.playHere();
  else if ("showKeys" in data) find("keys").showModal();
  else if ("showHelp" in data) showHelp();
  else if (data.sort) choose("sort", data.sort);
  else if (data.mute) {
    mute(data.mute);
    draw();
  } else if (data.press) choose("press", data.press);
  else if (data.pace) choose("pace", data.pace);
  else if (data.sound) choose("sound", data.sound);
}

/* The first press takes a card up, the second plays it; or one press does both. */
export function press(key) {
  const token = tokenOf(key);
  if (isPaused()) return complain(words.pause_line);
  if (isComposing()) return takeUp(key);
  if (isOnePress() || now.selected === key) return play(token);
  if (isMyTurn() && !mayPlay(token)) return complain(reason(token));
  now.selected = key;
  draw();
  announce(`${cardName(token)}. ${ofCard("press_again")}`);
}

/* Cards that something is to be done with: pressed again, one is put back. */
function takeUp(key) {
  const isChosen = now.chosen.includes(key);
  now.chosen = isChosen ? now.chosen.filter((each) => each !== key) : [...now.chosen, key];
  now.trouble = "";
  draw();
  announce(fill(isChosen ? words.put_back : words.chosen, { card: cardName(key), count: now.chosen.length }));
}

/* Which of the amounts of a call its button offers. */
function chooseAmount({ amount, of }) {
  now.amounts[of] = Number(amount);
  draw();
  announce(find("actions").querySelector(`.amounts[data-of="${CSS.escape(of)}"] [data-act]`).textContent);
}

async function compose(prefix) {
  if (now.sent || !isComposing()) return;
  const { least } = felt.compositions(cards()).find((each) => each.prefix === prefix);
  if (least && !now.chosen.length) return complain(fill(words.choose_first, { count: least }));
  await send("act", { deal: deal().number, number: deal().next, token: prefix + composed(prefix) });
}

export async function play(token) {
  if (now.sent) return;
  if (isPaused()) return complain(words.pause_line);
  if (!isMyTurn()) return complain(words.not_your_turn);
  if (!mayPlay(token)) return complain(reason(token));
  now.selected = null;
  now.chosen = [];
  now.amounts = {};
  const land = isCard(token) ? lay(token) : null;
  const sending = send("act", { deal: deal().number, number: deal().next, token });
  if (land) land();
  await sending;
}

/* The card goes to the middle at once: the server has said that it may. Refused all the same, it is back in the hand. */
function lay(token) {
  const land = flight({ seat: mySeat(), token });
  now.laid = { token, number: deal().number, next: deal().next };
  return land;
}

function reason(token) {
  const refused = deal() && deal().why_not.find((each) => each.token === token);
  return refused ? refused.message : isMyTurn() ? words.not_allowed : words.not_your_turn;
}

/* Said where it was pressed: at a seat, at a request, else in the line under the cards. */
function complain(text, { seat, request } = {}) {
  now.trouble = text;
  now.troubleAt = { seat, request };
  draw();
  announce(text);
}

async function step(data) {
  const fields = {};
  for (const name of ["seat", "robot", "phrase"]) if (data[name]) fields[name] = data[name];
  if (data.request) fields.request = Number(data.request);
  if (data.lineId) fields.line = Number(data.lineId);
  Object.assign(fields, seenBefore(data.step));
  if (isAsked(data.step)) {
    const said = await ask(data.step);
    if (!said) return;
    Object.assign(fields, said);
  }
  send(data.step, fields);
}

/* What was there when it was pressed: pressed again where no answer came, it is done once. */
function seenBefore(step) {
  const you = now.view.you;
  if (step === "swap" && you.seat) return { seat: now.view.seats.find((row) => row.side === you.side && row.seat !== you.seat).seat };
  if (step === "add_time" && deal() && deal().clock) return { limit_ms: deal().clock.limit_ms };
  return {};
}

export async function send(name, fields) {
  now.trouble = "";
  now.sent = name;
  draw();
  const answer = await line.post(name, fields);
  now.sent = null;
  now.laid = null;
  if (answer.error) complain(answer.error, fields);
  else draw();
  return !answer.error;
}

function choose(what, value) {
  now[what] = value;
  write(`table:${what}`, value);
  draw();
}

async function askHint() {
  if (now.sent) return;
  now.sent = "hint";
  draw();
  const answer = await line.hint();
  now.sent = null;
  if (answer.error) return complain(answer.error);
  const said = fill(words.hint, { robot: words.robots[answer.robot], action: felt.actionName(answer.token) });
  now.hint = [said, ...answer.reasons].map(sentence).join(" ");
  draw();
  announce(now.hint);
}

async function askMeaning(number) {
  const box = find("meaning-box");
  const answer = await line.meanings(number);
  const lines = answer && answer.meanings ? answer.meanings : [];
  const card = box.querySelector("[data-meaning-card]");
  card.hidden = !(answer && answer.card);
  if (!card.hidden) card.querySelector("a").href = answer.card;
  list(box.querySelector("[data-meanings]"), lines.map((each) => each.message), words.no_meaning);
  box.showModal();
}

/* What the rules say now, and of each own card that may not be played, why. */
function showHelp() {
  const box = find("help-box");
  const byMessage = new Map();
  // Where no card is played by itself, none is refused by itself.
  const hasCards = felt.legal(cards()).some((token) => !felt.isCall(token));
  for (const { token, message } of deal().why_not.filter((each) => hasCards || felt.isCall(each.token))) byMessage.set(message, [...(byMessage.get(message) || []), felt.isCall(token) ? felt.actionName(token) : cardName(token)]);
  const refused = [...byMessage].map(([message, names]) => `${names.join(", ")}: ${message}`);
  list(box.querySelector("[data-help-lines]"), [cards().phase, ...cards().help, ...refused].map(sentence));
  box.showModal();
}

async function askReasons(seat) {
  const box = find("reasons-box");
  const answer = await line.reasons(seat);
  if (!answer || !answer.reasons) return complain(words.failed, { seat });
  list(box.querySelector("[data-reasons]"), answer.reasons, words.no_reasons);
  box.showModal();
}

function list(box, lines, none) {
  box.replaceChildren(...(lines.length ? lines : [none]).map((text) => element("li", { text })));
}
