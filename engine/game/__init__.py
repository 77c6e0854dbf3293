"""The seam between a card game and the service, and the register of games."""

from engine.game.capabilities import Analysis, Boards, Records, Robot, Sampling, Signals
from engine.game.core import Game
from engine.game.registry import all_games, forget, get, known, known_games, register
from engine.game.values import (
    Checked,
    CheckedSheet,
    Json,
    MatchResult,
    Options,
    Points,
    Record,
    Score,
    Shown,
    State,
    View,
)
from engine.options import Kind, OptionField
from engine.problems import Problem, Severity

__all__ = [
    "Analysis",
    "Boards",
    "Checked",
    "CheckedSheet",
    "Game",
    "Json",
    "Kind",
    "MatchResult",
    "OptionField",
    "Options",
    "Points",
    "Problem",
    "Record",
    "Records",
    "Robot",
    "Sampling",
    "Score",
    "Severity",
    "Shown",
    "Signals",
    "State",
    "View",
    "all_games",
    "forget",
    "get",
    "known",
    "known_games",
    "register",
]
