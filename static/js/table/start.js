/* The page of a table: draws what the server tells this seat, sends what the player does. It knows no rules: the server
   says what is allowed, and why something is not. A game's script starts it with a felt of its own. */
import { startActs } from "./acts.js";
import { draw, startClocks } from "./drawing.js";
import { bring } from "./felt.js";
import { startKeys } from "./keys.js";
import { line } from "./line.js";
import { now, root, take } from "./page.js";
import { startSound } from "./sound.js";

export function start(own) {
  bring(own);
  root.hidden = false;
  document.getElementById("table-waiting").hidden = true;
  take(now.given, { silent: true });
  draw();
  startActs();
  startKeys();
  startClocks();
  startSound();
  line.start();
}
