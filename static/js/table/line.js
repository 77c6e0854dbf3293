/* The line between the page and what answers it; the page's first script brings one. `start()` begins to listen;
   `post(step, fields)` does something, "act" or a step: {} when it is done, {error} when it is refused; `meanings(hand)`
   tells what the first cards of a hand mean, or null; `reasons(seat)` why the robot there did what it did last, or null;
   `hint()` what a robot would do, {robot, token, reasons} or {error}; `playHere()` takes the seat to this window. */
export const line = {};

export const bringLine = (own) => Object.assign(line, own);
