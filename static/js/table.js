/* The page of a table: draws what the server tells this seat, sends what the player does. It knows no rules: the server
   says what is allowed, and why something is not. */
import { startActs } from "./table/acts.js";
import { startConnection } from "./table/connection.js";
import { draw, startClocks } from "./table/drawing.js";
import { startKeys } from "./table/keys.js";
import { now, root, take } from "./table/page.js";

root.hidden = false;
document.getElementById("table-waiting").hidden = true;
take(now.given, { silent: true });
draw();
startActs();
startKeys();
startClocks();
startConnection();
