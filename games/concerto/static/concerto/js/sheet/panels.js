/* Redraws the whole entry from what is known: totals, tabs, the deal's rows, and the keys for this spot. */
import { applyFix, cardsHere } from "./acts.js";
import { element, problemBox } from "./drawing.js";
import { dealAt, depth, find, findAll, given, nextSpot, now, numberOf, root, sheet, shownAt, shownDeal, texts } from "./page.js";

export const rows = new Map();
export const settlers = [];

export function draw() {
  drawHead();
  drawTabs();
  drawRows();
  drawOtherProblems();
  drawEntry();
  settlers.forEach((settle) => settle());
}

function drawHead() {
  const { head } = now.reading;
  for (const pair of ["home", "away"]) {
    find(`${pair}-total`).textContent = head[pair];
    find(`${pair}-side`).textContent = head[`${pair}_side`];
  }
  find("middle").textContent = head.middle;
  // What was tapped since is not in the totals yet.
  find("bar").classList.toggle("waits", now.isOffline);
}

function drawTabs() {
  const { deal, spot } = sheet.page;
  findAll("deal-tab").forEach((tab, index) => {
    const known = now.reading.deals[index] || { state: "empty", mark: "" };
    tab.setAttribute("aria-current", index === deal && spot !== "seats" && !now.isWhole ? "true" : "false");
    tab.dataset.state = known.state;
    tab.querySelector("[data-mark]").textContent = known.mark;
    tab.disabled = known.state === "beyond";
  });
  find("whole-tab").setAttribute("aria-current", now.isWhole ? "true" : "false");
  find("seats-button").setAttribute("aria-expanded", spot === "seats" ? "true" : "false");
  root.querySelectorAll("button[data-depth]").forEach((button) => {
    button.setAttribute("aria-pressed", button.dataset.depth === depth() ? "true" : "false");
  });
}

const NOT_READ = { lead: "", title: "", cards: [], words: "", points: "", value: "", so_far: "", who: "", provisional: true, from: [] };

function drawRows() {
  const deal = shownDeal();
  find("dealer").textContent = deal ? deal.dealer : "";
  root.dataset.view = now.isWhole ? "whole" : "steps";
  find("grid").hidden = !now.isWhole;
  find("sums").hidden = now.isWhole;
  if (now.isWhole) drawGrid();
  find("rows").hidden = now.isWhole || (depth() === "totals" && !(deal && deal.has_hands));
  for (const [spot, row] of rows) {
    const shown = shownAt(spot) || NOT_READ;
    const isCurrent = spot === sheet.page.spot;
    const showsPlaces = isCurrent && depth() === "cards" && typeof spot === "number" && (shown.cards.length || !shown.value);
    row.fill(shown, isCurrent, showsPlaces ? given.cards : 0);
    row.complain(problemsAt(spot), applyFix);
  }
  find("sums").replaceChildren(...(deal ? deal.sums.flatMap(sumCells) : []));
}

/* What belongs to no hand; on the whole sheet all that is wrong, each with its place. */
function drawOtherProblems() {
  const all = now.reading.problems.filter((problem) => !problem.missing);
  const shown = now.isWhole ? all : ["deal", "total", "seats"].flatMap(problemsAt);
  find("deal-problems").replaceChildren(...shown.map((problem) => problemBox(problem, applyFix, true)));
}

function sumCells(sum) {
  const style = sum.strong ? "bold" : "";
  return [
    element("span", style, sum.label),
    element("span", `number ${style}`, sum.home),
    element("span", `number ${style}`, sum.away),
  ];
}

function problemsAt(spot) {
  const { deal } = sheet.page;
  return now.reading.problems.filter(
    (problem) => !problem.missing && (problem.deal === deal || problem.deal === null) && problem.spot === spot,
  );
}

function drawEntry() {
  const { spot } = sheet.page;
  const shown = shownAt();
  const isCards = depth() === "cards";
  const panel = spot === "seats" ? "seats" : depth() === "totals" || spot === "total" ? "totals" : "values";
  root.dataset.panel = panel;
  root.dataset.depth = depth();
  find("title").textContent =
    panel === "seats" ? texts.seatsTitle
    : panel === "totals" ? texts.totalsTitle.replace("{}", numberOf(sheet.page.deal))
    : shown ? shown.title : "";
  find("who").textContent = panel === "values" && shown ? shown.who : "";
  find("seats-panel").hidden = panel !== "seats";
  find("totals-panel").hidden = panel !== "totals";
  find("values-panel").hidden = panel !== "values";
  find("from").hidden = panel !== "values" || !isCards;
  find("cards-panel").hidden = !isCards;
  if (panel === "values") drawValues(shown, isCards);
  if (panel === "values" && isCards) drawPad(shown);
  if (panel === "totals") drawTotals();
  if (panel === "seats") drawSeats();
  drawButtons(panel);
}

/* One chip for each value, so that one tap is enough; in a deal told by cards one for each combination, and its
   splits when it was chosen. */
function drawValues(shown, isCards) {
  const isLeft = sheet.page.spot === "left";
  const value = shown ? shown.value : "";
  const [combination] = value.split("/");
  const hasCards = Boolean(shown) && Object.keys(cardsHere()).length > 0;
  const possible = possibleHere();
  find("hand-values").hidden = isLeft || isCards;
  find("left-values").hidden = !isLeft || isCards;
  findAll("value").forEach((chip) => {
    const isChosen = chip.dataset.value === value;
    chip.setAttribute("aria-pressed", isChosen ? "true" : "false");
    chip.disabled = !isChosen && ((isCards && hasCards) || possible[chip.dataset.value] === false);
  });
  findAll("brief-value").forEach((chip) => {
    const isChosen = chip.dataset.briefValue === (combination || (shown && shown.so_far));
    chip.setAttribute("aria-pressed", isChosen ? "true" : "false");
    chip.disabled = !isChosen && (hasCards || possible[chip.dataset.briefValue] === false);
    chip.hidden = !isLeft && chip.dataset.leftOnly !== undefined;
  });
  let hasSplits = false;
  findAll("split-of").forEach((chip) => {
    chip.hidden = chip.dataset.splitOf !== combination || hasCards;
    hasSplits = hasSplits || !chip.hidden;
  });
  find("splits").hidden = !hasSplits;
}

function possibleHere() {
  const { choices } = now.reading;
  return choices && choices.deal === sheet.page.deal && choices.spot === sheet.page.spot ? choices.values : {};
}

function drawPad(shown) {
  const players = shown ? shown.from : [];
  if (!players.some((player) => player.seat === now.from)) now.from = players.length ? players[0].seat : null;
  const bySeat = cardsHere();
  const elsewhere = cardsElsewhere();
  const leader = players.length ? players[0].seat : null;
  drawFrom(players, bySeat);
  findAll("card").forEach((key) => {
    const seat = Object.keys(bySeat).find((name) => bySeat[name].includes(key.dataset.card));
    key.setAttribute("aria-pressed", seat ? "true" : "false");
    key.classList.toggle("by-partner", Boolean(seat) && seat !== leader);
    key.disabled = !seat && elsewhere.has(key.dataset.card);
  });
  const isTyped = typeof sheet.hand() === "string";
  const line = find("line");
  if (document.activeElement !== line) line.value = isTyped ? sheet.hand() : "";
  find("line-part").hidden = sheet.page.spot === "left";
}

/* Cards that lie in another hand of this deal, or are left over. */
function cardsElsewhere() {
  const deal = shownDeal();
  if (!deal) return new Set();
  const others = [...deal.hands, deal.left].filter((shown) => shown !== shownAt());
  return new Set(others.flatMap((shown) => shown.cards.map((card) => card.text)));
}

/* A button stays the same one for as long as its player does: a press that an answer falls into is not lost. */
function drawFrom(players, bySeat) {
  const box = find("from");
  const old = [...box.querySelectorAll("button")];
  const buttons = players.map((player) => {
    const count = (bySeat[player.seat] || []).length;
    const button = old.find((one) => one.dataset.fromSeat === player.seat) ?? element("button", "from-player");
    button.type = "button";
    button.dataset.fromSeat = player.seat;
    button.setAttribute("aria-pressed", player.seat === now.from ? "true" : "false");
    button.setAttribute("aria-label", `${player.label}: ${count}`);
    button.replaceChildren(`${player.seat} · ${player.name}`);
    if (count) button.append(element("span", "from-count", String(count)));
    return button;
  });
  old.filter((button) => !buttons.includes(button)).forEach((button) => button.remove());
  const stay = old.filter((button) => buttons.includes(button));
  if (stay.length < buttons.length || stay.some((button, place) => button !== buttons[place])) box.append(...buttons);
}

function drawTotals() {
  findAll("side-pair").forEach((head) => {
    head.textContent = now.reading.head.pairs[head.dataset.sidePair] || head.textContent;
  });
  findAll("path").forEach((field) => {
    const steps = field.dataset.path.split(".");
    const value = steps.reduce((part, key) => (part && typeof part === "object" ? part[key] : undefined), sheet.record());
    if (document.activeElement !== field) field.value = value === undefined || value === null ? "" : String(value);
    const faults = now.reading.problems.filter(
      ({ deal, missing, field: name }) => deal === sheet.page.deal && !missing && name && field.dataset.path.startsWith(name),
    );
    field.setAttribute("aria-invalid", faults.length ? "true" : "false");
  });
}

function drawSeats() {
  findAll("seat").forEach((box) => {
    const player = given.players[sheet.content.seats[box.dataset.seat]];
    box.querySelector("[data-player]").textContent = player ? player.name : "";
    box.querySelector("[data-pair]").textContent = player ? player.pair : "";
    const deals = box.querySelector("[data-deals]");
    deals.setAttribute("aria-pressed", sheet.content.first_dealer === box.dataset.seat ? "true" : "false");
  });
}

function drawButtons(panel) {
  const target = nextSpot();
  find("undo").disabled = !sheet.past.length;
  find("redo").disabled = !sheet.future.length;
  find("next").textContent =
    panel === "seats" ? texts.startText
    : !target ? texts.checkText
    : target[0] !== sheet.page.deal ? texts.nextDealText.replace("{}", numberOf(target[0]))
    : target[1] === "left" ? texts.nextLeftText
    : texts.nextHandText;
  find("clear").hidden = panel !== "values";
}

/* --- The whole sheet at once, as it lies on the table: one column a deal, one line a hand. Cells are made once. ---- */

const cells = new Map();

const places = () => [...Array(given.hands).keys(), "left", "total"];

export function makeGrid(onOpen) {
  const grid = find("grid");
  grid.style.setProperty("--deals", given.deals);
  grid.append(element("span", "grid-corner"));
  for (let deal = 0; deal < given.deals; deal += 1) {
    grid.append(element("span", "grid-head", texts.dealText.replace("{}", numberOf(deal))));
  }
  for (const spot of places()) {
    grid.append(element("span", "grid-label", lineName(spot)));
    for (let deal = 0; deal < given.deals; deal += 1) grid.append(cell(deal, spot, onOpen));
  }
}

function lineName(spot) {
  if (spot === "left") return texts.leftText;
  return spot === "total" ? texts.sumText : String(spot + 1);
}

function cell(deal, spot, onOpen) {
  const button = element("button", "grid-cell");
  button.type = "button";
  const parts = { lead: element("span", "grid-lead"), words: element("span", "grid-words ellipsis"), points: element("span", "grid-points") };
  button.append(parts.lead, parts.words, parts.points);
  button.addEventListener("click", () => onOpen(deal, spot));
  cells.set(`${deal}.${spot}`, { button, ...parts });
  return button;
}

export function drawGrid() {
  const faulty = new Set(
    now.reading.problems.filter((problem) => problem.refuses && !problem.missing).map(({ deal, spot }) => `${deal}.${spot}`),
  );
  for (let deal = 0; deal < given.deals; deal += 1) {
    const { state } = now.reading.deals[deal] || { state: "empty" };
    for (const spot of places()) fill(deal, spot, state, faulty.has(`${deal}.${spot}`));
  }
}

function fill(deal, spot, state, isFaulty) {
  const { button, lead, words, points } = cells.get(`${deal}.${spot}`);
  const isCurrent = deal === sheet.page.deal && spot === sheet.page.spot;
  const shown = spot === "total" ? sumOf(deal) : shownAt(spot, dealAt(deal));
  lead.textContent = typeof spot === "number" && shown ? shown.lead.split(" ")[1] || "" : "";
  words.textContent = shown ? shown.words : "";
  points.textContent = shown ? shown.points : "";
  button.classList.toggle("provisional", Boolean(shown && shown.provisional));
  button.classList.toggle("faulty", isFaulty);
  button.setAttribute("aria-current", isCurrent ? "true" : "false");
  const title = spot === "total" ? texts.totalsTitle.replace("{}", numberOf(deal)) : `${texts.dealText.replace("{}", numberOf(deal))}, ${shown ? shown.title : ""}`;
  button.setAttribute("aria-label", `${title}: ${words.textContent} ${points.textContent}`.trim());
  button.disabled = state === "beyond" && !isCurrent;
}

function sumOf(deal) {
  const read = dealAt(deal);
  const sum = read && read.sums.find((line) => line.strong);
  return sum ? { words: "", points: `${sum.home}–${sum.away}`, provisional: false } : null;
}

export function revealCell(deal, spot) {
  cells.get(`${deal}.${spot}`)?.button.scrollIntoView({ block: "nearest", inline: "nearest" });
}
