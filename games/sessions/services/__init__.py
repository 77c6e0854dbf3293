"""A duplicate evening from "new session" to finished: set up, laid out, run by the clock, changed on the way."""

from games.sessions.services.clock import (
    add_minutes,
    finish,
    next_round,
    pause,
    resume,
)
from games.sessions.services.joining import late_pair, take_back_late
from games.sessions.services.leaving import pair_leaves, take_back_leaving
from games.sessions.services.setting_up import (
    EveningPlan,
    choose_movement,
    edit,
    make,
    plan_of,
    set_house,
)
from games.sessions.services.starting import start, take_back

__all__ = [
    "EveningPlan",
    "add_minutes",
    "choose_movement",
    "edit",
    "finish",
    "late_pair",
    "make",
    "next_round",
    "pair_leaves",
    "pause",
    "plan_of",
    "resume",
    "set_house",
    "start",
    "take_back",
    "take_back_late",
    "take_back_leaving",
]
