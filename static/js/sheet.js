/* The scoresheet's entry. The server reads the sheet and says what it means, what is wrong and what can still be
   entered; this page shows that and sends what is tapped. It knows no rule of the game. */
import * as acts from "./sheet/acts.js";
import { rove, Row } from "./sheet/drawing.js";
import { Keys } from "./sheet/keys.js";
import { device, Saver } from "./sheet/keeping.js";
import { announce, depth, drafts, find, findAll, given, keptEdit, nextSpot, now, root, sheet, storageKey, takeReading, texts } from "./sheet/page.js";
import { draw, rows, settlers } from "./sheet/panels.js";
import { sendWaiting } from "./sheet/sending.js";

const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
let wasOver = now.reading.over;

/* --- What the server says ----------------------------------------------------------------------------------- */

function takeAnswer(answer, question) {
  if (question.content.page.edited !== sheet.page.edited) return;
  const known = new Set(now.reading.problems.map((problem) => problem.message));
  takeReading(answer);
  draw();
  acts.then.reveal(sheet.page.spot);
  const fresh = answer.problems.filter((problem) => !problem.missing && !known.has(problem.message));
  announce(fresh.map((problem) => problem.message).join(" "));
  if (answer.over && !wasOver) find("check").focus();
  else if (now.goOnWhenRead && !answer.over) acts.next();
  now.goOnWhenRead = false;
  wasOver = answer.over;
}

function showState(state, words) {
  const status = find("status");
  status.dataset.state = state;
  status.textContent =
    state === "saved" ? texts.savedText.replace("{}", words || "")
    : state === "saving" ? texts.savingText
    : state === "offline" ? texts.offlineText
    : state === "ready" ? texts.readyText
    : words || texts.refusedText;
}

const saver = new Saver({
  url: texts.readingUrl,
  token,
  storageKey,
  saved: keptEdit,
  question: () => ({ content: sheet.asDraft(), focus: { deal: sheet.page.deal, spot: sheet.page.spot } }),
  onAnswer: takeAnswer,
  onState: showState,
});

acts.then.draw = draw;
acts.then.keep = () => {
  saver.keep(sheet.asDraft());
  saver.soon();
};
acts.then.reveal = (spot) => rows.get(spot)?.root.scrollIntoView({ block: "nearest" });

/* --- Buttons and keys --------------------------------------------------------------------------------------- */



function chooseKey(key) {
  const value = valuesHere().find((one) => one.key === key);
  if (value) acts.choose(value, true);
}

function chooseBrief(key) {
  const one = given.combinations.find((combination) => combination.key === key);
  acts.choose({ combination: key, label: one.short, points_shown: one.points_shown, key }, one.is_whole);
}

/* Which attribute of a pressed button means what; the first that is there counts. */
const PRESSES = {
  value: chooseKey,
  briefValue: chooseBrief,
  card: acts.tapCard,
  fromSeat: (seat) => {
    now.from = seat;
    draw();
  },
  dealTab: (deal) => acts.go(Number(deal), depth(Number(deal)) === "totals" ? "total" : 0),
  depth: (name) => {
    device.write("scoresheet:depth", name);
    acts.setDepth(name);
  },
  swapWith: (partner, button) => acts.swapPlayers(button.dataset.swap, partner),
  deals: acts.dealsFirst,
  swapSides: acts.turnTable,
  seatsButton: () => acts.go(sheet.page.deal, sheet.page.spot === "seats" ? (depth() === "totals" ? "total" : 0) : "seats"),
  undo: acts.undo,
  clear: acts.clearSpot,
  next: () => (nextSpot() ? acts.next() : find("check-form").requestSubmit()),
  useOther,
};

function onPress(event) {
  const button = event.target.closest("button");
  if (!button || !root.contains(button)) return;
  const name = Object.keys(PRESSES).find((key) => button.dataset[key] !== undefined);
  if (name) PRESSES[name](button.dataset[name], button);
}

function onInput(event) {
  const field = event.target;
  if (field.dataset.path) acts.typeTotal(field.dataset.path.split("."), field.value);
  else if (field.dataset.line !== undefined) acts.typeLine(field.value);
}

/* Enter in a field goes to the next one, then on in the sheet. */
function onFieldEnter(event) {
  if (event.key !== "Enter" || !event.target.matches("input[data-path], input[data-line]")) return;
  event.preventDefault();
  const fields = findAll("path").filter((field) => field.dataset.path.startsWith("total"));
  const following = event.target.dataset.path ? fields[fields.indexOf(event.target) + 1] : null;
  if (following) following.focus();
  else acts.next();
  if (!following && sheet.page.spot === "total") fields[0].focus();
}

function codes() {
  if (root.dataset.panel !== "values") return [];
  return depth() === "cards" ? given.card_codes : valuesHere().map((value) => value.code);
}

const valuesHere = () => (sheet.page.spot === "left" ? given.left_values : given.hand_values);

/* A code presses the button that bears it, if that can be pressed. */
function useCode(code) {
  const value = valuesHere().find((one) => one.code === code);
  const button =
    depth() === "cards"
      ? root.querySelector(`[data-code="${CSS.escape(code)}"]`)
      : root.querySelector(`.values:not([hidden]) [data-value="${CSS.escape(value.key)}"]`);
  if (button && !button.disabled) button.click();
}

/* Without a connection nothing can be checked; with one, the newest draft goes along in the form. */
function onCheck(event) {
  const draft = sheet.asDraft();
  saver.keep(draft);
  if (!navigator.onLine) {
    event.preventDefault();
    showState("offline");
    announce(texts.offlineText);
    return;
  }
  root.querySelector("[name=content]").value = JSON.stringify(draft);
}

function useOther() {
  const current = sheet.asDraft();
  sheet.change(() => {});
  sheet.load(drafts.other);
  drafts.other = current;
  sheet.page.edited = Date.now();
  acts.changed();
}

/* --- The beginning ------------------------------------------------------------------------------------------ */

/* An address such as #2.5 or #2.left, from the list of what is to be settled. */
function startAt(fragment) {
  const found = /^#(\d{1,2})\.(\d|left|total|deal)$/.exec(fragment);
  if (!found) return;
  const deal = Math.min(Number(found[1]), given.deals) - 1;
  const spot = /\d/.test(found[2]) ? Number(found[2]) - 1 : found[2] === "deal" ? 0 : found[2];
  Object.assign(sheet.page, { deal, spot: depth(deal) === "totals" ? "total" : spot });
}

function startRows() {
  const template = document.getElementById("sheet-row");
  const open = (spot) => acts.go(sheet.page.deal, spot);
  for (let spot = 0; spot < given.hands; spot += 1) rows.set(spot, new Row(template, spot, open));
  rows.set("left", new Row(template, "left", open));
  find("rows").append(...[...rows.values()].map((row) => row.root));
  settlers.push(rove(find("pad"), 13), rove(find("hand-values")), rove(find("left-values")), rove(find("brief")));
}

function start() {
  if (!sheet.page.depths.length) given.depth = device.read("scoresheet:depth") || given.depth;
  startRows();
  startAt(window.location.hash);
  root.addEventListener("click", onPress);
  root.addEventListener("input", onInput);
  root.addEventListener("keydown", onFieldEnter);
  find("check-form").addEventListener("submit", onCheck);
  new Keys(codes, { choose: useCode, next: acts.next, undo: acts.undo, step: acts.step, swap: acts.swapFrom });
  find("other").hidden = !drafts.other;
  document.getElementById("sheet-waiting").hidden = true;
  root.hidden = false;
  draw();
  acts.then.reveal(sheet.page.spot);
  showState(given.saved ? "saved" : "ready", given.saved);
  // A newer draft of this device, or another spot than the server knew, is read at once.
  if (drafts.shown !== given.draft || window.location.hash || !navigator.onLine) saver.now();
  sendWaiting(storageKey, token);
}

start();
