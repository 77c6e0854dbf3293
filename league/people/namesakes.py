"""People of one name told apart where somebody is picked: by what their reader may see anyway, never by an address."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.utils.translation import gettext as _

from league.models import Lineup, LineupMember, Player
from league.words.names import normalised
from league.words.public_names import FORMER, is_masked


def details(
    players: Iterable[Player], *, with_numbers: bool = False, with_partners: bool = True
) -> dict[int, str]:
    """What tells namesakes among these players apart, by their keys: a number, partners, or the year they came.

    Numbers are for officials of the club, partners for people with an account. Of those whose names the reader is not
    told there is nothing.
    """
    named = [each for each in players if not is_masked(each) and each.__dict__["name"] != FORMER]
    count = Counter(normalised(each.name) for each in named)
    alike = [each for each in named if count[normalised(each.name)] > 1]
    if not alike:
        return {}
    partners = _partners([each.pk for each in alike] if with_partners else [])
    found = {}
    for each in alike:
        joined = _("since %(year)d") % {"year": each.created_at.year}
        parts = [
            _("no. %(number)s") % {"number": each.number} if with_numbers and each.number else "",
            _("with %(names)s") % {"names": ", ".join(partners[each.pk])} if partners.get(each.pk) else "",
        ]
        found[each.pk] = " · ".join(filter(None, parts)) or joined
    said = Counter((normalised(each.name), found[each.pk]) for each in alike)
    place: Counter[tuple[str, str]] = Counter()
    for each in sorted(alike, key=lambda player: player.pk):
        key = normalised(each.name), found[each.pk]
        if said[key] > 1:
            place[key] += 1
            found[each.pk] = f"{key[1]} ({place[key]})"
    return found


def labels(players: Collection[Player], *, with_numbers: bool = False) -> dict[int, str]:
    """Each player's name, and what tells namesakes apart, by their keys."""
    found = details(players, with_numbers=with_numbers)
    return {each.pk: f"{each.name} ({found[each.pk]})" if each.pk in found else each.name for each in players}


def pair_labels(pairs: Collection[Lineup]) -> dict[int, str]:
    """How officials read each of these pairs in a list: those that read alike with their players."""
    plain = {
        pair.pk: f"{pair} ({', '.join(map(str, pair.players))})" if pair.name else str(pair) for pair in pairs
    }
    count = Counter(plain.values())
    alike = [pair for pair in pairs if count[plain[pair.pk]] > 1]
    people = {player.pk: player for pair in alike for player in pair.players}
    named = labels(list(people.values()), with_numbers=True)
    for pair in alike:
        plain[pair.pk] = f"{pair} ({', '.join(named[player.pk] for player in pair.players)})"
    return plain


def offer(form: Any, name: str, players: Any, *, with_numbers: bool = False) -> None:
    """Sets the players that a choice of the form offers, namesakes told apart."""
    field = form.fields[name]
    field.queryset = players
    told: dict[int, str] = {}

    def label(player: Player) -> str:
        if not told:
            told.update(labels(list(players), with_numbers=with_numbers))
        return told.get(player.pk) or str(player)

    field.label_from_instance = label


def _partners(keys: Iterable[int]) -> dict[int, list[str]]:
    """With whom each of these plays, by names; those whose names the reader is not told are left out."""
    wanted = set(keys)
    rows = LineupMember.objects.filter(lineup__in=Lineup.objects.present().filter(members__player__in=wanted))
    together: dict[int, list[Player]] = defaultdict(list)
    for row in rows.select_related("player").order_by("lineup", "order"):
        together[row.lineup_id].append(row.player)
    found: dict[int, list[str]] = defaultdict(list)
    for members in together.values():
        for one in members:
            for other in members:
                if one.pk in wanted and other.pk != one.pk and not is_masked(other):
                    found[one.pk].append(other.name)
    return {key: list(dict.fromkeys(found[key]))[:2] for key in wanted}
