/* Concerto at a table: hands of five cards, and the two calls. */
import { start } from "../../js/table/start.js";
import { seatFacts, seatOf, underSeat } from "./table/hands.js";
import { draw } from "./table/round.js";
import { actionName, actionWords, callWords, isCall, moveNews, movesOf, restOf, roundsOf, standing } from "./table/moves.js";

const legal = (shown) => shown.legal;
const compositions = () => [];

start({
  actionName,
  actionWords,
  callKeys: { p: "-", g: ">" },
  callWords,
  compositions,
  draw,
  isCall,
  legal,
  moveNews,
  movesOf,
  restOf,
  roundsOf,
  seatFacts,
  seatOf,
  standing,
  underSeat,
});
