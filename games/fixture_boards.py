"""The numbered boards that a match plays, in the order of its deals."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, prefetch_related_objects

from games.models import Duplicate, EarlyPlay, Evening, FixtureBoard, Scoresheet
from league.models import Fixture, Round

#: To be prefetched with fixtures whose boards are wanted together.
PLAYS = Prefetch("boards", queryset=FixtureBoard.objects.select_related("board").order_by("position"))


def boards_of(fixture: Fixture) -> tuple[FixtureBoard, ...]:
    """What the match plays as its deals; empty where its deals have no numbers. Asked of the database once."""
    fetch_boards([fixture])
    return tuple(fixture.boards.all())


def fetch_boards(fixtures: Sequence[Fixture]) -> None:
    """Reads the boards of all these matches in one query; those that were read already are not read again."""
    prefetch_related_objects(fixtures, PLAYS)


def is_sealed(fixture: Fixture) -> bool:
    """Whether one of its boards is not released yet."""
    return any(play.board.released_at is None for play in boards_of(fixture))


def numbers_of(fixture: Fixture) -> tuple[int, ...]:
    """The boards' numbers, by which a sheet calls its deals."""
    return tuple(play.board.number for play in boards_of(fixture))


def plays_public_boards(fixture: Fixture) -> bool:
    """Whether the cards of one of its boards are public: then nobody can play them any more, for all know them."""
    return any(play.board.released_at is not None for play in boards_of(fixture))


def has_played_boards(fixture: Fixture) -> bool:
    """Whether a sheet of the match has ever counted: then the players know its boards, also if it was taken back."""
    return bool(boards_of(fixture)) and Scoresheet.objects.counted().filter(match=fixture.pk).exists()


def is_too_early(fixture: Fixture, at: datetime) -> bool:
    """Whether the boards of a duplicate event's match may not be played yet: its round has not begun.

    A director can give leave to play early, in public. Boards that are public need no waiting.
    """
    played, competition = fixture.round, fixture.round.competition
    # Most matches are played when they are due: then nothing is asked of the database.
    if not played.stage.is_evening and not _is_to_come(played, at):
        return False
    if not Duplicate.objects.filter(competition=competition).exists():
        return False
    plays = boards_of(fixture)
    if plays and all(play.board.released_at is not None for play in plays):
        return False
    evening = Evening.objects.filter(competition=competition).first()
    is_to_come = evening.round_number < played.number if evening else _is_to_come(played, at)
    return is_to_come and not EarlyPlay.objects.filter(fixture=fixture).exists()


def _is_to_come(played: Round, at: datetime) -> bool:
    """Whether the day of a league's round has not come yet, in its club."""
    today = at.astimezone(ZoneInfo(played.competition.club.time_zone)).date()
    return today < played.starts_on


def keeping_shut() -> QuerySet[FixtureBoard]:
    """The plays of sealed boards whose match is decided, but not so that its boards may open."""
    found: QuerySet[FixtureBoard] = FixtureBoard.objects.filter(
        fixture__status__in=["confirmed", "walkover", "void"], settled="", board__released_at=None
    )
    return found


def without_sealed(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Those of the matches that play no board which is not released yet."""
    return fixtures.exclude(
        Exists(FixtureBoard.objects.filter(fixture=OuterRef("pk"), board__released_at=None))
    )


def sealed_matches(fixtures: Iterable[int]) -> frozenset[int]:
    """Those of the matches with these keys that play a board which is not released yet; in one query."""
    sealed = FixtureBoard.objects.filter(fixture__in=list(fixtures), board__released_at=None)
    return frozenset(sealed.values_list("fixture_id", flat=True))
