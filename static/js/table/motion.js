/* A card that is played goes from its seat to the middle. Who asked for less movement sees it lie there. */
import { find, now, root } from "./page.js";

const LASTS = 260;
let flown = null;

/* Notes where the card comes from; the function that it gives lets it go from there, once it is drawn where it lies. */
export function flight({ seat, token }) {
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  // The own card is on its way since it was pressed: drawn anew, it goes on from where it is.
  if (!now.laid || !flown) {
    const from = root.querySelector(`[data-own] [data-card="${CSS.escape(token)}"]`) || root.querySelector(`[data-place="${CSS.escape(seat)}"]`);
    flown = { start: from && from.getBoundingClientRect(), begun: performance.now() };
  }
  const { start, begun } = flown;
  return () => {
    const card = find("centre").querySelector(".laid");
    if (!start || !card) return;
    const end = card.getBoundingClientRect();
    const x = start.left + start.width / 2 - end.left - end.width / 2;
    const y = start.top + start.height / 2 - end.top - end.height / 2;
    card.animate([{ transform: `translate(${x}px, ${y}px) scale(0.7)`, opacity: 0.5 }, { transform: "none", opacity: 1 }], { duration: LASTS, easing: "ease-out" }).currentTime = performance.now() - begun;
  };
}
