/* Any game at a table, drawn from the zones of its view. */
import { draw } from "./places.js";
import { seatFacts, underSeat } from "./seat.js";
import { actionName, actionWords, compositions, isCall, legal, movesOf, newsOf, standing } from "./words.js";

export const zones = { actionName, actionWords, compositions, draw, isCall, isRanked: true, legal, movesOf, newsOf, seatFacts, standing, underSeat };
