/* What a game's own script brings to the page of a table, of any game so far as it draws and says nothing of the play:
   `centre(view)`, what lies in the middle; `underSeat(view, seat)`, what a seat has before it; `isCall(token)`, an action that
   is no card; `actionName(token)`, on a button; `actionWords(seat, token)`, a sentence; `movesOf(view)`, every action so
   far as {seat, token, ...}; `moveNews(move)`, what more is said of one; `standing(view)`, sentences on what is being
   played; `callKeys`, the call that a letter makes. */
export const felt = {};

export const bring = (own) => Object.assign(felt, own);
