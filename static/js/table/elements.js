/* Small pieces of the page. */
import { words } from "./page.js";
import { cardName } from "./sentences.js";

export function element(tag, { css = "", text = null, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (css) made.className = css;
  if (text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter(Boolean));
  return made;
}

function faceParts(token) {
  if (token[1] === "k") return [element("span", { css: "rank", text: words.suits.k.symbol })];
  const rank = element("span", { css: "rank", text: token[0] === "T" ? "10" : token[0] });
  return [rank, element("span", { css: "suit", text: words.suits[token[1]].symbol })];
}

/* So many copies of what was drawn are kept. */
const MOST_KEPT = 500;
const kept = new Map();

/* What is drawn at every message is made once and copied, which takes the browser a fraction of the time. */
export function copied(key, make) {
  if (kept.size > MOST_KEPT) kept.clear();
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key).cloneNode(true);
}

/* `by` says who played it. */
export const face = (token, size, { by = "", extra = "" } = {}) => copied([token, size, extra, by].join(), () => faceOf(token, size, by, extra));

function faceOf(token, size, by, extra) {
  const css = ["card-face", size, words.suits[token[1]].css, extra].filter(Boolean).join(" ");
  const label = by ? `${cardName(token)}, ${by}` : cardName(token);
  return element("span", { css, role: "img", "aria-label": label }, ...faceParts(token));
}

export const vacant = (size) => element("span", { css: `card-face ${size} vacant`, "aria-hidden": "true" });

/* One of the own cards; of all of them the Tab key stops at one. */
export function cardButton(token, { isSelected, isLegal, isStop, isLaid, isResting }) {
  const css = `own-card card-face large ${words.suits[token[1]].css}${isLaid ? " on-its-way" : ""}${isResting ? " resting" : ""}`;
  return element(
    "button",
    {
      css,
      type: "button",
      tabindex: isStop ? "0" : "-1",
      "data-card": token,
      "aria-label": cardName(token),
      "aria-pressed": isSelected ? "true" : "false",
      "aria-disabled": isLegal ? null : "true",
    },
    ...faceParts(token)
  );
}

export const button = (text, attributes = {}) => element("button", { type: "button", text, ...attributes });

/* What is hidden already, or seen, or says so already, is left alone: the browser would look at it again. */
export function hide(place, isHidden) {
  if (place.hidden !== isHidden) place.hidden = isHidden;
}

export function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/* Puts new content in a place. What is the same already stays, with the focus and whatever readers are told of it. */
export const put = (place, ...children) => renew(place, children.filter(Boolean));

/* The same with what is drawn from these facts, values all of them: where they are as they were, nothing is drawn. */
export function putOf(place, facts, drawn) {
  const told = JSON.stringify(facts);
  if (drawnFrom.get(place) === told) return;
  drawnFrom.set(place, told);
  put(place, ...drawn());
}

const drawnFrom = new WeakMap();

/* What is the same at both ends is left alone; a node between that differs only in what it holds is renewed within. */
function renew(place, fresh) {
  const old = [...place.childNodes];
  let next = null;
  while (old.length && fresh.length && old[0].isEqualNode(fresh[0])) [old, fresh].forEach((nodes) => nodes.shift());
  while (old.length && fresh.length && old.at(-1).isEqualNode(fresh.at(-1))) [next] = [old, fresh].map((nodes) => nodes.pop());
  fresh.forEach((node, at) => (at < old.length ? exchange(old[at], node) : place.insertBefore(node, next)));
  for (const node of old.slice(fresh.length)) node.remove();
}

function exchange(old, node) {
  if (!isOfOneKind(old, node)) old.replaceWith(node);
  else if (old.nodeType === Node.TEXT_NODE) old.data = node.data;
  else renew(old, [...node.childNodes]);
}

/* Whether they differ in what they hold alone: a text in its letters. */
const isOfOneKind = (old, node) => (old.nodeType === Node.TEXT_NODE ? node.nodeType === Node.TEXT_NODE : old.cloneNode(false).isEqualNode(node.cloneNode(false)));
