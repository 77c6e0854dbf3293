/* Concerto at a table: hands of five cards, and the two calls. */
import { start } from "../../js/table/start.js";
import { centre } from "./table/centre.js";
import { underSeat } from "./table/hands.js";
import { actionName, actionWords, isCall, moveNews, movesOf, standing } from "./table/words.js";

start({ actionName, actionWords, callKeys: { p: "-", g: ">" }, centre, isCall, moveNews, movesOf, standing, underSeat });
