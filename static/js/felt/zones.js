/* Any game at a table, drawn from the zones of its view. */
import { draw, seatScore } from "./places.js";
import { seatFacts, seatOf, underSeat } from "./seat.js";
import { actionName, actionWords, callWords, compositions, isCall, legal, movesOf, newsOf, restOf, roundsOf, standing } from "./moves.js";

export const zones = {
  actionName,
  actionWords,
  callWords,
  compositions,
  draw,
  isCall,
  isRanked: true,
  legal,
  movesOf,
  newsOf,
  restOf,
  roundsOf,
  seatFacts,
  seatOf,
  seatScore,
  standing,
  underSeat,
};
