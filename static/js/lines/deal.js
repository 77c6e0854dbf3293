/* A deal with robots that no table keeps: the page sends its state, which it cannot read, with each action. */
import { draw, news } from "../table/drawing.js";
import { focusEnd } from "../table/end.js";
import { bringLine } from "../table/line.js";
import { receive } from "../table/pace.js";
import { announce, now, texts, whenChanged, words } from "../table/page.js";
import { isEnded } from "../table/words.js";

/* What was before each of the player's actions, to go back to. */
const past = [];
let state = texts.state;

function start() {
  whenChanged((view, before) => {
    now.trouble = "";
    draw();
    announce(news(view, before));
    if (isEnded(view) && !isEnded(before)) focusEnd();
  });
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
  past.push({ state, view: now.view });
  show(told);
  return {};
}

/* An older state is as good as a newer one. */
function goBack() {
  if (past.length) show(past.pop());
  return {};
}

function show(told) {
  state = told.state;
  receive({ ...told.view, version: now.view.version + 1 });
}

async function meanings(hand) {
  const told = await ask(texts.meaningUrl, { hand });
  return told.error ? null : told;
}

bringLine({ start, post, meanings });
