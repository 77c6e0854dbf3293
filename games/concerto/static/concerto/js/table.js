/* Concerto at a table: hands of five cards, and the two calls. */
import { start } from "../../js/table/start.js";
import { seatFacts, underSeat } from "./table/hands.js";
import { draw } from "./table/round.js";
import { actionName, actionWords, isCall, moveNews, movesOf, standing } from "./table/words.js";

const legal = (shown) => shown.legal;
const compositions = () => [];

start({ actionName, actionWords, callKeys: { p: "-", g: ">" }, compositions, draw, isCall, legal, moveNews, movesOf, seatFacts, standing, underSeat });
