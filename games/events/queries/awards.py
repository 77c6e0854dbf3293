"""The scores that directors gave a board of a match, as its page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.contest import exact
from games.comparisons.reckoning import columns, effects
from games.models import AdjustedScore, FixtureBoard
from league import policies
from league.actors import Visitor
from league.models import Fixture
from league.querysets import DECIDED
from league.web.number_format import exact_text


@dataclass(frozen=True, slots=True)
class AwardLine:
    """A score that a director gave: in words, with the reason; `revoked_at` is None while it counts."""

    words: tuple[str, ...]
    reason: str
    by: str
    at: datetime
    revoked_at: datetime | None
    revoked_by: str
    is_by_player: bool
    """Whether the director who gave it plays in the event."""


@dataclass(frozen=True, slots=True)
class Made:
    """The points that the two pairs made at the table."""

    home: str
    away: str


def line(award: AdjustedScore) -> AwardLine:
    """The award in words."""
    return AwardLine(
        tuple(_words(award.content)),
        award.reason,
        str(award.made_by or ""),
        award.made_at,
        award.revoked_at,
        str(award.revoked_by or ""),
        award.is_neutral is False,
    )


def _words(content: Mapping[str, Any]) -> list[str]:
    if "percent" in content:
        given = {side: exact_text(exact.restore(content["percent"][side])) for side in columns.SIDES}
        return [_("%(home)s%% and %(away)s%%") % given]
    return [
        _("%(weight)s × %(home)s–%(away)s points")
        % {
            "weight": part["weight"],
            **{side: exact_text(exact.restore(part[side])) for side in columns.SIDES},
        }
        for part in content["scores"]
    ]


def earlier(play: FixtureBoard) -> tuple[AwardLine, ...]:
    """Those that were taken back, the newest first."""
    awards = AdjustedScore.objects.filter(play=play, revoked_at__isnull=False).select_related(
        "made_by", "revoked_by"
    )
    return tuple(line(award) for award in awards.order_by("-made_at", "-pk"))


def made(play: FixtureBoard) -> Made | None:
    """What was made at the table, None before the match is confirmed. For those who rule on it."""
    plays = columns.plays_of([play.board_id], awards=False)[play.board_id]
    points = next((each.points for each in plays if each.pk == play.pk), ())
    return Made(exact_text(points[0].home), exact_text(points[0].away)) if points else None


def to_object_to(fixture: Fixture) -> list[int]:
    """The numbers of the match's boards whose score was given by a director who plays in the event."""
    given = AdjustedScore.objects.filter(play__fixture=fixture, is_neutral=False, revoked_at__isnull=True)
    return list(given.order_by("play__position").values_list("play__board__number", flat=True))


def plays_of(fixture: Fixture) -> QuerySet[FixtureBoard]:
    """The boards of the match."""
    return FixtureBoard.objects.filter(fixture=fixture).select_related("board", "fixture__round")


def may_see_standing(visitor: Visitor, fixture: Fixture) -> bool:
    """Whether the visitor reads what was given: as one who may see the field, or of their own match that is decided."""
    own = fixture.status in DECIDED and policies.plays_in(visitor, fixture)
    return own or effects.may_see(visitor, fixture)
