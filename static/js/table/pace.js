/* Shows what has happened action by action, at the pace that the player chose. Only what is shown is delayed: clocks, seats
   and requests are always those of the newest view, your own action is there at once, and a press shows everything. */
import { felt } from "./felt.js";
import { flight } from "./motion.js";
import { isOlder, mySeat, now, read, take } from "./page.js";

/* How long an action is looked at, in milliseconds. */
const PACES = { off: 0, normal: 600, slow: 1000 };
/* Where more people than that have acted meanwhile, nobody waits for what they did. Robots act faster than anybody can look. */
const MOST_OF_PEOPLE = 3;
const MOST_OF_ALL = 14;
/* Who has less time than that sees everything at once. */
const SHORT_OF_TIME = 30000;
/* What can only be done when the deal is seen to be over. */
const AFTERWARDS = ["ready", "phrase"];

const waiting = [];
let newest = null;
let arrived = 0;
let free = 0;
let timer = null;
let last = null;

export const paceName = () => (read("table:pace") in PACES ? read("table:pace") : "normal");
const step = () => PACES[paceName()];

/* Takes what the server says; whatever has happened in between is shown before it. */
export function receive(view) {
  const before = newest || now.view;
  if (!view || isOlder(view, before)) return;
  const moments = momentsTo(view, before);
  newest = view;
  arrived = performance.now();
  waiting.push(...(moments || []));
  if (!moments || isHurried()) return showAll();
  if (!waiting.length) return take(view, { received: arrived });
  // What is no action is there at once.
  if (now.isCatchingUp) take(asOf(last), { received: arrived });
  go();
}

/* Shows everything at once; whether anything waited. */
export function skip() {
  if (!waiting.length) return false;
  showAll();
  return true;
}

function showAll() {
  window.clearTimeout(timer);
  waiting.length = 0;
  now.isCatchingUp = false;
  free = performance.now() + step();
  take(newest, { received: arrived });
}

function go() {
  window.clearTimeout(timer);
  while (waiting.length) {
    if (isHurried()) return showAll();
    const wait = waiting[0].isAction && waiting[0].seat === mySeat() ? 0 : free - performance.now();
    if (wait > 0) {
      timer = window.setTimeout(go, wait);
      return;
    }
    show(waiting.shift());
  }
}

function show(moment) {
  const land = moment.isAction ? flight(moment) : null;
  last = moment;
  now.isCatchingUp = waiting.length > 0;
  free = performance.now() + moment.hold;
  take(now.isCatchingUp ? asOf(moment) : newest, { received: arrived });
  if (land) land();
}

/* The newest view, but with the cards as they lay at that moment, and without what their end has brought. */
function asOf({ deal, state, match, result }) {
  const { clock, is_paused, next, turn_ms } = newest.deal && newest.deal.number === deal.number ? newest.deal : deal;
  const you = { ...newest.you, may: newest.you.may.filter((name) => !AFTERWARDS.includes(name)) };
  return { ...newest, you, state, match, result, deal: { ...deal, clock, is_paused, next, turn_ms } };
}

/* What is shown one after the other to get from one view to the next; null where nobody can tell. */
function momentsTo(view, before) {
  const [deal, old] = [view.deal, before.deal];
  if (!step() || view.you.seat !== before.you.seat || !deal || !deal.view || !old || !old.view) return null;
  if (deal.number !== old.number) return [momentOf(view, deal)];
  if (deal.next === old.next) return [];
  const steps = [...(deal.steps || []), deal.last];
  const isWhole = deal.last && deal.last.number === deal.next - 1 && steps.length === deal.next - old.next;
  if (!isWhole) return null;
  let shown = old.view;
  return steps.flatMap((move) => {
    const cards = move.view ? { ...move.view, ...(move.view.actions && { actions: deal.view.actions.slice(0, move.done) }) } : deal.view;
    const told = move.view ? before : view;
    const rest = felt.restOf(cards, shown, move);
    shown = cards;
    const after = { ...deal, view: cards, last: move, why_not: [], help: null };
    if (!rest) return [{ ...momentOf(told, after), ...actionOf(move) }];
    return [{ ...momentOf(before, { ...after, view: rest, is_rest: true }), ...actionOf(move), hold: 2.5 * step() }, { ...momentOf(told, after), hold: step() / 2 }];
  });
}

const momentOf = ({ state, match, result }, deal) => ({ deal, state, match, result, hold: step() });
const actionOf = ({ seat, token }) => ({ isAction: true, seat, token });

function isHurried() {
  const people = waiting.filter((each) => each.isAction && !isRobots(each.seat));
  return document.visibilityState !== "visible" || people.length > MOST_OF_PEOPLE || waiting.length > MOST_OF_ALL || isShortOfTime();
}

function isRobots(seat) {
  const row = newest.seats.find((each) => each.seat === seat);
  return Boolean(row.robot || row.played_by_robot);
}

function isShortOfTime() {
  const { deal, you } = newest;
  if (!deal || !deal.clock || !you.seat || deal.clock.running !== you.side || deal.view.turn !== you.seat) return false;
  return deal.clock.left_ms[you.side] - (performance.now() - arrived) < SHORT_OF_TIME;
}
