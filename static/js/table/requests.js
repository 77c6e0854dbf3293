/* What somebody at the table asks for, with the buttons of those who decide; and what is said between two deals. */
import { button, element, put } from "./elements.js";
import { fill, find, may, mySeat, nameOf, now, words } from "./page.js";
import { phraseText, requestText } from "./sentences.js";

/* All must agree to these; a call for a director waits for nobody at the table. */
const BY_CONSENT = ["take_back", "pause", "return"];
/* So many of the phrases stand on the page; the view has all of the pause, so that each new one is read out. */
const SHOWN = 12;

export function drawRequests() {
  put(find("requests"), ...now.view.requests.filter(isOfNow).map(requestRow));
  put(find("said"), ...now.view.phrases.slice(-SHOWN).map((each) => element("li", { text: phraseText(each) })));
  put(
    find("phrases"),
    ...(may("phrase") ? Object.entries(words.phrases).map(([key, text]) => button(text, { css: "chip", "data-step": "phrase", "data-phrase": key })) : [])
  );
}

/* That a side's time is up matters while the deal is played, or until a director has seen to it. */
const isOfNow = (asked) => asked.kind !== "time" || asked.state === "open" || now.view.state === "playing";

function requestRow(asked) {
  const waiting = asked.needs.filter((seat) => seat !== asked.seat).map(nameOf);
  const isAsking = waiting.length && asked.state === "open" && BY_CONSENT.includes(asked.kind);
  const text = requestText(asked);
  return element(
    "li",
    { css: "request spread" },
    element("p", { text: isAsking ? `${text} ${fill(words.needs, { players: waiting.join(", ") })}` : text }),
    answerButtons(asked),
    now.trouble && now.troubleAt.request === asked.id ? element("p", { css: "fault bold", text: now.trouble }) : null
  );
}

function answerButtons(asked) {
  const isMine = mySeat() && asked.state === "open" && asked.needs.includes(mySeat()) && asked.seat !== mySeat();
  if (isMine && may("answer") && BY_CONSENT.includes(asked.kind)) {
    return element(
      "div",
      { css: "actions" },
      button(words.agree, { css: "compact", "data-answer": "yes", "data-request": asked.id }),
      button(words.refuse, { css: "quiet compact", "data-answer": "no", "data-request": asked.id })
    );
  }
  if (may("settle") && ["director", "time"].includes(asked.kind) && asked.state === "open") {
    return element("div", { css: "actions" }, button(words.settle, { css: "compact", "data-step": "settle", "data-request": asked.id }));
  }
  return null;
}
