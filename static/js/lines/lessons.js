/* Positions to learn a game by. What is right in each, and what is said of everything else, came with the page: nothing
   is asked of the server. The address names the position; what was done is kept on this device, and with the account. */
import { draw, news } from "../table/drawing.js";
import { bringLine } from "../table/line.js";
import { announce, csrfToken, find, now, read, take, whenChanged, write } from "../table/page.js";

const lessons = JSON.parse(document.getElementById("table-lessons").textContent);
const box = find("lesson");
const key = `learn:${box.dataset.game}`;
/* Of somebody with an account: what their other devices have told it. */
const known = new Set(box.dataset.doneUrl ? JSON.parse(document.getElementById("lessons-done").textContent) : []);
const done = new Set([...kept(), ...known]);
let at = 0;

function kept() {
  try {
    const list = JSON.parse(read(key) || "[]");
    return Array.isArray(list) ? list : [];
  } catch (error) {
    return [];
  }
}

function keep() {
  write(key, JSON.stringify([...done]));
  if (box.dataset.doneUrl && [...done].some((each) => !known.has(each))) tellAccount();
}

/* Where this fails the next visit makes up for it. */
async function tellAccount() {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() };
  const body = JSON.stringify({ done: [...done] });
  const answer = await fetch(box.dataset.doneUrl, { method: "POST", credentials: "same-origin", headers, body }).catch(() => null);
  const told = answer && answer.ok ? await answer.json() : { done: [] };
  told.done.forEach((each) => known.add(each));
}

/* The one that the address names, else the first that is not done yet. */
function placeOf(name) {
  const named = lessons.findIndex((each) => each.key === name);
  return named >= 0 ? named : Math.max(0, lessons.findIndex((each) => !done.has(each.key)));
}

function start() {
  whenChanged((view, before) => {
    now.trouble = "";
    draw();
    if (before && before.lesson === view.lesson) announce(news(view, before));
  });
  window.addEventListener("hashchange", () => open(placeOf(location.hash.slice(1)), { isMoved: true }));
  open(placeOf(location.hash.slice(1)));
  keep();
}

function open(place, { isMoved = false } = {}) {
  at = place;
  const lesson = lessons[at];
  find("lesson-title").textContent = lesson.title;
  find("lesson-text").textContent = lesson.text;
  find("lesson-verdict").hidden = true;
  find("lesson-said").textContent = "";
  now.selected = null;
  show(lesson.deal);
  mark();
  if (isMoved) find("lesson-title").focus();
  fit();
}

/* The hand that is played, or those that you led, might lie under the own cards: then the page begins with the lesson. */
function fit() {
  const shown = [...find("felt").querySelectorAll(".table-centre, [data-seat-below] ul")];
  const { top } = find("hand").getBoundingClientRect();
  if (shown.some((each) => each.getBoundingClientRect().bottom > top)) box.scrollIntoView();
}

const show = (deal) => take({ ...now.given, deal, version: now.view.version + 1, lesson: lessons[at].key });

function mark() {
  [...box.querySelectorAll("[data-lesson-step]")].forEach((step, place) => {
    step.classList.toggle("done", done.has(lessons[place].key));
    if (done.has(lessons[place].key)) step.setAttribute("aria-label", step.dataset.doneLabel);
    if (place === at) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
}

async function post(name, fields) {
  const answer = lessons[at].answers[fields.token];
  if (name !== "act" || !answer) return {};
  if (!answer.is_right) return { error: answer.text };
  done.add(lessons[at].key);
  keep();
  show(answer.deal);
  mark();
  praise(answer.text);
  return {};
}

/* Whoever was right goes on with the next press. */
function praise(text) {
  const next = lessons[at + 1];
  find("lesson-verdict").hidden = false;
  find("lesson-said").textContent = text;
  find("lesson-next").hidden = !next;
  find("lesson-end").hidden = Boolean(next);
  if (next) find("lesson-next").href = `#${next.key}`;
  find(next ? "lesson-next" : "lesson-end").focus();
}

bringLine({ start, post, meanings: async () => null });
