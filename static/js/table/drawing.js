/* Draws the view. Places round the table: the own seat below, partner opposite; who watches sits with South. */
import { element, put } from "./elements.js";
import { drawEnd } from "./end.js";
import { felt } from "./felt.js";
import { keepingFocus } from "./focus.js";
import { announce, cards, deal, fill, find, isBehind, isMyTurn, isPaused, may, mySeat, now, seatRow, texts, waited, words } from "./page.js";
import { drawRequests } from "./requests.js";
import { drawSeat } from "./seats.js";
import { drawTray } from "./tray.js";
import { clockFace, newsOf } from "./words.js";

const PLACES = ["below", "left", "above", "right"];
const TICK = 500;
const LOW = 60000;
const told = { low: null, isAbsent: false };

function order() {
  const seats = now.view.seats.map((each) => each.seat);
  const first = Math.max(0, seats.indexOf(mySeat() || seats[2]));
  return seats.map((_each, step) => seats[(first + step) % seats.length]);
}

export function draw() {
  keepingFocus(() => {
    drawHead();
    drawScores();
    order().forEach((seat, step) => drawSeat(seat, PLACES[step]));
    drawCentre();
    drawTray();
    drawRequests();
    drawEnd();
    drawState();
  });
}

function drawCentre() {
  const shown = !deal() || deal().is_hidden ? null : cards();
  put(find("centre"), ...(shown ? felt.centre(shown) : [element("p", { css: "centre-words", text: waitingWords() })]));
}

function waitingWords() {
  if (deal() && deal().is_hidden) return words.hidden;
  if (now.view.state === "waiting") return words.waiting;
  if (now.view.state === "closed") return words.closed;
  return isBehind() ? fill(words.nothing_yet, { seconds: now.view.terms.delay_seconds }) : "";
}

function drawState() {
  const isTurn = isMyTurn() && !now.isTakenOver;
  texts.version = String(now.view.version);
  find("felt").dataset.state = now.view.state;
  find("felt").classList.toggle("my-turn", isTurn);
  find("hand").classList.toggle("my-turn", isTurn);
  document.title = isTurn ? `● ${texts.title}` : texts.title;
}

function drawHead() {
  const told = deal();
  const parts = [];
  if (told) parts.push(fill(words.deal_of, { number: told.number, of: told.of }));
  if (told && told.board) parts.push(fill(words.board, { number: told.board }));
  if (isPaused()) parts.push(words.paused);
  if (isBehind()) parts.push(fill(words.behind, { seconds: now.view.terms.delay_seconds }));
  find("deal").textContent = parts.join(" · ");
  find("connection").hidden = now.isConnected;
}

function drawScores() {
  const [own, other] = [0, 1].map((place) => seatRow(order()[place]).side);
  drawScore(find("our-score"), own);
  drawScore(find("their-score"), other);
  drawClocks();
}

function drawScore(box, side) {
  const made = cards() ? cards().made[side] : null;
  const total = now.view.match ? now.view.match.total[side] : null;
  put(
    box,
    element(
      "p",
      { css: "score-head" },
      element("span", { css: "score-side" }, pairName(side), element("span", { css: "score-which", text: words.sides[side] })),
      element("span", { css: "score-clock", role: "timer", "data-clock": side })
    ),
    element(
      "p",
      { css: "score-sum" },
      element("b", { css: "score-points", text: made === null ? "–" : String(made) }),
      element("span", { css: "score-more", text: made === null ? "" : total === null ? words.in_deal : fill(words.in_match, { points: total }) })
    )
  );
}

function pairName(side) {
  const { match } = now.view.names;
  const name = mySeat() && side === now.view.you.side ? words.you : match && (side === match.home_side ? match.home : match.away);
  return name ? element("span", { css: "score-pair", text: name }) : null;
}

/* Clocks: the server's figures, and what has passed since they came. */
function drawClocks() {
  const clock = deal() && deal().clock;
  for (const box of find("felt").querySelectorAll("[data-clock]")) {
    const side = box.dataset.clock;
    box.hidden = !clock;
    if (!clock) continue;
    const left = timeLeft(clock, side);
    box.textContent = clockFace(left);
    box.classList.toggle("running", clock.running === side);
    box.classList.toggle("low", left < LOW);
    if (clock.running === side && side === now.view.you.side) warnOnce(clock, side, left);
  }
}

const timeLeft = (clock, side) => Math.max(0, clock.left_ms[side] - (clock.running === side ? performance.now() - now.received : 0));

function warnOnce(clock, side, left) {
  const key = `${deal().number}${side}`;
  if (left >= LOW || told.low === key) return;
  told.low = key;
  announce(fill(words.time_low, { side: words.sides[side] }));
}

/* A player who does not act can be said to be absent, once the time for it has come. */
function noticeAbsence() {
  const isAbsent = may("absence") && waited() >= now.view.terms.absence_seconds * 1000;
  if (isAbsent !== told.isAbsent) draw();
  told.isAbsent = isAbsent;
}

export function startClocks() {
  window.setInterval(() => {
    drawClocks();
    noticeAbsence();
  }, TICK);
}

export const news = (view, before) => newsOf(view, before).join(" ");
