/* The scoresheet's entry. The server reads the sheet and says what it means, what is wrong and what can still be
   entered; this page shows that and sends what is tapped. It knows no rule of the game. */
import * as acts from "./sheet/acts.js";
import { rove, Row } from "./sheet/drawing.js";
import { Keys } from "./sheet/keys.js";
import { device, Saver } from "./sheet/keeping.js";
import {
  announce, depth, drafts, find, findAll, given, keepReading, keepSteps, keptEdit, nextSpot, now, recallSteps, root, sheet,
  storageKey, takeReading, texts,
} from "./sheet/page.js";
import { draw, makeGrid, revealCell, rows, settlers } from "./sheet/panels.js";

const tokenField = root.querySelector("[name=csrfmiddlewaretoken]");
let wasOver = now.reading.over;

/* --- What the server says ----------------------------------------------------------------------------------- */

function takeAnswer(answer, question) {
  if (question.content.page.edited !== sheet.page.edited) return;
  now.isOffline = false;
  const known = new Set(now.reading.problems.map((problem) => problem.message));
  takeReading(answer);
  keepReading();
  draw();
  acts.then.reveal(sheet.page.spot);
  const fresh = answer.problems.filter((problem) => !problem.missing && !known.has(problem.message));
  announce(fresh.map((problem) => problem.message).join(" "));
  if (answer.over && !wasOver) find("check").focus();
  else if (now.goOnWhenRead && !answer.over) acts.next();
  now.goOnWhenRead = false;
  wasOver = answer.over;
}

/* The token of this page, or a fresh one where a login has made it old. */
async function token(isOld) {
  if (isOld) tokenField.value = (await window.concertmasterOutbox.session(texts.sessionUrl)).token;
  return tokenField.value;
}

function showState(state, words, login) {
  const status = find("status");
  status.dataset.state = state;
  const isOffline = state === "offline";
  if (isOffline) keepReading();
  if (isOffline !== now.isOffline && state !== "saving") {
    now.isOffline = isOffline;
    draw();
  }
  status.textContent =
    state === "saved" ? texts.savedText.replace("{}", words || "")
    : state === "saving" ? texts.savingText
    : state === "offline" ? texts.offlineText
    : state === "ready" ? texts.readyText
    : words || texts.refusedText;
  if (login) {
    const link = document.createElement("a");
    link.href = login;
    link.textContent = texts.loginText;
    status.append(" ", link);
  }
}

const saver = new Saver({
  url: texts.readingUrl,
  token,
  storageKey,
  saved: keptEdit,
  question: () => ({ content: sheet.asDraft(), focus: { deal: sheet.page.deal, spot: sheet.page.spot, whole: now.isWhole } }),
  onAnswer: takeAnswer,
  onState: showState,
});

acts.then.draw = draw;
acts.then.keep = () => {
  saver.keep(sheet.asDraft());
  saver.soon();
};
acts.then.reveal = (spot) => {
  if (now.isWhole) revealCell(sheet.page.deal, spot);
  else rows.get(spot)?.root.scrollIntoView({ block: "nearest" });
};

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
  dealTab: (deal) => {
    acts.showWhole(false);
    acts.go(Number(deal), depth(Number(deal)) === "totals" ? "total" : 0);
  },
  wholeTab: () => {
    if (sheet.page.spot === "seats") acts.next();
    acts.showWhole(true);
  },
  depth: (name) => {
    device.write("scoresheet:depth", name);
    acts.setDepth(name);
  },
  swapWith: (partner, button) => acts.swapPlayers(button.dataset.swap, partner),
  deals: acts.dealsFirst,
  swapSides: acts.turnTable,
  seatsButton: () => acts.go(sheet.page.deal, sheet.page.spot === "seats" ? (depth() === "totals" ? "total" : 0) : "seats"),
  undo: acts.undo,
  redo: acts.redo,
  sendUnread,
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
  if (depth() === "cards") return findAll("code").map((button) => button.dataset.code);
  return valuesHere().flatMap((value) => [value.code, value.letters]);
}

const valuesHere = () => (sheet.page.spot === "left" ? given.left_values : given.hand_values);

/* A code presses the button that bears it, if that can be pressed. */
function useCode(code) {
  const value = valuesHere().find((one) => one.code === code || one.letters === code);
  const button =
    depth() === "cards"
      ? root.querySelector(`[data-code="${CSS.escape(code)}"]`)
      : root.querySelector(`.values:not([hidden]) [data-value="${CSS.escape(value.key)}"]`);
  if (button && !button.disabled) button.click();
}

/* With a connection the newest draft goes along in the form, to be read and shown. Without one nobody can read it: it
   can be given to the device, which sends it when it can. */
function onCheck(event) {
  const draft = sheet.asDraft();
  saver.keep(draft);
  if (saver.isOffline || !navigator.onLine) {
    event.preventDefault();
    saver.lost();
    document.getElementById("send-unread").showModal();
    return;
  }
  keepSteps();
  root.querySelector("[name=content]").value = JSON.stringify(draft);
}

async function sendUnread() {
  document.getElementById("send-unread").close();
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fields = { content: JSON.stringify(sheet.asDraft()), unread: "1", key: id };
  const { sendUrl: url, fixture: title, sheetUrl: next } = texts;
  const sent = await window.concertmaster.send({ id, url, fields, title, storage: storageKey, next });
  if (sent.state === "sent") window.location.assign(sent.next);
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

/* An address such as #2.5 or #2.left, from the list of what is to be settled; of #2.total.NS the field is the answer. */
function startAt(fragment) {
  const found = /^#(\d{1,2})\.(\d|left|deal|total(?:\.\w+)?|made\.\w+)$/.exec(fragment);
  if (!found) return;
  const deal = Math.min(Number(found[1]), given.deals) - 1;
  const [name] = found[2].split(".");
  const spot = /\d/.test(name) ? Number(name) - 1 : name === "deal" ? 0 : name === "made" ? "total" : name;
  Object.assign(sheet.page, { deal, spot: depth(deal) === "totals" ? "total" : spot });
  return found[2].includes(".") ? found[2] : null;
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
  recallSteps();
  if (!sheet.page.depths.length) given.depth = device.read("scoresheet:depth") || given.depth;
  startRows();
  makeGrid(acts.go);
  const field = startAt(window.location.hash);
  root.addEventListener("click", onPress);
  root.addEventListener("input", onInput);
  root.addEventListener("keydown", onFieldEnter);
  find("check-form").addEventListener("submit", onCheck);
  window.addEventListener("pagehide", keepSteps);
  const { next, undo, redo, step, across } = acts;
  new Keys(codes, { choose: useCode, next, undo, redo, step, across, swap: acts.swapFrom });
  find("other").hidden = !drafts.other;
  document.getElementById("sheet-waiting").hidden = true;
  root.hidden = false;
  draw();
  acts.then.reveal(sheet.page.spot);
  showState(given.saved ? "saved" : "ready", given.saved);
  // A newer draft of this device, or another spot than the server knew, is read at once.
  if (drafts.shown !== given.draft || window.location.hash || !navigator.onLine) saver.now();
  if (field) root.querySelector(`[data-path="${CSS.escape(field)}"]`)?.focus();
}

start();
