/* What a script brings to the page of a table, which of any game draws and says nothing of the play:
   `draw()`, everything on the felt; `seatFacts(view, seat)`, what more is said of a seat, `seatScore(row)`, its figures of the match, and `underSeat(view, seat)`, what
   it has before it, `seatOf(view, seat)` the part of the view that these are drawn from; `legal(view)`, the tokens that may be played, `isCall(token)`, one that is no card, and
   `compositions(view)`, those that take chosen cards; `actionName(token)`, on a button; `actionWords(seat, token, move)`, a
   sentence; `movesOf(view)`, every action so far as {seat, token, ...}; `moveNews(move)`, what more is said of one;
   `restOf(view, before, move)`, the cards as they rest for a moment when a move has ended a hand or a trick, if it has;
   `roundsOf(view)`, the hands or tricks so far as {title, moves, result}, each move with its `place` among all of the deal;
   `callWords(move)`, what was done without a card;
   `newsOf(view, before)`, what else has changed between two views; `standing(view)`, sentences on what is being played;
   `callKeys`, the call that a letter makes; `isRanked`, whether a result lists the sides by rank. */
export const felt = { callKeys: {}, isRanked: false, moveNews: () => [], newsOf: () => [], restOf: () => null, roundsOf: () => [], seatScore: () => null };

export const bring = (own) => Object.assign(felt, own);
