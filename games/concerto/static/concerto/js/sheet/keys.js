/* A scorer's hands never leave the keyboard: short codes choose what the chips choose, rank and suit choose a card.
   The codes stand on the chips; the server gives them. */

const SWITCH = "keys.off";

export class Keys {
  /* `codes()` gives the codes that mean something now; `on` has what a key does: choose(code), next(), undo(),
     redo(), step(by), across(by), swap(). */
  constructor(codes, on) {
    this.codes = codes;
    this.on = on;
    this.typed = "";
    this.switchedOn = document.querySelector("[data-short-keys]");
    if (this.switchedOn) {
      this.switchedOn.checked = !localStorage.getItem(SWITCH);
      this.switchedOn.addEventListener("change", () => this.keep());
    }
    document.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const key = event.key;
    if (event.ctrlKey) {
      const isBack = key === "z" && !event.shiftKey;
      if (isBack) this.use(event, () => this.on.undo());
      else if (key === "y" || key.toLowerCase() === "z") this.use(event, () => this.on.redo());
      return;
    }
    if (key === "Escape") this.typed = "";
    else if (key === "Backspace") this.use(event, () => (this.typed ? (this.typed = "") : this.on.undo()));
    else if (key === "ArrowDown" || key === "ArrowUp") {
      this.use(event, () => this.on.step(key === "ArrowDown" ? 1 : -1));
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      this.use(event, () => this.on.across(key === "ArrowRight" ? 1 : -1));
    } else if (key === "Enter" && !event.target.closest("button, a, summary")) this.use(event, () => this.on.next());
    else if (key.length === 1 && key !== " " && this.switchedOn?.checked !== false) this.type(event, key.toLowerCase());
  }

  /* Who speaks to the device, or hits keys by chance, can switch single letters and figures off; it is remembered. */
  keep() {
    if (this.switchedOn.checked) localStorage.removeItem(SWITCH);
    else localStorage.setItem(SWITCH, "1");
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
