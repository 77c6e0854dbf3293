"""Places at the tables of an evening that is under way: who sits there, and handing them from one pair to another."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from games.comparisons.services import comparisons
from games.models import FixtureBoard, Match, ScoresheetDraft
from games.proof import participations
from games.sessions.sections import REPLACED
from games.sessions.services import partners
from league import locks
from league.entries.services import entries
from league.errors import Conflict, Invalid
from league.fixtures.services import meetings
from league.models import Appearance, Competition, Division, Entry, Fixture, Lineup

Status = Fixture.Status
UNTOUCHED = (Status.SCHEDULED, Status.POSTPONED)


def fixtures_from(entry: Entry, first: int) -> list[Fixture]:
    """The tables of a pair, or a player, from a round on, the earliest first."""
    own = Entry.with_rooms.playing_for(entry).values("pk")
    found = Fixture.with_rooms.of_entries(own).with_pairs().filter(round__number__gte=first)
    return sorted(locks.take(found), key=lambda each: each.round.number)


def check_untouched(fixtures: Sequence[Fixture]) -> None:
    """Raises Conflict where one of the tables has begun to play or to enter."""
    begun = next((each for each in fixtures if each.status not in {*UNTOUCHED, Status.VOID}), None)
    keys = [each.pk for each in fixtures]
    if begun is None and (
        Match.objects.filter(pk__in=keys, sheets__isnull=False).exists()
        or ScoresheetDraft.objects.filter(fixture__in=keys).exists()
    ):
        begun = fixtures[0]
    if begun is not None:
        raise Conflict(
            _("Table %(table)s has started round %(round)d, so you can no longer undo this.")
            % {"table": begun.table, "round": begun.round.number}
        )


def enter(
    *,
    competition: Competition,
    division: Division,
    lineup: Lineup,
    number: int,
    first_round: int,
    is_house: bool = False,
) -> Entry:
    """A pair that joins under way, with its number in the movement. Raises Invalid or Conflict where it may not."""
    lineup = locks.pair(lineup.pk)
    _check(competition, lineup)
    participations.check_joining(competition=competition, players=list(lineup.players))
    participations.seated(competition=competition, players=lineup.players)
    return Entry.with_rooms.create(
        competition=competition,
        division=division,
        lineup=lineup,
        number=number,
        first_round=first_round,
        is_house=is_house,
    )


def seated(entry: Entry) -> list[int]:
    """The pair's players, for the trail: games.embargo asks who was put to play, also when the entry is gone."""
    return [player.pk for player in entry.lineup.players]


def step_aside(entry: Entry) -> None:
    """Frees the pair's number for the pair that takes its place."""
    taken = set(Entry.with_rooms.filter(division=entry.division_id).values_list("number", flat=True))
    number = entry.number + REPLACED
    while number in taken:
        number += REPLACED
    entry.number = number
    entry.save(update_fields=["number"])


def step_back(entry: Entry) -> None:
    """Gives the pair its number of the movement again."""
    entry.number %= REPLACED
    entry.save(update_fields=["number"])


def hand_over(fixtures: Iterable[Fixture], *, old: Entry, new: Entry, old_sits_out: bool = False) -> None:
    """Seats a pair at these tables in another one's place, which is out of the room, or sits out these rounds.

    A player in another one's place becomes the partner of that one's partners.
    """
    for fixture in fixtures:
        Appearance.objects.byes().filter(round=fixture.round_id, entry__in=[old, new]).delete()
        side = side_of(fixture, old)
        if side is not None:
            seated_now = partners.in_place_of(side, old, new)
            Appearance.objects.filter(fixture=fixture, entry=side).update(entry=seated_now)
        fixture.forget_sides()
        if old_sits_out:
            meetings.sit_out([(fixture.round, old)])


def side_of(fixture: Fixture, entry: Entry) -> Entry | None:
    """The pair at the table that is this one, or to which this player belongs; None: they do not sit there."""
    players = set(entry.lineup.players)
    return next((each for each in fixture.entries if players <= set(each.lineup.players)), None)


def count_again(fixtures: Iterable[Fixture]) -> None:
    """Has the boards of these tables compared again: another number of results is expected of them."""
    plays = FixtureBoard.objects.filter(fixture__in=list(fixtures)).select_related("board")
    boards = {play.board_id: play.board for play in plays}
    if boards:
        comparisons.recount(*boards.values())


def play_public_boards(fixture: Fixture) -> bool:
    """Whether a board of the table is public, so that nobody can play it any more."""
    return FixtureBoard.objects.filter(fixture=fixture, board__released_at__isnull=False).exists()


def expected_at(fixture: Fixture, at: datetime) -> datetime:
    """When the table is expected to play: with the other tables of its round."""
    others = Fixture.with_rooms.filter(round=fixture.round_id, starts_at__isnull=False)
    return others.values_list("starts_at", flat=True).first() or at


def is_replaced(entry: Entry) -> bool:
    """Whether another pair has the number that this one had."""
    return entry.number > REPLACED


def _check(competition: Competition, lineup: Lineup) -> None:
    if lineup.club_id != competition.club_id:
        raise Invalid(_("This pair belongs to another club."))
    if lineup.merged_into_id is not None:
        raise Conflict(_("This pair has been merged with another one. Please enter the other one."))
    if competition.entries.filter(lineup=lineup).exists():
        raise Conflict(_("This pair is already entered. If they have left, undo that instead."))
    entries.check_players(competition, lineup)
