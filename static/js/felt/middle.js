/* The middle of the table: the phase, the trick, piles, rows and the pot; or what a deal came to. */
import { element, face, put, vacant } from "../table/elements.js";
import { cards, deal, fill, find, isPaused, mySeat, nameOf, now, words } from "../table/page.js";
import { isCard, sideName, signed, waitingWords } from "../table/sentences.js";
import { counted, trickBefore, trumpName } from "./moves.js";

export function drawMiddle() {
  const shown = !deal() || deal().is_hidden ? null : cards();
  put(find("centre"), ...(shown ? parts(shown) : [element("p", { css: "centre-words", text: waitingWords() })]));
}

function parts(shown) {
  const phase = shown.is_over ? words.deal_over : shown.note || shown.phase;
  return [
    element("p", { css: "centre-words", text: isPaused() ? `${words.paused} · ${phase}` : phase }, shown.trump ? trumpMark(shown.trump) : null),
    shown.is_over ? results(shown.score.total) : trick(now.laid ? [...shown.trick, [mySeat(), now.laid.token]] : shown.trick) || last(shown),
    piles(shown),
    shown.places.length ? element("ul", { css: "board-places" }, ...shown.places.map(onBoard)) : null,
    shown.layout.length ? element("div", { css: "piles" }, ...shown.layout.map((row) => element("div", { css: "hand layout" }, ...row.map((token) => face(token, "medium"))))) : null,
  ].filter(Boolean);
}

const results = (total) =>
  element("ul", { css: "felt-results" }, ...Object.entries(total).map(([side, points]) => element("li", {}, element("span", { text: sideName(side) }), element("b", { text: signed(points) }))));

function last(shown) {
  const before = shown.actions ? trick(trickBefore(shown), "medium") : null;
  if (before) before.setAttribute("aria-label", words.history_before);
  return before;
}

function trick(played, size = "large") {
  if (!played.length) return null;
  const one = ([seat, token], place) =>
    element(
      "li",
      {},
      face(token, size, { by: nameOf(seat), extra: size === "large" && place === played.length - 1 ? "laid" : "" }),
      element("span", { css: "trick-by", "aria-hidden": "true", text: nameOf(seat) })
    );
  return element("ul", { css: "trick" }, ...played.map(one));
}

function piles(shown) {
  const top = shown.discards[shown.discards.length - 1];
  const made = [
    shown.stock === null ? null : pile(shown.stock ? element("span", { css: "card-face medium back", "aria-hidden": "true" }) : vacant("medium"), counted("stock_card", shown.stock)),
    top ? pile(face(top, "medium"), fill(words.discards, { count: shown.discards.length })) : null,
    shown.upcard ? pile(face(shown.upcard, "medium"), words.upcard_name) : null,
    shown.pot === null ? null : pile(element("b", { css: "pot", "aria-hidden": "true", text: signed(shown.pot) }), fill(words.in_pot, { count: signed(shown.pot) })),
  ].filter(Boolean);
  return made.length ? element("div", { css: "piles" }, ...made) : null;
}

const onBoard = ([name, points]) => element("li", {}, element("span", { text: name }), element("b", { text: signed(points) }));

const pile = (drawn, text) => element("div", { css: "pile" }, drawn, element("span", { text }));

/* What is trumps, beside the phase. */
const trumpMark = (trump) => element("span", { css: "trump-mark" }, element("span", { text: words.trump_name }), trumpFace(trump));

function trumpFace(trump) {
  if (isCard(trump)) return face(trump, "small");
  const suit = words.suits[trump];
  if (!suit) return element("b", { text: trump });
  return element("span", { css: `card-face small ${suit.css}`, role: "img", "aria-label": trumpName(trump) }, element("span", { css: "suit", text: suit.symbol }));
}
