/* Sends the sheet that the preview shows. It is put into the device's outbox first, so that neither a lost connection
   nor a closed page loses it; the server takes its key for one and the same request however often it arrives. */

class Sending {
  constructor(form) {
    this.form = form;
    this.state = form.querySelector("[data-send-state]");
    this.button = form.querySelector("[type=submit]");
    this.isSending = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    this.say(this.form.dataset.sendingText, true);
    const { csrfmiddlewaretoken, ...fields } = Object.fromEntries(new FormData(this.form));
    const { title, storage } = this.form.dataset;
    const url = new URL(this.form.action).pathname;
    const next = new URL(this.form.dataset.back, window.location).pathname;
    try {
      const sent = await window.concertmaster.send({ id: fields.key, url, fields, title, storage, next });
      if (sent.state === "sent" || sent.state === "refused") window.location.assign(sent.next || next);
      else this.say(this.form.dataset.waitingText, false);
    } catch (error) {
      // A browser that keeps nothing sends it as any form.
      this.form.submit();
    }
    this.isSending = false;
  }

  say(words, isBusy) {
    this.state.textContent = words;
    this.button.setAttribute("aria-disabled", isBusy ? "true" : "false");
  }
}

const form = document.querySelector("[data-send]");
if (form) new Sending(form);
