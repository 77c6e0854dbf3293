/* The page of a table of any game that has no felt of its own. */
import { zones } from "./felt/zones.js";
import { start } from "./table/start.js";

start(zones);
