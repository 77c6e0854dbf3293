"""On whose word an account speaks for a side: who linked it to the player, wrote the player's address, merged players,
or named the substitute.

Somebody who takes part in an event could so gain a voice of another side. `games.embargo.doubts` says of whom that is
to be feared, `games.proof.vouches` what it means for boards.
"""

from datetime import datetime

from django.db.models import F, Min, Q

from games.models import BoardSet
from league.models import Competition, Entry, Fixture, Invitation, Player, PlayerMerge


def words(account: int, fixture: Fixture, entry: Entry) -> frozenset[int]:
    """The accounts, outside the pair, on whose word this one speaks for it in the match.

    A word that was given before the event had boards was given for none of them, and is left out. That of one of the
    pair's own is worth what that one's own link is worth.
    """
    competition = fixture.round.competition
    first = _first_boards(competition)
    own = {player.user_id for player in entry.lineup.players}
    found: set[int] = set()
    asked: set[int] = set()
    to_ask = {account}
    while to_ask:
        each = to_ask.pop()
        asked.add(each)
        given = {s.made_by_id for s in fixture.substitutions.all() if s.substitute.user_id == each}
        if first is not None:
            for player in Player.objects.filter(user=each, club=competition.club_id):
                given |= {by for by, at in _given(player) if at >= first}
        people = {by for by in given if by is not None}
        to_ask |= (people & own) - asked
        found |= people - own
    return frozenset(found)


def slip_issuers(account: int, fixture: Fixture, entry: Entry) -> frozenset[int]:
    """Who gave the account the printed slip that is all that says it is a player of the club; none of its own pair.

    A slip proves nothing about its holder: it may still be with the person who printed it.
    """
    slips = Invitation.objects.to_players().filter(
        email="",
        used_by=account,
        club=fixture.round.competition.club_id,
        player__user=account,
        player__linked_by=F("made_by"),
        player__linked_at=F("used_at"),
    )
    issuers = set(slips.values_list("made_by", flat=True))
    return frozenset(issuers - {player.user_id for player in entry.lineup.players})


def linked_since(account: int) -> dict[int, datetime]:
    """By club, since when the account is of its player, as that player is now, where it is known."""
    is_merged = Q(merges_kept__isnull=False) | Q(merges_away__isnull=False)
    known = Player.objects.filter(Q(linked_by__isnull=False) | is_merged, user=account).distinct()
    given = {player.club_id: _given(player) for player in known}
    return {club: max(at for _by, at in said) for club, said in given.items() if said}


def _given(player: Player) -> list[tuple[int, datetime]]:
    """Who said that account and player are one person, and when; and who has said since that the player is another one
    as well, or is not after all."""
    said = [(player.linked_by_id, player.linked_at)]
    for merge in PlayerMerge.objects.filter(Q(kept=player) | Q(merged=player)):
        said += [(merge.made_by_id, merge.made_at), (merge.undone_by_id, merge.undone_at)]
    known = [(by, at) for by, at in said if by is not None and at is not None]
    return [(by, at) for by, at in known if player.linked_at is None or at >= player.linked_at]


def _first_boards(competition: Competition) -> datetime | None:
    sets = BoardSet.objects.filter(competition=competition).aggregate(first=Min("made_at"))
    found: datetime | None = sets["first"]
    return found
