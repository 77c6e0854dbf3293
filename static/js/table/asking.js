/* What is asked before a step that cannot be taken lightly: whether it is meant, and what else it needs. */
import { element } from "./elements.js";
import { felt } from "./felt.js";
import { cards, fill, find, now, words } from "./page.js";

/* By step, the fields of its question: none, a text, minutes, or an action of the deal. */
const FIELDS = {
  absence: [],
  stand: [],
  count: ["reason"],
  director: ["text"],
  close: ["reason"],
  report: [],
  add_time: ["minutes", "reason"],
  roll_back: ["to", "reason"],
  settle: ["answer"],
};

export const isAsked = (step) => step in FIELDS;

/* Without a match nobody has to say why a table is closed, and it is kept nowhere. */
const fieldsOf = (step) => (step === "close" && now.view.kind !== "match" ? [] : FIELDS[step]);

/* The fields that were filled in; null where the question was closed. */
export function ask(step) {
  const box = find("question");
  const form = box.querySelector("form[data-question-form]");
  box.querySelector("[data-question-title]").textContent = words.sure[step];
  form.querySelector("[data-question-fields]").replaceChildren(...fieldsOf(step).map(field));
  box.showModal();
  return new Promise((resolve) => {
    box.addEventListener("close", () => resolve(box.returnValue === "yes" ? valuesOf(form) : null), { once: true });
    box.returnValue = "";
  });
}

function field(name) {
  const input = name === "to" ? choiceOfAction() : inputFor(name);
  return element("label", {}, element("span", { text: words.fields[name] }), input);
}

function inputFor(name) {
  if (name === "minutes") return element("input", { name, type: "number", min: 1, max: 120, value: 5, required: true });
  return element("input", { name, type: "text", maxlength: 300, required: name !== "text" });
}

/* After which action the deal goes on. */
function choiceOfAction() {
  const shown = cards();
  const moves = shown ? felt.movesOf(shown) : [];
  const choices = [words.from_start, ...moves.map((move) => felt.actionWords(move.seat, move.token, move))];
  const options = choices.map((text, count) => element("option", { value: count, text: count ? fill(words.after, { number: count, action: text }) : text }));
  options[Math.max(0, options.length - 2)].setAttribute("selected", "");
  return element("select", { name: "to" }, ...options);
}

const valuesOf = (form) => Object.fromEntries(new FormData(form).entries());
