/* A deal that is over, on the common felt: the buttons or the arrow keys step, Home and End go to its ends. */
import { zones } from "./felt/zones.js";
import { bring } from "./table/felt.js";
import { announce, cards, fill, find, now, root, words } from "./table/page.js";
import { sentence } from "./table/sentences.js";

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
const { steps, table } = now.given;
const end = steps.length - 1;
let at = startOf(new URL(window.location.href).searchParams.get("step"));

function startOf(step) {
  return step === "end" ? end : Math.min(Math.max(Number(step) || 0, 0), end);
}

const targets = () => ({ first: 0, previous: Math.max(0, at - 1), next: Math.min(end, at + 1), last: end });

function show() {
  now.view = { ...table, deal: { ...table.deal, view: steps[at] } };
  zones.draw();
  find("moment").textContent = lastWords();
  find("count").textContent = `${at} / ${end}`;
  for (const button of find("steps").querySelectorAll("button")) button.setAttribute("aria-disabled", String(targets()[button.dataset.go] === at));
}

function lastWords() {
  const move = cards().actions[at - 1];
  const said = move ? [zones.actionWords(move.seat, move.token, move)] : [fill(words.replay, { number: table.deal.number })];
  if (cards().is_over) said.push(words.deal_over);
  return said.map(sentence).join(" ");
}

function go(to) {
  if (to === at) return;
  at = to;
  show();
  announce(find("moment").textContent);
  const address = new URL(window.location.href);
  address.searchParams.set("step", at);
  history.replaceState(null, "", address);
  find("replay-step").value = at;
}

bring(zones);
root.hidden = false;
show();
find("replay-step").value = at;
find("steps").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) go(targets()[button.dataset.go]);
});
document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) return;
  event.preventDefault();
  go(targets()[name]);
});
