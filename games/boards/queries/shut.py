"""Matches that are decided and still keep their boards shut: why, and what this visitor can do about it."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from games import embargo
from games import policies as games_policies
from games.fixture_boards import is_too_early, keeping_shut
from games.models import BoardConsent, Duplicate, EarlyPlay, Scoresheet
from games.proof import vouches
from league import policies
from league.actors import Visitor
from league.models import Competition, Fixture, User
from league.querysets import UNPLAYED


@dataclass(frozen=True, slots=True)
class ShutBoards:
    """What the page says and offers; `agreed` are the sides that have agreed, `days` how long it takes at most."""

    is_shut: bool
    agreed: tuple[str, ...]
    days: int
    may_vouch: bool = False
    may_consent: bool = False
    may_name: bool = False
    may_let_early: bool = False
    early: EarlyPlay | None = None

    @property
    def has_something(self) -> bool:
        """Whether the visitor can do something there."""
        return self.may_vouch or self.may_consent or self.may_name or self.may_let_early


def shut_boards(*, fixture: Fixture, visitor: Visitor) -> ShutBoards | None:
    """The page of a duplicate event's match; None elsewhere."""
    competition = fixture.round.competition
    duplicate: Duplicate | None = getattr(competition, "duplicate", None)
    if duplicate is None:
        return None
    is_shut = keeping_shut().filter(fixture=fixture).exists()
    agreed = list(BoardConsent.objects.filter(fixture=fixture).select_related("entry__lineup"))
    own = vouches.side_for(visitor, fixture) if isinstance(visitor, User) else None
    is_running = competition.state == Competition.State.RUNNING
    is_owner = is_shut and policies.may(visitor, "boards.name_neutral", fixture)
    return ShutBoards(
        is_shut=is_shut,
        agreed=tuple(str(each.entry) for each in agreed),
        days=duplicate.open_after_days,
        may_vouch=is_shut
        and policies.may(visitor, "boards.settle", fixture)
        and games_policies.is_neutral(visitor, competition),
        may_consent=is_shut
        and isinstance(visitor, User)
        and own is not None
        and own.pk not in {each.entry_id for each in agreed}
        and not embargo.doubts(visitor, fixture, own),
        may_name=is_owner and not games_policies.has_neutral(competition),
        may_let_early=is_running
        and fixture.status in UNPLAYED
        and is_too_early(fixture, timezone.now())
        and policies.may(visitor, "fixture.play_early", fixture)
        and games_policies.is_believed(visitor, competition),
        early=EarlyPlay.objects.filter(fixture=fixture).select_related("given_by").first(),
    )


def why_shut(fixture: Fixture) -> str:
    """Why a decided match keeps its boards shut, in words."""
    if fixture.status == Fixture.Status.CONFIRMED:
        sheet = Scoresheet.objects.confirmed().filter(match=fixture.pk).first()
        word = vouches.borrowed(sheet) if sheet else None
        if word is not None and word.by is not None:
            return _(
                "%(by)s vouched for %(who)s, who speaks for %(pair)s. But %(by)s is playing in this "
                "event too, so this doesn’t count."
            ) % {"who": word.user, "pair": word.entry, "by": word.by}
        return _("Some sides haven’t confirmed the result, and nor has a neutral official.")
    return _("Someone who is playing in this event decided this match without play.")
