/* Clocks: the server's figures, and what has passed since they came. */
import { element, hide, say } from "./elements.js";
import { announce, deal, fill, find, now, words } from "./page.js";
import { clockFace, sideName } from "./sentences.js";
import { sound } from "./sound.js";

const LOW = 60000;
let told = null;

/* A side's clock as it stands, so that one that shows the same is left alone. */
export function clockOf(side) {
  const box = element("span", { css: "score-clock", role: "timer", "data-clock": side });
  showTime(box, side);
  return box;
}

export function drawClocks() {
  for (const box of find("felt").querySelectorAll("[data-clock]")) showTime(box, box.dataset.clock);
  warnOnce();
}

function showTime(box, side) {
  const clock = deal() && deal().clock;
  hide(box, !clock);
  if (!clock) return;
  const left = timeLeft(clock, side);
  say(box, clockFace(left));
  box.classList.toggle("running", clock.running === side);
  box.classList.toggle("low", left < LOW);
}

const timeLeft = (clock, side) => Math.max(0, clock.left_ms[side] - (clock.running === side ? performance.now() - now.received : 0));

/* A player whose time runs short is told so, once in a deal. */
function warnOnce() {
  const clock = deal() && deal().clock;
  const { side } = now.view.you;
  if (!clock || clock.running !== side || timeLeft(clock, side) >= LOW || told === deal().number) return;
  told = deal().number;
  announce(fill(words.time_low, { side: sideName(side) }));
  sound("low");
}
