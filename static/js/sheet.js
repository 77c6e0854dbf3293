/* The scoresheet's entry. The server reads the sheet and says what it means, what is wrong and what can still be
   entered; this page shows that and sends what is tapped. It knows no rule of the game. */
import { cardFace, element, problemBox, rove, Row } from "./sheet/drawing.js";
import { Keys } from "./sheet/keys.js";
import { device, newerOf, Saver } from "./sheet/keeping.js";
import { cardsBySeat, Sheet, setAt, toggled } from "./sheet/state.js";

const root = document.getElementById("sheet");
const find = (name) => root.querySelector(`[data-${name}]`);
const findAll = (name) => [...root.querySelectorAll(`[data-${name}]`)];
const given = JSON.parse(document.getElementById("sheet-data").textContent);
const texts = root.dataset;
const storageKey = `scoresheet:${given.person}:${given.match}`;

const kept = device.read(storageKey);
const drafts = newerOf(kept, given.draft);
const sheet = new Sheet(drafts.shown, given.deals);
let reading = given.reading;
let from = null;
let wasOver = reading.over;

const rows = new Map();
const settlers = [];

/* --- Where we are ------------------------------------------------------------------------------------------- */

const lastHand = given.hands - 1;
const depth = () => sheet.page.depths[sheet.page.deal] || given.depth;
const onHand = () => typeof sheet.page.spot === "number";
const shownDeal = () => (reading.deal.index === sheet.page.deal ? reading.deal : null);
const spotShown = (spot = sheet.page.spot) => {
  const deal = shownDeal();
  if (!deal) return null;
  return spot === "left" ? deal.left : deal.hands[spot];
};

function go(deal, spot, { focus = false } = {}) {
  sheet.page.deal = deal;
  sheet.page.spot = spot;
  from = null;
  draw();
  saver.soon();
  const row = rows.get(spot);
  if (row) row.root.scrollIntoView({ block: "nearest" });
  if (focus && row) row.button.focus();
  announce(find("title").textContent);
}

function nextSpot() {
  const { deal, spot } = sheet.page;
  if (spot === "seats") return [deal, depth() === "totals" ? "total" : 0];
  if (onHand() && spot < lastHand) return [deal, spot + 1];
  if (onHand()) return [deal, "left"];
  if (reading.over || deal + 1 >= given.deals) return null;
  return [deal + 1, depthOf(deal + 1) === "totals" ? "total" : 0];
}

function depthOf(deal) {
  if (!sheet.page.depths[deal]) sheet.page.depths[deal] = depth();
  return sheet.page.depths[deal];
}

function next() {
  const target = nextSpot();
  if (target) go(...target);
  else find("check").focus();
}

/* --- Entering ----------------------------------------------------------------------------------------------- */

function values() {
  return sheet.page.spot === "left" ? given.left_values : given.hand_values;
}

function choose(value) {
  if (sheet.page.spot === "left") {
    sheet.setField(["left_over"], { combination: value.combination, ...(value.split && { split: value.split }) });
  } else {
    sheet.setHand(
      { combination: value.combination, ...(value.split && { split: value.split }) },
      given.hands,
    );
  }
  showAtOnce(value);
  if (value.whole) stepAfterChoice();
  else changed();
}

/* Shows what was tapped before the server has read it. */
function showAtOnce(value) {
  const shown = spotShown();
  if (!shown) return;
  Object.assign(shown, { words: value.label, points: value.points_shown, cards: [], value: value.key, provisional: true });
}

function stepAfterChoice() {
  const target = nextSpot();
  if (sheet.page.spot === "left") {
    // Whether there is another deal is the server's to say: go on when it has.
    changed();
    goOnWhenRead = target !== null;
  } else go(...target);
}

let goOnWhenRead = false;

function tapCard(card) {
  const shown = spotShown();
  const seat = from || (shown && shown.from[0].seat);
  if (!seat) return;
  if (sheet.page.spot === "left") {
    sheet.setField(["left"], toggled(sheet.record().left || {}, seat, card));
  } else {
    const before = shown && shown.as_cards ? shown.as_cards : cardsBySeat(sheet.hand());
    const bySeat = toggled(before, seat, card);
    if (shown) shown.as_cards = bySeat;
    sheet.setHand(Object.keys(bySeat).length ? { cards: bySeat } : null, given.hands);
  }
  changed();
}

function typeLine(text) {
  sheet.setHand(text.trim() || null, given.hands);
  changed();
}

function typeTotal(path, text) {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text.trim()) : text.trim();
  sheet.setField(path, number);
  changed();
}

function clearSpot() {
  if (sheet.page.spot === "left") {
    sheet.changeRecord((record) => {
      delete record.left;
      delete record.left_over;
    });
  } else sheet.setHand(null, given.hands);
  changed();
}

function undo() {
  if (!sheet.undo()) return;
  from = null;
  for (const hand of reading.deal.hands) delete hand.as_cards;
  changed();
  announce(texts.undone);
}

function applyFix(fix) {
  sheet.change(() => fix.forEach(({ place, value }) => setAt(sheet.content, place, value)));
  changed();
}

function swapPlayers(one, other) {
  sheet.change(() => {
    const seats = { ...sheet.content.seats };
    [seats[one], seats[other]] = [seats[other], seats[one]];
    sheet.content.seats = seats;
  });
  changed();
}

function swapSides() {
  sheet.change(() => {
    const order = given.seats.map(({ seat }) => seat);
    const turned = order.map((seat, at) => [order[(at + 1) % order.length], sheet.content.seats[seat]]);
    sheet.content.seats = Object.fromEntries(turned);
  });
  changed();
}

function changed() {
  saver.keep(sheet.asDraft());
  draw();
  saver.soon();
}

/* --- Drawing ------------------------------------------------------------------------------------------------ */

function draw() {
  drawHead();
  drawTabs();
  drawRows();
  drawEntry();
  settlers.forEach((settle) => settle());
}

function drawHead() {
  for (const pair of ["home", "away"]) {
    find(`${pair}-total`).textContent = reading.head[pair];
    find(`${pair}-side`).textContent = reading.head[`${pair}_side`];
  }
  find("middle").textContent = reading.head.middle;
}

function drawTabs() {
  findAll("deal-tab").forEach((tab, index) => {
    const state = reading.deals[index] || { state: "empty", label: "" };
    const isCurrent = index === sheet.page.deal && sheet.page.spot !== "seats";
    tab.setAttribute("aria-current", isCurrent ? "true" : "false");
    tab.dataset.state = state.state;
    tab.querySelector("[data-mark]").textContent = state.mark || "";
    tab.disabled = state.state === "beyond";
  });
  find("seats-button").setAttribute("aria-expanded", sheet.page.spot === "seats" ? "true" : "false");
  findAll("depth").forEach((button) => {
    button.setAttribute("aria-pressed", button.dataset.depth === depth() ? "true" : "false");
  });
}

function drawRows() {
  const deal = shownDeal();
  find("dealer").textContent = deal ? deal.dealer : "";
  const hasHands = depth() !== "totals" || (deal && deal.has_hands);
  find("rows").hidden = !hasHands;
  for (const [spot, row] of rows) {
    const shown = spotShown(spot) || { lead: "", title: "", cards: [], words: "", points: "", provisional: true };
    const isCurrent = spot === sheet.page.spot;
    const showsPlaces = isCurrent && depth() === "cards" && typeof spot === "number" && !shown.value;
    row.fill(shown, isCurrent, showsPlaces ? given.cards : 0);
    row.complain(problemsAt(spot), applyFix);
  }
  find("sums").replaceChildren(...(deal ? deal.sums.flatMap(sumCells) : []));
  find("deal-problems").replaceChildren(
    ...[...problemsAt("deal"), ...problemsAt("total"), ...problemsAt("seats")].map((problem) =>
      problemBox(problem, applyFix),
    ),
  );
}

function sumCells(sum) {
  const style = sum.strong ? "number total" : "number";
  return [
    element("span", sum.strong ? "total" : "", sum.label),
    element("span", style, sum.home),
    element("span", style, sum.away),
  ];
}

function problemsAt(spot) {
  return reading.problems.filter(
    (problem) => !problem.missing && (problem.deal === sheet.page.deal || problem.deal === null) && problem.spot === spot,
  );
}

function drawEntry() {
  const { spot } = sheet.page;
  const shown = spotShown();
  const isCards = depth() === "cards";
  const panel = spot === "seats" ? "seats" : depth() === "totals" || spot === "total" ? "totals" : "values";
  find("title").textContent = titleOf(panel, shown);
  find("seats-panel").hidden = panel !== "seats";
  find("totals-panel").hidden = panel !== "totals";
  find("values-panel").hidden = panel !== "values";
  root.dataset.panel = panel;
  root.dataset.depth = panel === "values" ? depth() : "";
  find("from").hidden = panel !== "values" || !isCards;
  find("cards-panel").hidden = panel !== "values" || !isCards;
  if (panel === "values") drawValues(shown);
  if (panel === "values" && isCards) drawPad(shown);
  if (panel === "totals") drawTotals();
  if (panel === "seats") drawSeats();
  drawButtons();
}

function titleOf(panel, shown) {
  if (panel === "seats") return texts.seatsTitle;
  if (panel === "totals") return texts.totalsTitle.replace("{}", sheet.page.deal + 1);
  return shown ? shown.title : "";
}

/* The chips: in a deal told by cards one chip a combination, else one for each value, so that one tap is enough. */
function drawValues(shown) {
  const isLeft = sheet.page.spot === "left";
  const offered = reading.choices && isHere(reading.choices) ? reading.choices.values : {};
  const hasCards = Boolean(shown && shown.cards.length);
  find("hand-values").hidden = isLeft;
  find("left-values").hidden = !isLeft;
  const group = find(isLeft ? "left-values" : "hand-values");
  group.querySelectorAll("[data-value]").forEach((chip) => {
    const isChosen = Boolean(shown) && shown.value === chip.dataset.value;
    const isPossible = offered[chip.dataset.value] !== false;
    chip.setAttribute("aria-pressed", isChosen ? "true" : "false");
    chip.disabled = !isChosen && (hasCards || !isPossible);
  });
}

function isHere(choices) {
  return choices.deal === sheet.page.deal && choices.spot === sheet.page.spot;
}

function drawPad(shown) {
  const players = shown ? shown.from : [];
  if (!players.some((player) => player.seat === from)) from = players.length ? players[0].seat : null;
  const bySeat = cardsHere(shown);
  const elsewhere = new Set(cardsElsewhere());
  drawFrom(players, bySeat);
  const leader = players.length ? players[0].seat : null;
  findAll("card").forEach((key) => {
    const card = key.dataset.card;
    const seat = Object.keys(bySeat).find((name) => bySeat[name].includes(card));
    key.setAttribute("aria-pressed", seat ? "true" : "false");
    key.classList.toggle("by-partner", Boolean(seat) && seat !== leader);
    key.disabled = !seat && elsewhere.has(card);
  });
  const isLine = typeof sheet.hand() === "string";
  const line = find("line");
  if (document.activeElement !== line) line.value = isLine ? sheet.hand() : "";
  find("line-part").hidden = sheet.page.spot === "left";
}

function cardsHere(shown) {
  if (sheet.page.spot === "left") return sheet.record().left || {};
  return (shown && shown.as_cards) || cardsBySeat(sheet.hand());
}

/* Cards that lie in another hand of this deal, or with what is left. */
function cardsElsewhere() {
  const deal = shownDeal();
  if (!deal) return [];
  const hands = deal.hands.flatMap((hand, spot) => (spot === sheet.page.spot ? [] : hand.cards));
  const left = sheet.page.spot === "left" ? [] : deal.left.cards;
  return [...hands, ...left].map((card) => card.text);
}

function drawFrom(players, bySeat) {
  const box = find("from");
  const buttons = players.map((player) => {
    const count = (bySeat[player.seat] || []).length;
    const button = element("button", "from-player", player.name);
    button.type = "button";
    button.title = player.label;
    button.dataset.seat = player.seat;
    button.setAttribute("aria-pressed", player.seat === from ? "true" : "false");
    button.setAttribute("aria-label", `${player.label}: ${count}`);
    if (count) button.append(element("span", "from-count", String(count)));
    return button;
  });
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
  box.querySelectorAll("button").forEach((button) => button.remove());
  box.append(...buttons);
  if (focused) buttons.find((button) => button.dataset.seat === focused)?.focus();
}

function drawTotals() {
  findAll("path").forEach((field) => {
    const path = field.dataset.path.split(".");
    const value = path.reduce((found, key) => (found && typeof found === "object" ? found[key] : undefined), sheet.record());
    const text = value === undefined || value === null ? "" : String(value);
    if (document.activeElement !== field) field.value = text;
    const isFaulty = reading.problems.some(
      (problem) => problem.deal === sheet.page.deal && !problem.missing && problem.field === field.dataset.path,
    );
    field.setAttribute("aria-invalid", isFaulty ? "true" : "false");
  });
}

function drawSeats() {
  const players = Object.fromEntries(given.players.map((player) => [player.key, player]));
  findAll("seat").forEach((box) => {
    const seat = box.dataset.seat;
    const player = players[sheet.content.seats[seat]];
    box.querySelector("[data-player]").textContent = player ? player.name : "";
    box.querySelector("[data-pair]").textContent = player ? player.pair : "";
    const deals = box.querySelector("[data-deals]");
    deals.setAttribute("aria-pressed", sheet.content.first_dealer === seat ? "true" : "false");
  });
}

function drawButtons() {
  const target = nextSpot();
  const { spot } = sheet.page;
  find("undo").disabled = !sheet.past.length;
  find("next").textContent =
    spot === "seats" ? texts.startText
    : !target ? texts.checkText
    : target[0] !== sheet.page.deal ? texts.nextDealText.replace("{}", target[0] + 1)
    : target[1] === "left" ? texts.nextLeftText
    : texts.nextHandText;
  find("clear").hidden = spot === "seats" || spot === "total" || depth() === "totals";
}

/* --- What the server says ----------------------------------------------------------------------------------- */

function announce(words) {
  if (words && window.concertmaster) window.concertmaster.announce(words);
}

function takeAnswer(answer, question) {
  const isNewest = question.content.page.edited === sheet.page.edited;
  if (!isNewest) return;
  const known = new Set(reading.problems.map((problem) => problem.message));
  reading = answer;
  draw();
  const fresh = reading.problems.filter((problem) => !problem.missing && !known.has(problem.message));
  if (fresh.length) announce(fresh.map((problem) => problem.message).join(" "));
  goOn();
}

function goOn() {
  if (reading.over && !wasOver && !reading.problems.some((problem) => problem.refuses)) find("check").focus();
  else if (goOnWhenRead && !reading.over) next();
  goOnWhenRead = false;
  wasOver = reading.over;
}

function showState(state, words) {
  const status = find("status");
  status.dataset.state = state;
  status.textContent =
    state === "saved" ? texts.savedText.replace("{}", words || "")
    : state === "saving" ? texts.savingText
    : state === "offline" ? texts.offlineText
    : words || texts.refusedText;
}

const saver = new Saver({
  url: texts.readingUrl,
  token: root.querySelector("[name=csrfmiddlewaretoken]").value,
  storageKey,
  question: () => ({
    content: sheet.asDraft(),
    focus: { deal: sheet.page.deal, spot: sheet.page.spot },
  }),
  onAnswer: takeAnswer,
  onState: showState,
});

/* --- Buttons and keys --------------------------------------------------------------------------------------- */

function startRows() {
  const template = document.getElementById("sheet-row");
  const open = (spot) => go(sheet.page.deal, spot);
  for (let spot = 0; spot <= lastHand; spot += 1) rows.set(spot, new Row(template, spot, open));
  rows.set("left", new Row(template, "left", open));
  find("rows").append(...[...rows.values()].map((row) => row.root));
}

function chooseKey(key) {
  const value = values().find((one) => one.key === key);
  const chip = root.querySelector(`[data-value="${CSS.escape(key)}"]`);
  if (value && chip && !chip.disabled) choose(value);
}

function setDepth(name) {
  sheet.page.depths[sheet.page.deal] = name;
  device.write("scoresheet:depth", name);
  const spot = name === "totals" ? "total" : onHand() || sheet.page.spot === "left" ? sheet.page.spot : 0;
  go(sheet.page.deal, spot);
}

function codes() {
  if (root.dataset.panel !== "values") return [];
  if (depth() === "cards") return given.card_codes;
  return values().map((value) => value.code);
}

function useCode(code) {
  if (depth() === "cards") {
    const key = root.querySelector(`[data-code="${CSS.escape(code)}"]`);
    if (key && !key.disabled) tapCard(key.dataset.card);
  } else {
    const value = values().find((one) => one.code === code);
    if (value) chooseKey(value.key);
  }
}

function step(by) {
  if (!onHand() && sheet.page.spot !== "left") return;
  const spot = onHand() ? sheet.page.spot : given.hands;
  const to = Math.min(Math.max(0, spot + by), given.hands);
  go(sheet.page.deal, to === given.hands ? "left" : to);
}

function swapFrom() {
  const shown = spotShown();
  if (!shown || depth() !== "cards") return;
  const order = shown.from.map((player) => player.seat);
  from = order[(order.indexOf(from) + 1) % order.length];
  draw();
}

function onPress(event) {
  const button = event.target.closest("button");
  if (!button || !root.contains(button)) return;
  const data = button.dataset;
  if (data.value !== undefined) chooseKey(data.value);
  else if (data.card) tapCard(data.card);
  else if (data.seat && button.classList.contains("from-player")) {
    from = data.seat;
    draw();
  } else if (data.dealTab !== undefined) {
    const deal = Number(data.dealTab);
    go(deal, depthOf(deal) === "totals" ? "total" : 0);
  } else if (data.depth) setDepth(data.depth);
  else if (data.swapWith) swapPlayers(data.swap, data.swapWith);
  else if (data.deals) {
    sheet.change(() => (sheet.content.first_dealer = data.deals));
    changed();
  } else if (data.swapSides !== undefined) swapSides();
  else if (data.seatsButton !== undefined) {
    go(sheet.page.deal, sheet.page.spot === "seats" ? (depth() === "totals" ? "total" : 0) : "seats");
  } else if (data.undo !== undefined) undo();
  else if (data.clear !== undefined) clearSpot();
  else if (data.next !== undefined) {
    if (nextSpot()) next();
    else find("check").click();
  } else if (data.useOther !== undefined) useOther();
}

function onInput(event) {
  const field = event.target;
  if (field.dataset.path) typeTotal(field.dataset.path.split("."), field.value);
  else if (field.dataset.line !== undefined) typeLine(field.value);
}

function onFieldEnter(event) {
  if (event.key !== "Enter" || !event.target.matches("input[data-path], input[data-line]")) return;
  event.preventDefault();
  const fields = findAll("path").filter((field) => field.offsetParent);
  const following = fields[fields.indexOf(event.target) + 1];
  if (event.target.dataset.path && following) following.focus();
  else next();
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
  changed();
}

function start() {
  if (kept) saver.saved = kept.saved || 0;
  if (!drafts.shown.page) given.depth = device.read("scoresheet:depth") || given.depth;
  startRows();
  settlers.push(rove(find("pad"), 13), rove(find("hand-values")), rove(find("left-values")));
  root.addEventListener("click", onPress);
  root.addEventListener("input", onInput);
  root.addEventListener("keydown", onFieldEnter);
  find("check-form").addEventListener("submit", onCheck);
  new Keys(codes, { choose: useCode, next, undo, step, swap: swapFrom });
  find("other").hidden = !drafts.other;
  document.getElementById("sheet-waiting").hidden = true;
  root.hidden = false;
  draw();
  const isNewer = drafts.shown !== given.draft;
  if (isNewer || !navigator.onLine) saver.now();
  else showState(given.draft.page ? "saved" : "ready", given.saved || texts.readyText);
  rows.get(sheet.page.spot)?.root.scrollIntoView({ block: "nearest" });
}

start();
