"""Finding players who may be the same person. Nothing is changed here."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _

from league.models import Club, Lineup, Player
from league.words.names import are_close, normalised
from league.words.public_names import FORMER

# Names that many share say nothing: comparing all of them would only take long.
MOST_IN_A_GROUP = 60


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two players who look like one person, with the reasons. `keep` is the one with more to lose."""

    keep: Player
    duplicate: Player
    because: tuple[str, ...]


def proposals(club: Club) -> list[Proposal]:
    """The likely duplicates of a club, the surest first; partners and holders of two accounts are two people."""
    # Of whom nothing is known, nobody can say that they are one.
    players = list(club.players.present().exclude(name=FORMER).order_by("pk"))
    names = {player.pk: normalised(player.name) for player in players}
    partners = _partners(club)
    weight = _pairs_of_players(partners)
    found = []
    for first, second in _candidates(players, names):
        if (first.pk, second.pk) in partners or (first.user_id and second.user_id):
            continue
        because = _reasons(first, second, names)
        if because:
            keep, duplicate = sorted(
                (first, second), key=lambda each: (each.user_id is None, -weight[each.pk], each.pk)
            )
            found.append(Proposal(keep, duplicate, because))
    return sorted(
        found, key=lambda each: (-len(each.because), each.keep.name, each.keep.pk, each.duplicate.pk)
    )


def _partners(club: Club) -> set[tuple[int, int]]:
    """The keys of all players who play together, two at a time, the lower first."""
    lineups = Lineup.objects.present().filter(club=club).prefetch_related("members")
    return {pair for each in lineups for pair in combinations(sorted(p.pk for p in each.players), 2)}


def _pairs_of_players(partners: set[tuple[int, int]]) -> dict[int, int]:
    weight: dict[int, int] = defaultdict(int)
    for pair in partners:
        for key in pair:
            weight[key] += 1
    return weight


def _candidates(players: list[Player], names: dict[int, str]) -> Iterator[tuple[Player, Player]]:
    """Pairs of players worth a closer look, each once: they share an address, a part of the name or the initials."""
    groups: dict[tuple[str, str], list[Player]] = defaultdict(list)
    for player in players:
        words = names[player.pk].split()
        if player.email:
            groups["email", player.email.casefold()].append(player)
        for word in set(words):
            groups["word", word].append(player)
        groups["initials", "".join(word[0] for word in words)].append(player)
        groups["name", names[player.pk]].append(player)
    seen: set[tuple[int, int]] = set()
    for (kind, _value), group in groups.items():
        if kind in {"word", "initials"} and len(group) > MOST_IN_A_GROUP:
            continue
        for first, second in combinations(group, 2):
            if (first.pk, second.pk) not in seen:
                seen.add((first.pk, second.pk))
                yield first, second


def _reasons(first: Player, second: Player, names: dict[int, str]) -> tuple[str, ...]:
    reasons = []
    if first.email and first.email.casefold() == second.email.casefold():
        reasons.append(_("the same e-mail address"))
    if names[first.pk] == names[second.pk]:
        reasons.append(_("the same name"))
    elif not (first.number and second.number) and are_close(names[first.pk], names[second.pk]):
        reasons.append(_("nearly the same name"))
    return tuple(reasons)
