/* Draws the view: the felt as the game draws it, and around it what every table has. */
import { drawChat } from "./chat.js";
import { drawClocks } from "./clocks.js";
import { element, hide, say } from "./elements.js";
import { drawEnd } from "./end.js";
import { felt } from "./felt.js";
import { keepingFocus } from "./focus.js";
import { drawHistory } from "./history.js";
import { deal, fill, find, isBehind, isMyTurn, isPaused, may, now, texts, waited, words } from "./page.js";
import { drawRequests } from "./requests.js";
import { drawTray } from "./tray.js";
import { newsOf, sideName } from "./sentences.js";

const TICK = 500;
let wasAbsent = false;

export function draw() {
  keepingFocus(() => {
    drawHead();
    felt.draw();
    drawClocks();
    drawTray();
    drawRequests();
    drawHistory();
    drawChat();
    drawEnd();
    drawState();
  });
}

function drawState() {
  const isTurn = isMyTurn() && !now.isTakenOver;
  texts.version = String(now.view.version);
  find("felt").dataset.state = now.view.state;
  find("felt").classList.toggle("my-turn", isTurn);
  find("hand").classList.toggle("my-turn", isTurn);
  const title = isTurn ? `● ${texts.title}` : texts.title;
  if (document.title !== title) document.title = title;
}

const dealName = ({ number, of }) => fill(of ? words.deal_of : words.replay, { number, of });

function drawHead() {
  const told = deal();
  const parts = [];
  if (told) parts.push(dealName(told));
  if (told && told.board) parts.push(fill(words.board, { number: told.board }));
  if (isPaused()) parts.push(words.paused);
  if (isBehind()) parts.push(fill(words.behind, { seconds: now.view.terms.delay_seconds }));
  say(find("deal"), parts.join(" · "));
  hide(find("connection"), now.isConnected);
  drawCards((told && told.cards) || {});
}

/* Which convention cards are in force in this deal, for everybody to read. */
function drawCards(played) {
  const box = find("cards-played");
  const key = JSON.stringify(played);
  if (box.dataset.cardsPlayed === key) return;
  box.dataset.cardsPlayed = key;
  const links = Object.entries(played).map(([side, { url, version }]) => {
    const link = element("a", { text: fill(words.card_played, { side: sideName(side), number: version }) });
    return Object.assign(link, { href: url, target: "_blank", rel: "noopener" });
  });
  box.replaceChildren(...links);
  box.hidden = !links.length;
}

/* A player who does not act can be said to be absent, once the time for it has come. */
function noticeAbsence() {
  const isAbsent = may("absence") && waited() >= now.view.terms.absence_seconds * 1000;
  if (isAbsent !== wasAbsent) draw();
  wasAbsent = isAbsent;
}

export function startClocks() {
  window.setInterval(() => {
    drawClocks();
    noticeAbsence();
  }, TICK);
}

export const news = (view, before) => newsOf(view, before).join(" ");
