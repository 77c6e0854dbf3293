"""The tabs of a competition whose tables play the same boards."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import FixtureBoard
from league.models import Competition, Round

ROOM = ("evening_room", gettext_lazy("The room"))
COMPARISON = ("event_ranking", gettext_lazy("Comparison"))
HANDICAP = ("handicap", gettext_lazy("With handicap"))
FIELD = ("event_field", gettext_lazy("Field"))
ROUND = ("round_comparison", gettext_lazy("League points and comparison"))
TABLES = ("compare_tables", gettext_lazy("Two tables"))


def duplicate_tabs(competition: Competition) -> Iterable[tuple[str, Promise]]:
    """Ranking (where it is not the front page), field, two tables side by side; tables of individuals have a room."""
    handicap = (HANDICAP,) if hasattr(competition, "handicap") else ()
    if not hasattr(competition, "duplicate"):
        return (ROOM,) if competition.stage.is_at_tables else handicap
    if competition.stage.is_evening:
        return (*handicap, FIELD, TABLES)
    return (COMPARISON, *handicap, FIELD, TABLES)


def round_parts(played: Round) -> Iterable[tuple[str, Promise]]:
    """The round's comparison, where its tables play the same boards for a league's points."""
    if played.competition.stage.is_evening:
        return ()
    return (ROUND,) if FixtureBoard.objects.filter(fixture__round=played).exists() else ()
