/* A card that is played goes from its seat to the middle. Who asked for less movement sees it lie there. */
import { find, root } from "./page.js";

const LASTS = 260;

/* Notes where the card comes from; the function that it gives lets it go from there, once it is drawn where it lies. */
export function flight({ seat, token }) {
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const from = root.querySelector(`[data-own] [data-card="${CSS.escape(token)}"]`) || root.querySelector(`[data-place="${CSS.escape(seat)}"]`);
  const start = from && from.getBoundingClientRect();
  return () => {
    const card = find("centre").querySelector(".laid");
    if (!start || !card) return;
    const end = card.getBoundingClientRect();
    const x = start.left + start.width / 2 - end.left - end.width / 2;
    const y = start.top + start.height / 2 - end.top - end.height / 2;
    card.animate([{ transform: `translate(${x}px, ${y}px) scale(0.7)`, opacity: 0.5 }, { transform: "none", opacity: 1 }], { duration: LASTS, easing: "ease-out" });
  };
}
