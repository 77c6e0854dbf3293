/* The whole sheet at once, as it lies on the table: one column a deal, one line a hand. Cells are made once. */
import { element } from "./drawing.js";
import { dealAt, find, given, now, numberOf, sheet, shownAt, texts } from "./page.js";

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
  const parts = { lead: element("span", "grid-lead"), words: element("span", "grid-words"), points: element("span", "grid-points") };
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
