/* What is said among those who sit at a casual table. Whom you mute is kept on this device. */
import { button, element, hide } from "./elements.js";
import { announce, fill, find, now, read, words, write } from "./page.js";

/* So many people are remembered as muted. */
const MOST_MUTED = 50;
let shown = "";

const muted = () => (read("table:muted") || "").split(" ").filter(Boolean);

export function mute(speaker) {
  const others = muted().filter((each) => each !== speaker);
  write("table:muted", (others.length < muted().length ? others : [...others, speaker].slice(-MOST_MUTED)).join(" "));
}

/* Drawn only when something was said, so that the list stays where the reader has scrolled it. */
export function drawChat() {
  const lines = now.view.chat;
  hide(find("chat"), !lines);
  /* Who is left alone still reads what was said. */
  hide(find("chat-form"), !now.view.you.may.includes("chat"));
  const state = JSON.stringify([lines, muted()]);
  if (!lines || state === shown) return;
  shown = state;
  const box = find("chat-lines");
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  const silent = muted();
  const hidden = new Map(lines.filter((line) => silent.includes(line.speaker)).map((line) => [line.speaker, line.name]));
  const seen = lines.filter((line) => !silent.includes(line.speaker));
  box.replaceChildren(...seen.map(chatLine), ...[...hidden].map(mutedLine));
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

function chatLine(line) {
  const isMine = line.is_yours;
  return element(
    "li",
    { css: isMine ? "chat-line cluster mine" : "chat-line cluster" },
    element("b", { css: "chat-who", text: line.name }),
    element("span", { css: "chat-text anywhere", text: line.text }),
    isMine ? null : element("span", { css: "push" }, button(fill(words.mute, { name: line.name }), { css: "quiet compact", "data-mute": line.speaker }), reportButton(line))
  );
}

const reportButton = (line) =>
  line.is_reported ? element("span", { css: "soft small", text: words.reported }) : button(words.report, { css: "quiet compact", "data-step": "report", "data-line-id": line.id });

const mutedLine = ([speaker, name]) =>
  element("li", { css: "chat-line cluster" }, element("span", { css: "soft", text: fill(words.muted, { name }) }), button(fill(words.unmute, { name }), { css: "quiet compact", "data-mute": speaker }));

/* What others have said since, for those who listen: whether there was anything. */
export function tellChat(view, before) {
  const last = before && before.chat ? Math.max(0, ...before.chat.map((line) => line.id)) : Infinity;
  const fresh = (view.chat || []).filter((line) => line.id > last && !line.is_yours && !muted().includes(line.speaker));
  for (const line of fresh) announce(`${line.name}: ${line.text}`);
  return fresh.length > 0;
}
