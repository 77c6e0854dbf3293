"""Learning a game by trying it: guided positions and whole deals with robots, for anybody, without a row."""
