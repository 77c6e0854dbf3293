/* What is being entered: the sheet's content, where the person is in it, and the way back. It knows nothing of the
   game: records are moved about, the server says what they mean. */

const LONGEST_MEMORY = 200;
const LONGEST_KEPT = 60;
const LONGEST_TRAIL = 20;

export class Sheet {
  /* `draft` is {first_dealer, seats, deals, page: {depths, deal, spot, edited, trail}}; `spot` is a hand's number from 0,
     "left", "total" or "seats". */
  constructor(draft, dealCount) {
    this.dealCount = dealCount;
    this.past = [];
    this.future = [];
    this.load(draft);
  }

  load(draft) {
    this.content = structuredClone(draft);
    const page = this.content.page || {};
    if (!Array.isArray(this.content.deals)) this.content.deals = [];
    this.page = {
      depths: Array.isArray(page.depths) ? page.depths : [],
      deal: Math.min(Math.max(0, Number(page.deal) || 0), this.dealCount - 1),
      spot: page.spot === undefined ? 0 : page.spot,
      edited: Number(page.edited) || 0,
      // The states that this draft was begun from, the newest last: by these two devices' drafts are told apart.
      trail: [...(Array.isArray(page.trail) ? page.trail : []), Number(page.edited) || 0].slice(-LONGEST_TRAIL),
    };
  }

  /* The draft as it is kept: the content, and where the person was in it. A copy, so that an answer to it can be told
     from one to what was entered since. */
  asDraft() {
    return structuredClone({ ...this.content, page: this.page });
  }

  record(deal = this.page.deal) {
    const found = this.content.deals[deal];
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  }

  /* Every change goes through here, so that each can be undone and is saved with its time. */
  change(edit) {
    this.past.push(this.state());
    if (this.past.length > LONGEST_MEMORY) this.past.shift();
    this.future = [];
    edit();
    this.touch();
  }

  /* Its time names a state of the draft, so two of them never have the same. */
  touch() {
    this.page.edited = Math.max(Date.now(), this.page.edited + 1);
  }

  state() {
    return JSON.stringify([this.content, this.page.deal, this.page.spot]);
  }

  undo() {
    return this.travel(this.past, this.future);
  }

  redo() {
    return this.travel(this.future, this.past);
  }

  travel(from, to) {
    const there = from.pop();
    if (!there) return false;
    to.push(this.state());
    const [content, deal, spot] = JSON.parse(there);
    this.content = content;
    this.page.deal = deal;
    this.page.spot = spot;
    this.touch();
    return true;
  }

  /* The way back and forth, as far as it is kept through a reload; it is of this very state of the draft. */
  memory() {
    return { edited: this.page.edited, past: this.past.slice(-LONGEST_KEPT), future: this.future.slice(-LONGEST_KEPT) };
  }

  recall(memory) {
    if (!memory || memory.edited !== this.page.edited) return;
    this.past = memory.past;
    this.future = memory.future;
  }

  changeRecord(edit) {
    this.change(() => {
      const deals = this.content.deals;
      for (let deal = deals.length; deal <= this.page.deal; deal += 1) deals.push({});
      const record = structuredClone(this.record());
      edit(record);
      deals[this.page.deal] = record;
      while (deals.length && isEmpty(deals[deals.length - 1])) deals.pop();
    });
  }

  hand(spot = this.page.spot) {
    const hands = this.record().hands;
    return Array.isArray(hands) ? (hands[spot] ?? null) : null;
  }

  setHand(value, handCount) {
    const spot = this.page.spot;
    this.changeRecord((record) => {
      const hands = Array.isArray(record.hands) ? record.hands : [];
      while (hands.length < handCount) hands.push(null);
      hands[spot] = isEmpty(value) ? null : value;
      if (hands.every((hand) => hand === null)) delete record.hands;
      else record.hands = hands;
    });
  }

  setField(path, value) {
    this.changeRecord((record) => setAt(record, path, value));
  }
}

export function isEmpty(value) {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

/* Sets what lies at a path of keys; an empty value takes it out, and what is then empty around it. */
export function setAt(root, path, value) {
  const [key, ...rest] = path;
  if (!rest.length) {
    if (value === undefined || value === null || value === "") {
      if (Array.isArray(root)) root[key] = null;
      else delete root[key];
    } else root[key] = value;
    return;
  }
  const inner = root[key];
  root[key] = inner && typeof inner === "object" ? inner : typeof rest[0] === "number" ? [] : {};
  setAt(root[key], rest, value);
  if (!Array.isArray(root[key]) && !Object.keys(root[key]).length) delete root[key];
}

/* Who played which of a hand's cards: {"N": ["As", ...], ...}; whatever else was given of the hand is not cards. */
export function cardsBySeat(value) {
  const cards = value && typeof value === "object" ? value.cards : null;
  return cards && typeof cards === "object" && !Array.isArray(cards) ? structuredClone(cards) : {};
}

/* The card in the hands of `seat`: added, moved there from the partner, or taken out again. */
export function toggled(bySeat, seat, card) {
  const next = structuredClone(bySeat);
  const had = (next[seat] || []).includes(card);
  for (const key of Object.keys(next)) next[key] = next[key].filter((other) => other !== card);
  if (!had) next[seat] = [...(next[seat] || []), card];
  for (const key of Object.keys(next)) if (!next[key].length) delete next[key];
  return next;
}
