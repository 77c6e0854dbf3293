/* What was done in this hand or trick and in the one before, passes included, as a list that can be read again. */
import { element, face, hide, put } from "./elements.js";
import { felt } from "./felt.js";
import { actorName, cards, deal, find } from "./page.js";
import { isCard } from "./sentences.js";

export function drawHistory() {
  const shown = cards();
  const rounds = shown ? felt.roundsOf(shown).slice(-2).reverse() : [];
  hide(find("history"), !rounds.length);
  put(find("rounds"), ...rounds.map(round));
}

function round({ title, moves, result }) {
  return element(
    "div",
    {},
    element("h3", { css: "soft small", text: title }),
    element("ol", { css: "history-moves cluster small" }, ...moves.map(line)),
    result ? element("p", { css: "bold small", text: result }) : null
  );
}

function line(move) {
  const who = actorName(move.seat, robotOf(move.place));
  const what = isCard(move.token) ? face(move.token, "tiny") : element("span", { css: "bold", text: felt.callWords(move) });
  return element("li", {}, element("span", { text: who }), what);
}

/* Which robot did it, where one did. */
function robotOf(place) {
  const found = Object.entries(deal().robots).find(([, places]) => places.includes(place));
  return found ? found[0] : "";
}
