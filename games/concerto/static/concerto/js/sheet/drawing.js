/* Draws what the server read: rows of hands, problems, cards, totals. All words come from the server. */

export function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined && text !== null) made.textContent = text;
  return made;
}

export function cardFace(card) {
  const face = element("span", `card-face small ${card.suit}${card.partner ? " by-partner" : ""}`);
  face.setAttribute("role", "img");
  face.setAttribute("aria-label", card.label);
  face.append(element("span", "rank", card.face), element("span", "suit", card.symbol));
  return face;
}

/* One row of the deal, made once and filled again and again, so that the focus is never lost. */
export class Row {
  constructor(template, spot, onOpen) {
    this.spot = spot;
    this.root = template.content.firstElementChild.cloneNode(true);
    this.button = this.root.querySelector("[data-open]");
    this.lead = this.root.querySelector("[data-lead]");
    this.cards = this.root.querySelector("[data-cards]");
    this.words = this.root.querySelector("[data-words]");
    this.points = this.root.querySelector("[data-points]");
    this.problems = this.root.querySelector("[data-problems]");
    this.button.addEventListener("click", () => onOpen(spot));
  }

  fill(shown, isCurrent, emptyPlaces) {
    this.lead.textContent = shown.lead;
    this.lead.title = shown.title;
    const faces = shown.cards.map(cardFace);
    for (let place = faces.length; place < emptyPlaces; place += 1) {
      faces.push(element("span", "card-face small vacant"));
    }
    this.cards.replaceChildren(...faces);
    this.cards.hidden = !faces.length;
    this.words.textContent = shown.words;
    this.points.textContent = shown.points;
    this.points.classList.toggle("provisional", shown.provisional);
    this.root.classList.toggle("current", isCurrent);
    this.button.setAttribute("aria-current", isCurrent ? "true" : "false");
  }

  complain(problems, onApply) {
    this.problems.replaceChildren(...problems.map((problem) => problemBox(problem, onApply)));
    this.root.classList.toggle("faulty", problems.some((problem) => problem.refuses));
  }
}

/* `isPlaced` says where it belongs: needed where the box does not stand there. */
export function problemBox(problem, onApply, isPlaced = false) {
  const box = element("div", `sheet-problem notice ${problem.refuses ? "error" : "attention"}`);
  const words = element("p", "", problem.message);
  if (isPlaced && problem.where) words.prepend(element("strong", "", `${problem.where}: `));
  box.append(words);
  if (problem.fix) {
    const apply = element("button", "secondary compact", problem.proposal);
    apply.type = "button";
    apply.addEventListener("click", () => onApply(problem.fix));
    box.append(apply);
  } else if (problem.proposal) box.append(element("p", "soft", problem.proposal));
  return box;
}

/* Arrow keys walk through a group of buttons, which is one stop for the Tab key. */
export function rove(group, columns = 0) {
  const buttons = () => [...group.querySelectorAll("button:not(:disabled)")];
  const settle = () => {
    const all = buttons();
    const chosen = all.find((button) => button.tabIndex === 0) || all[0];
    group.querySelectorAll("button").forEach((button) => (button.tabIndex = button === chosen ? 0 : -1));
  };
  group.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns || 1, ArrowUp: -(columns || 1) };
    const step = steps[event.key];
    if (!step || !event.target.matches("button")) return;
    const next = neighbour([...group.querySelectorAll("button")], event.target, step);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  return settle;
}

/* The next button in that direction that can be pressed; with columns, greyed ones in between are passed over. */
function neighbour(all, from, step) {
  for (let at = all.indexOf(from) + step; at >= 0 && at < all.length; at += step) {
    if (!all[at].disabled) return all[at];
  }
  return null;
}
