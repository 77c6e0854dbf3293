/* Sends the checked sheet. Without a connection it is kept on this device and sent again with the same key, which the
   server takes for one and the same request however often it arrives. */
import { device } from "./keeping.js";

const FIRST_PAUSE = 3000;
const LONGEST_PAUSE = 60000;

/* The server's answer: where to go next, or that it has something to show first. No answer of ours is no connection. */
async function post(url, fields) {
  const answer = await fetch(url, {
    method: "POST",
    credentials: "same-origin",
    headers: { Accept: "application/json" },
    body: new URLSearchParams(fields),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
  const isOurs = (answer.headers.get("Content-Type") || "").startsWith("application/json");
  return isOurs ? answer.json() : { show: true };
}

function settle(storageKey, answer) {
  device.write(`${storageKey}:waiting`, null);
  if (!answer.next) return false;
  device.write(storageKey, null);
  window.location.assign(answer.next);
  return true;
}

/* A sheet that was sent while there was no connection, before this page was opened. */
export async function sendWaiting(storageKey, token) {
  const waiting = device.read(`${storageKey}:waiting`);
  if (!waiting || !waiting.url.startsWith("/")) return;
  try {
    settle(storageKey, await post(waiting.url, { ...waiting.fields, csrfmiddlewaretoken: token }));
  } catch (error) {
    window.addEventListener("online", () => sendWaiting(storageKey, token), { once: true });
  }
}

class Sending {
  constructor(form) {
    this.form = form;
    this.state = form.querySelector("[data-send-state]");
    this.button = form.querySelector("[type=submit]");
    this.pause = FIRST_PAUSE;
    this.timer = 0;
    this.isSending = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    window.addEventListener("online", () => this.timer && this.send());
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.state.textContent = this.form.dataset.sendingText;
    this.button.setAttribute("aria-disabled", "true");
    const fields = Object.fromEntries(new FormData(this.form));
    try {
      const answer = await post(this.form.action, fields);
      // What it has to say it says on a page of its own.
      if (!settle(this.form.dataset.storage, answer)) this.form.submit();
    } catch (error) {
      this.wait(fields);
    }
  }

  wait(fields) {
    const url = new URL(this.form.action).pathname;
    device.write(`${this.form.dataset.storage}:waiting`, { url, fields });
    this.state.textContent = this.form.dataset.waitingText;
    this.button.removeAttribute("aria-disabled");
    this.isSending = false;
    this.timer = window.setTimeout(() => this.send(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }
}

const form = document.querySelector("[data-send]");
if (form) new Sending(form);
