"""The ways in which a pair can join after the draw, and what each does to the rounds and the season's end."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.entries.services.entries import EntryPreview
from league.entries.services.late_entries import LatePlan, Way, places_to_take
from league.models import Division
from league.web.number_format import written

FREE, NEW, PLACE = "free", "new", "place"


@dataclass(frozen=True, slots=True)
class LateWay:
    """One way to join, as it is offered: `key` is what its button sends."""

    key: str
    name: str
    explanation: str
    plan: LatePlan


def ways(division: Division, *, catch_up: bool) -> dict[str, Way]:
    """What can be chosen, by key: the place of each pair that withdrew first, then free dates, then new rounds."""
    places = {
        f"{PLACE}-{left.pk}": Way(catch_up=catch_up, replaces=left) for left in places_to_take(division)
    }
    if division.stage.is_by_round or division.stage.is_ladder:
        return {FREE: Way()}
    return {**places, FREE: Way(catch_up=catch_up), NEW: Way(catch_up=catch_up, new_rounds=True)}


def shown(foreseen: Mapping[str, tuple[Way, EntryPreview]]) -> list[LateWay]:
    """Each way with what it would do; new rounds only where that differs from playing at free dates."""
    plans = {key: seen.late for key, (_way, seen) in foreseen.items() if seen.late is not None}
    free = plans.get(FREE)
    return [
        LateWay(key, *_words(foreseen[key][0], plan), plan)
        for key, plan in plans.items()
        if key != NEW or free is None or plan.meetings != free.meetings
    ]


def _words(way: Way, plan: LatePlan) -> tuple[str, str]:
    if plan.is_ladder:
        return (
            _("At the bottom of the ladder"),
            _("They can challenge, and be challenged, from now on."),
        )
    if plan.is_by_round:
        return _("From the next round"), _(
            "They play from round %(number)d, the next one to be drawn. Points for each earlier round: %(points)s."
        ) % {"number": plan.first_round, "points": written(plan.for_missed)}
    if plan.is_bracket:
        return _("In place of a bye"), _(
            "They meet the lowest seed that has a bye. Nothing else changes in the bracket."
        )
    if way.replaces is not None:
        return (
            _("Take the place of %(pair)s") % {"pair": way.replaces},
            _("They meet the same opponents in the same rounds, at home and away as %(pair)s would "
              "have. They begin with no points.") % {"pair": way.replaces},
        )  # fmt: skip
    if way.new_rounds:
        return _("New rounds"), _(
            "The rounds stay as they are. We add rounds at the end for the matches of the late entry."
        )
    return (
        _("Free dates"),
        _("They play in rounds where their opponents have a bye or a void match. We only add "
          "rounds for opponents who are never free."),
    )  # fmt: skip
