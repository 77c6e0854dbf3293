/* What happens at the table can be heard, and felt where the device trembles; the title and the icon say whose turn it is. The
   sounds are made here, not fetched. Before the first press on the page no device makes any. */
import { tellChat } from "./chat.js";
import { felt } from "./felt.js";
import { isMyTurn, now, read, texts, whenChanged } from "./page.js";

/* Each a row of notes: frequency in Hz, when it begins and how long it lasts in seconds, how loud. */
const SOUNDS = {
  card: [[190, 0, 0.05, 0.5]],
  call: [[330, 0, 0.09, 0.35]],
  made: [[523, 0, 0.12, 0.3], [659, 0.1, 0.12, 0.3], [784, 0.2, 0.22, 0.3]],
  turn: [[659, 0, 0.12, 0.35], [880, 0.13, 0.22, 0.35]],
  low: [[440, 0, 0.14, 0.4], [440, 0.22, 0.14, 0.4], [440, 0.44, 0.2, 0.4]],
};
const TREMBLES = { turn: [60], low: [80, 60, 80] };
/* Your turn is heard after what brought it. */
const AFTER = 0.3;
let context = null;
let isAwake = false;
let isMarked = null;

export const isOn = () => read("table:sound") !== "off";

export function startSound() {
  for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, wake, { once: true });
  whenChanged((view, before) => {
    const isSaid = tellChat(view, before);
    const what = before && (isSaid ? "call" : heard(view, before));
    if (what) sound(what);
    if (isMyTurn() && before && !wasMyTurn(before)) sound("turn", what ? AFTER : 0);
    mark();
  });
  mark();
}

function wake() {
  isAwake = true;
}

const wasMyTurn = ({ deal, you }) => Boolean(deal && deal.view && deal.view.turn === you.seat && !deal.is_paused);

/* What has happened from one view to the next, as a sound: the end of a hand before the card that made it. */
function heard(view, before) {
  const [deal, old] = [view.deal, before.deal];
  if (asks(view) > asks(before)) return "call";
  if (!deal || !deal.view || !old || !old.view || deal.number !== old.number) return "";
  const moves = felt.movesOf(deal.view);
  const move = moves[moves.length - 1];
  if (moves.length <= felt.movesOf(old.view).length) return "";
  if (deal.is_rest || felt.restOf(deal.view, old.view, move)) return "made";
  return felt.isCall(move.token) ? "call" : "card";
}

/* Who asks for something else than an own wish. */
const asks = ({ requests, you }) => requests.filter((each) => each.state === "open" && each.seat !== you.seat).length;

export function sound(name, delay = 0) {
  if (!isAwake || !isOn()) return;
  if (TREMBLES[name] && navigator.vibrate) navigator.vibrate(TREMBLES[name]);
  context = context || new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [frequency, at, lasts, loud] of SOUNDS[name]) note(frequency, context.currentTime + delay + at, lasts, loud);
}

function note(frequency, at, lasts, loud) {
  const tone = new OscillatorNode(context, { type: "triangle", frequency });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loud * 0.4, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0005, at + lasts);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + lasts);
}

/* The icon of the window, and of the app where it is one. */
function mark() {
  const isTurn = isMyTurn() && !now.isTakenOver;
  if (isTurn === isMarked) return;
  isMarked = isTurn;
  const icon = document.querySelector("link[rel=icon]");
  icon.dataset.usual = icon.dataset.usual || icon.href;
  const wanted = isTurn ? texts.turnIcon : icon.dataset.usual;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  if (navigator.setAppBadge) (isTurn ? navigator.setAppBadge() : navigator.clearAppBadge()).catch(() => {});
}
