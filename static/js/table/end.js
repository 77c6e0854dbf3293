/* When all is over: what it came to, where to go, and the deals to step through. */
import { element, hide, put } from "./elements.js";
import { felt } from "./felt.js";
import { fill, find, mySeat, now, texts, words } from "./page.js";
import { isEnded, sideName, signed, totals } from "./sentences.js";

export function drawEnd() {
  drawResult();
  drawReplays();
}

function drawResult() {
  const box = find("result");
  const { result, match } = now.view;
  hide(box, !isEnded(now.view));
  hide(find("after"), box.hidden);
  if (box.hidden) return;
  const text = (result && result.fault) || words.match_over;
  put(box, element("p", { text }), match ? points(match) : null, element("p", { css: "actions centred" }, ...endLinks(result)));
}

/* Who came first, by the rules of the game: the most points, or the fewest. */
function points(match) {
  if (!felt.isRanked) return element("p", { css: "large bold", text: totals(match) });
  const sides = Object.entries(match.ranks).sort(([, one], [, other]) => one - other);
  const rows = sides.map(([side, rank]) => element("li", {}, element("span", { text: `${rank}.` }), element("span", { text: sideName(side) }), element("b", { text: signed(match.total[side]) })));
  return element("ol", { css: "end-ranks" }, ...rows);
}

/* Where to go then: to the match, to the deal of a practice, to the other tables. */
function endLinks(result) {
  const { kind, match } = now.view;
  if (result) return result.match ? [link(texts.matchUrl, words.to_match)] : [];
  const last = match && match.deals[match.deals.length - 1];
  const isPractice = kind === "practice" && last && texts.replayUrl;
  return [
    isPractice ? link(replayOf(last.number), words.to_replay) : null,
    link(texts.tablesUrl, words.to_tables, isPractice ? "button secondary" : "button"),
  ];
}

const link = (href, text, css = "button") => element("a", { css, href, text });
const replayOf = (number) => texts.replayUrl.replace("/0/", `/${number}/`);

/* Whoever played to the end is led on from here. */
export function focusEnd() {
  const first = find("result").querySelector("a");
  if (first && mySeat() && !document.querySelector("dialog[open]")) first.focus();
}

/* Deals that are over, to step through: at a match's table not before its end. */
function drawReplays() {
  const { kind, match } = now.view;
  const isShown = texts.replayUrl && kind !== "daily" && match && match.deals.length && (kind !== "match" || isEnded(now.view));
  hide(find("replays"), !isShown);
  if (!isShown) return;
  put(
    find("replay-links"),
    ...match.deals.map((each) => element("a", { css: "chip", href: replayOf(each.number), text: fill(words.replay, { number: each.number }) }))
  );
}
