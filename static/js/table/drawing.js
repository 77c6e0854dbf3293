/* Draws the view. Places round the table: the own seat below, partner opposite; who watches sits with South. */
import { button, cardButton, element, face, put, vacant } from "./elements.js";
import { cards, deal, fill, find, isMyTurn, isOnePress, may, mayPlay, mySeat, nameOf, now, seatRow, texts, words } from "./page.js";
import { drawRequests } from "./requests.js";
import { actionName, dealResult, handName, isEnded, newsOf } from "./words.js";

const PLACES = ["below", "left", "above", "right"];
const RANKS = "AKQJT98765432";
const TICK = 500;

function order() {
  const seats = now.view.seats.map((each) => each.seat);
  const first = Math.max(0, seats.indexOf(mySeat() || seats[2]));
  return seats.map((_each, step) => seats[(first + step) % seats.length]);
}

export function draw() {
  drawHead();
  drawScores();
  order().forEach((seat, step) => drawSeat(seat, PLACES[step]));
  drawCentre();
  drawOwnCards();
  drawActions();
  drawRequests();
  drawResult();
  drawReplays();
  drawState();
}

function drawState() {
  find("felt").dataset.state = now.view.state;
  find("felt").classList.toggle("my-turn", isMyTurn());
  document.title = isMyTurn() ? `● ${texts.title}` : texts.title;
}

function drawHead() {
  const told = deal();
  const parts = [];
  if (told) parts.push(fill(words.deal_of, { number: told.number, of: told.of }));
  if (told && told.board) parts.push(fill(words.board, { number: told.board }));
  if (told && told.is_paused) parts.push(words.paused);
  find("deal").textContent = parts.join(" · ");
  find("connection").hidden = now.isConnected;
}

function sideOf(place) {
  return seatRow(order()[place]).side;
}

function drawScores() {
  [sideOf(0), sideOf(1)].forEach((side, which) => {
    const box = find(which ? "their-score" : "our-score");
    const made = cards() ? cards().made[side] : null;
    const total = now.view.match ? now.view.match.total[side] : null;
    const pair = pairOf(side);
    put(
      box,
      element("span", { css: "score-side", text: pair ? `${pair} · ${words.sides[side]}` : words.sides[side] }),
      element("b", { css: "score-points", text: made === null ? "–" : String(made) }),
      element("span", { css: "score-more", text: total === null ? "" : fill(words.in_match, { points: total }) }),
      element("span", { css: "score-clock", "data-clock": side })
    );
  });
  drawClocks();
}

function pairOf(side) {
  const match = now.view.names.match;
  if (!match) return "";
  return side === match.home_side ? match.home : match.away;
}

function drawSeat(seat, place) {
  const row = seatRow(seat);
  const shown = cards();
  const isTurn = Boolean(shown && shown.turn === seat);
  const left = shown ? shown.cards_left[seat] : null;
  const box = find(`seat-${place}`);
  box.classList.toggle("on-turn", isTurn);
  put(
    box,
    element(
      "p",
      { css: "seat-head" },
      element("b", { css: "seat-who", text: whoSits(row) }),
      row.is_you ? element("span", { css: "seat-you", text: words.you_mark }) : null,
      isTurn ? element("span", { css: "pill brass", text: words.to_play }) : null
    ),
    element("p", { css: "seat-more", text: seatFacts(row, left) }),
    seatButtons(row),
    handsOf(seat)
  );
}

function whoSits(row) {
  if (row.is_free) return row.name || words.free;
  return row.robot ? fill(words.robot, { name: words.robots[row.robot] || row.robot }) : row.name;
}

function seatFacts(row, left) {
  const facts = [words.seats[row.seat]];
  if (row.played_by_robot && !row.robot) facts.push(words.robot_plays_on);
  if (row.is_free) facts.push(words.seat_free);
  if (left !== null && deal() && !cards().is_over) facts.push(fill(left === 1 ? words.one_card : words.cards, { count: left }));
  if (now.view.state !== "playing" && row.is_ready && !row.is_free) facts.push(words.ready);
  return facts.join(" · ");
}

function seatButtons(row) {
  const made = [];
  if (row.may_sit) made.push(button(words.sit, { css: "compact", "data-step": "sit", "data-seat": row.seat }));
  if (may("robot") && row.is_free) {
    for (const [key, name] of Object.entries(words.robots)) {
      made.push(button(fill(words.seat_robot, { name }), { css: "quiet compact", "data-step": "robot", "data-seat": row.seat, "data-robot": key }));
    }
  }
  if (may("absence") && !row.is_free && !row.robot && !row.is_you && cards() && cards().turn === row.seat) {
    made.push(button(words.absent, { css: "quiet compact", "data-step": "absence", "data-seat": row.seat }));
  }
  return made.length ? element("div", { css: "seat-buttons" }, ...made) : null;
}

/* The finished hands that this seat led, in front of it. */
function handsOf(seat) {
  const shown = cards();
  const led = shown ? shown.hands.filter((hand) => hand.leader === seat) : [];
  if (!led.length) return null;
  return element("ul", { css: "led-hands" }, ...led.map((hand) => ledHand(hand)));
}

function ledHand(hand) {
  const played = hand.moves.filter(([, token]) => token.length === 2);
  const faces = played.map(([by, token]) =>
    face(token, "tiny", { by: nameOf(by), extra: by === hand.leader ? "" : "by-partner" })
  );
  return element(
    "li",
    { css: "led-hand" },
    element("span", { css: "hand" }, ...faces),
    element("b", { css: "led-points", text: String(hand.points) }),
    meaningButton(hand),
    element("span", { css: "led-name", text: handName(hand) })
  );
}

function meaningButton(hand) {
  if (!now.view.you.seat || !hand.moves.length) return null;
  return button("?", {
    css: "quiet ask",
    "data-meaning": String(hand.number),
    "aria-label": fill(words.ask_meaning, { number: hand.number + 1 }),
  });
}

function drawCentre() {
  const box = find("centre");
  const shown = cards();
  if (!deal() || deal().is_hidden || !shown) return put(box, element("p", { css: "centre-words", text: waitingWords() }));
  if (shown.is_over) return put(box, ...overParts(shown));
  const hand = shown.current;
  const played = hand.moves.filter(([, token]) => token.length === 2);
  const faces = played.map(([by, token]) =>
    face(token, "large", { by: nameOf(by), extra: by === hand.leader ? "" : "by-partner" })
  );
  const missing = Array.from({ length: words.cards_in_hand - played.length }, () => vacant("large"));
  put(
    box,
    element("p", { css: "centre-words", text: centreWords(hand) }),
    element("div", { css: "hand current-hand" }, ...faces, ...missing),
    element("p", { css: "centre-moves", text: lastMoves(hand) }),
    hand.moves.length > 1 ? meaningButton(hand) : null
  );
}

function centreWords(hand) {
  const parts = [fill(words.hand_led, { number: hand.number + 1, player: nameOf(hand.leader) })];
  const help = deal().help;
  if (help) parts.push(fill(words.can_become, { hand: words.combinations[help.combination] }));
  return parts.join(" · ");
}

/* Passes and "Play" leave no card: they are told in words. */
function lastMoves(hand) {
  const calls = hand.moves.filter(([, token]) => token.length === 1).map(([by, token]) =>
    fill(token === "-" ? words.passed : words.said_play, { player: nameOf(by) })
  );
  return calls.slice(-2).join(" · ");
}

function overParts(shown) {
  const left = shown.left_overs;
  const rows = [element("p", { css: "centre-words", text: dealResult(now.view) })];
  if (left) {
    const six = Object.entries(left.cards).flatMap(([seat, tokens]) => tokens.map((token) => face(token, "medium", { by: nameOf(seat) })));
    rows.push(
      element("div", { css: "hand" }, ...six),
      element("p", { css: "centre-moves", text: fill(words.left_over, { hand: handName(left), points: shown.score.left_over_bonus, side: words.sides[shown.score.left_over_to] }) })
    );
  }
  return rows;
}

function waitingWords() {
  if (deal() && deal().is_hidden) return words.hidden;
  if (now.view.state === "waiting") return words.waiting;
  if (now.view.state === "closed") return words.closed;
  return "";
}

function drawOwnCards() {
  const box = find("own");
  const shown = cards();
  box.hidden = !mySeat() || !shown;
  if (!mySeat() || !shown) return put(box);
  box.style.setProperty("--count", String(Math.max(2, shown.mine.length)));
  const sorted = [...shown.mine].sort(now.sort === "suit" ? bySuit : byRank);
  put(
    box,
    ...sorted.map((token) => cardButton(token, { isSelected: now.selected === token, isLegal: !isMyTurn() || mayPlay(token) }))
  );
  roving(box);
}

const bySuit = (one, other) => suitPlace(one) - suitPlace(other) || rankPlace(one) - rankPlace(other);
const byRank = (one, other) => rankPlace(one) - rankPlace(other) || suitPlace(one) - suitPlace(other);
const suitPlace = (token) => "shdc".indexOf(token[1]);
const rankPlace = (token) => RANKS.indexOf(token[0]);

/* One stop for the Tab key; the arrow keys go along the cards. */
function roving(box) {
  const all = [...box.children];
  const active = all.find((each) => each === document.activeElement) || all.find((each) => each.dataset.card === now.selected) || all[0];
  for (const each of all) each.tabIndex = each === active ? 0 : -1;
}

function drawActions() {
  const shown = cards();
  const made = [];
  if (mySeat() && shown && !shown.is_over && deal()) {
    const calls = [...new Set([...shown.legal.filter((token) => token.length === 1), ...deal().why_not.map((each) => each.token)])].sort();
    for (const token of calls) {
      made.push(button(actionName(token), { css: "secondary", "data-act": token, "aria-disabled": mayPlay(token) ? null : "true" }));
    }
    if (!isOnePress() && isMyTurn()) {
      made.push(button(now.selected ? actionName(now.selected) : words.choose, { css: "play", "data-act": now.selected || "", disabled: !now.selected }));
    }
  }
  put(find("actions"), ...made);
  put(find("steps"), ...stepButtons());
  find("line").textContent = now.trouble || lineOfWords();
  find("line").classList.toggle("trouble", Boolean(now.trouble));
  find("choices").hidden = !mySeat();
  for (const each of find("choices").querySelectorAll("[data-sort]")) each.setAttribute("aria-pressed", String(each.dataset.sort === now.sort));
  for (const each of find("choices").querySelectorAll("[data-press]")) each.setAttribute("aria-pressed", String((each.dataset.press === "one") === isOnePress()));
}

const SIMPLE_STEPS = ["ready", "take_back", "pause", "resume", "director", "roll_back", "add_time", "stand", "close"];

function stepButtons() {
  if (now.isTakenOver) return [button(words.play_here, { "data-play-here": true })];
  const made = SIMPLE_STEPS.filter(may).map((step) =>
    button(words.steps[step], { css: step === "ready" ? "" : "quiet compact", "data-step": step })
  );
  return made;
}

/* One line says what may be done now, and why something else may not. */
function lineOfWords() {
  const shown = cards();
  if (now.sent) return words.sending;
  if (now.isTakenOver) return words.other_window;
  if (!shown || shown.is_over) return shown && may("ready") ? words.ready_for_next : "";
  if (!shown.turn) return "";
  if (!isMyTurn()) return fill(words.waits_for, { player: nameOf(shown.turn) });
  const reasons = deal().why_not.map((each) => `${actionName(each.token)}: ${each.message}`);
  return [isOnePress() ? words.your_turn_one : words.your_turn_two, ...reasons].join(" ");
}

function drawResult() {
  const box = find("result");
  const { result, match } = now.view;
  box.hidden = !isEnded(now.view);
  if (box.hidden) return;
  put(
    box,
    element("p", { text: (result && result.fault) || words.match_over }),
    match ? element("p", { text: totals(match) }) : null,
    endLink(result)
  );
}

/* Where to go when all is over: to the match, or to the other tables. */
function endLink(result) {
  if (result) return result.match ? element("a", { css: "button", href: texts.matchUrl, text: words.to_match }) : null;
  return element("a", { css: "button", href: texts.tablesUrl, text: words.to_tables });
}

const totals = (match) =>
  Object.entries(match.total)
    .map(([side, points]) => fill(words.side_points, { side: words.sides[side], points }))
    .join(", ");

/* Whoever played to the end is led on from here. */
export function focusEnd() {
  const link = find("result").querySelector("a");
  if (link && mySeat() && !document.querySelector("dialog[open]")) link.focus();
}

/* Deals that are over, to step through: at a match's table not before its end. */
function drawReplays() {
  const { kind, match } = now.view;
  const isShown = match && match.deals.length && (kind !== "match" || isEnded(now.view));
  find("replays").hidden = !isShown;
  if (!isShown) return;
  put(
    find("replay-links"),
    ...match.deals.map((each) =>
      element("a", { css: "chip", href: texts.replayUrl.replace("/0/", `/${each.number}/`), text: fill(words.replay, { number: each.number }) })
    )
  );
}

/* Clocks: the server's figures, and what has passed since they came. */
function drawClocks() {
  const clock = deal() && deal().clock;
  for (const box of find("felt").querySelectorAll("[data-clock]")) {
    const side = box.dataset.clock;
    box.hidden = !clock;
    if (!clock) continue;
    const passed = clock.running === side ? performance.now() - now.received : 0;
    const left = Math.max(0, clock.left_ms[side] - passed);
    box.textContent = clockFace(left);
    box.classList.toggle("running", clock.running === side);
    box.classList.toggle("low", left < 60000);
  }
}

function clockFace(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function startClocks() {
  window.setInterval(drawClocks, TICK);
}

export const news = (view, before) => newsOf(view, before).join(". ");
