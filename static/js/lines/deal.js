/* A deal with robots that no table keeps: the page sends its state, which it cannot read, with each action. */
import { draw, news } from "../table/drawing.js";
import { focusEnd } from "../table/end.js";
import { element, put } from "../table/elements.js";
import { bringLine } from "../table/line.js";
import { receive } from "../table/pace.js";
import { announce, find, now, texts, whenChanged, words } from "../table/page.js";
import { isEnded } from "../table/sentences.js";

/* What was before each of the player's actions, to go back to. */
const past = [];
let state = texts.state;
let shown = [];

/* The coach stands beside the table: it knows what this seat sees, and is asked after each action. */
const coach = find("coach");
let asked = 0;

function showChances(chances) {
  if (!coach) return;
  put(find("coach-chances"), ...(chances.length ? chances : [coach.dataset.nothing]).map((text) => element("li", { text })));
}

async function askCoach(before, token) {
  if (!coach) return;
  asked += 1;
  const number = asked;
  const said = find("coach-advice");
  said.textContent = coach.dataset.thinking;
  const told = await ask(coach.dataset.url, { state: before, token });
  if (number === asked) said.textContent = told.error || told.advice.join(" ");
}

function start() {
  if (coach) showChances((shown = JSON.parse(document.getElementById("deal-chances").textContent)));
  whenChanged((view, before) => {
    now.trouble = "";
    draw();
    announce(news(view, before));
    if (isEnded(view) && !isEnded(before)) focusEnd();
    if (isEnded(view) !== isEnded(before)) showOutcome(isEnded(view));
  });
}

/* How it went, once the deal is over: the cards are open then. */
async function showOutcome(isOver) {
  const box = find("outcome");
  if (!box) return;
  box.hidden = !isOver;
  if (coach) find("coach-chances").closest("section").hidden = isOver;
  if (!isOver) return;
  const says = find("outcome-says");
  put(says, element("p", { text: box.dataset.thinking }));
  const told = await ask(box.dataset.url, {});
  const lines = told.error ? [told.error] : told.outcome;
  put(says, ...lines.map((text) => element("p", { text })));
}

async function ask(address, fields) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ state, ...fields }),
    });
    const told = await answer.json().catch(() => ({}));
    return answer.ok ? told : { error: (told.error && told.error.message) || words.failed };
  } catch (error) {
    return { error: words.offline };
  }
}

async function post(name, fields) {
  if (name === "take_back") return goBack();
  if (name !== "act") return {};
  const told = await ask(texts.actUrl, { token: fields.token });
  if (told.error) return told;
  const before = state;
  past.push({ state, view: now.view, chances: shown });
  show(told);
  askCoach(before, fields.token);
  return {};
}

/* An older state is as good as a newer one. */
function goBack() {
  if (past.length) show(past.pop());
  return {};
}

function show(told) {
  state = told.state;
  shown = told.chances || [];
  showChances(shown);
  receive({ ...told.view, version: now.view.version + 1 });
}

async function meanings(hand) {
  const told = await ask(texts.meaningUrl, { hand });
  return told.error ? null : told;
}

async function reasons(seat) {
  const told = await ask(texts.reasonsUrl, { seat });
  return told.error ? null : told;
}

bringLine({ start, post, meanings, reasons });
