"""The numbered boards that a match plays, in the order of its deals."""

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch, prefetch_related_objects

from games.models import Evening, FixtureBoard
from league.models import Fixture

#: To be prefetched with fixtures whose boards are wanted together.
PLAYS = Prefetch("boards", queryset=FixtureBoard.objects.select_related("board").order_by("position"))


def boards_of(fixture: Fixture) -> tuple[FixtureBoard, ...]:
    """What the match plays as its deals; empty where its deals have no numbers. Asked of the database once."""
    fetch_boards([fixture])
    return tuple(fixture.boards.all())


def fetch_boards(fixtures: Sequence[Fixture]) -> None:
    """Reads the boards of all these matches in one query; those that were read already are not read again."""
    prefetch_related_objects(fixtures, PLAYS)


def numbers_of(fixture: Fixture) -> tuple[int, ...]:
    """The boards' numbers, by which a sheet calls its deals."""
    return tuple(play.board.number for play in boards_of(fixture))


def plays_public_boards(fixture: Fixture) -> bool:
    """Whether the cards of one of its boards are public: then nobody can play them any more, for all know them."""
    return any(play.board.released_at is not None for play in boards_of(fixture))


def is_of_a_round_to_come(fixture: Fixture) -> bool:
    """Whether the match is of an evening, and the room has not come to its round: the boards lie at other tables."""
    return Evening.objects.filter(
        competition=fixture.round.competition_id, round_number__lt=fixture.round.number
    ).exists()


def sealed_matches(fixtures: Iterable[int]) -> frozenset[int]:
    """Those of the matches with these keys that play a board which is not released yet; in one query."""
    sealed = FixtureBoard.objects.filter(fixture__in=list(fixtures), board__released_at=None)
    return frozenset(sealed.values_list("fixture_id", flat=True))
