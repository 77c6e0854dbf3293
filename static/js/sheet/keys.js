/* A scorer's hands never leave the keyboard: short codes choose what the chips choose, rank and suit choose a card.
   The codes stand on the chips; the server gives them. */

export class Keys {
  /* `codes()` gives the codes that mean something now; `on` has what a key does: choose(code), next(), undo(),
     step(by), swap(). */
  constructor(codes, on) {
    this.codes = codes;
    this.on = on;
    this.typed = "";
    document.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const key = event.key;
    if (event.ctrlKey) {
      if (key === "z") this.use(event, () => this.on.undo());
      return;
    }
    if (key === "Escape") this.typed = "";
    else if (key === "Backspace") this.use(event, () => (this.typed ? (this.typed = "") : this.on.undo()));
    else if (key === "ArrowDown" || key === "ArrowUp") {
      this.use(event, () => this.on.step(key === "ArrowDown" ? 1 : -1));
    } else if (key === "Enter" && !event.target.closest("button, a, summary")) this.use(event, () => this.on.next());
    else if (key.length === 1 && key !== " ") this.type(event, key.toLowerCase());
  }

  type(event, letter) {
    const codes = this.codes();
    const typed = codes.some((code) => code.startsWith(this.typed + letter)) ? this.typed + letter : letter;
    if (!codes.some((code) => code.startsWith(typed))) {
      this.typed = "";
      if (letter === "p") this.use(event, () => this.on.swap());
      return;
    }
    event.preventDefault();
    this.typed = typed;
    if (!codes.includes(typed)) return;
    this.typed = "";
    this.on.choose(typed);
  }

  use(event, act) {
    event.preventDefault();
    act();
  }
}
