"""Who wins which prize, as the table stands or as it ended (F151)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.prizes import Condition, Prize, Ranked, award
from league import extension
from league.competitions.services.prizes import LEVEL, PrizeList, of_competition
from league.models import Competition, LineupMember
from league.results.queries import honours, standings_view

NOBODY = AnonymousUser()


@dataclass(frozen=True, slots=True)
class Winner:
    """An entry that wins a prize, with its place."""

    entry: int
    division: str
    place: str
    name: str
    players: str


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize, its condition in words, and who wins it; nobody before there are results. `note`: how it is shared."""

    prize: str
    condition: str
    winners: tuple[Winner, ...]
    note: str


def lines(
    competition: Competition, *, at: datetime, wanted: PrizeList | None = None
) -> tuple[PrizeLine, ...]:
    """The competition's prizes in order of worth, or those of the `wanted` list."""
    prizes = wanted or of_competition(competition)
    if not prizes.offered:
        return ()
    names = dict(competition.stage.divisions.values_list("level", "name"))
    winners: dict[int, Winner] = {}
    ranked = []
    conditions = {each.condition.condition for each in prizes.offered}
    provisional = (
        extension.layer().provisional(competition=competition, at=at)
        if Condition.PROVISIONAL in conditions
        else ()
    )
    new = new_entries(competition) if Condition.NEW in conditions else ()
    for entry, level, place, winner in _final(competition) or _as_it_stands(competition, at):
        winners[entry] = winner
        ranked.append(Ranked(entry, level, place, entry in provisional, entry in new))
    won = award([each.condition for each in prizes.offered], ranked)
    return tuple(
        PrizeLine(
            offered.name,
            in_words(offered.condition, names),
            tuple(winners[entry] for entry in entries),
            _note(prizes.level, len(entries)),
        )
        for offered, entries in zip(prizes.offered, won, strict=True)
    )


def told(competition: Competition) -> tuple[str, ...]:
    """The list for everybody, before anybody has won: prizes with conditions, and what is done if some are level."""
    prizes = of_competition(competition)
    if not prizes.offered:
        return ()
    names = dict(competition.stage.divisions.values_list("level", "name"))
    listed = (
        _("%(prize)s: %(condition)s.")
        % {"prize": offered.name, "condition": in_words(offered.condition, names)}
        for offered in prizes.offered
    )
    level = _("If some are level, %(what)s.") % {"what": LEVEL[prizes.level]}
    return *listed, _("Each entry gets one prize, the first in this list that it can have."), level


def in_words(condition: Prize, divisions: dict[int, str]) -> str:
    """What a prize is for: "Place 2", "Best of Division 2"; `divisions` names them by number."""
    match condition.condition:
        case Condition.PLACE:
            said = _("Place %(place)d") % {"place": condition.number}
            return said if len(divisions) < 2 else f"{said}, {divisions.get(1, '')}"
        case Condition.DIVISION:
            return _("Best of %(division)s") % {
                "division": divisions.get(condition.number, str(condition.number))
            }
        case Condition.PROVISIONAL:
            return _("Best with provisional grades")
        case Condition.NEW:
            return _("Best of new members")


def new_entries(competition: Competition) -> frozenset[int]:
    """The entries of whose players none took part in a competition of the club in an earlier season."""
    members = LineupMember.objects.filter(lineup__entries__competition=competition)
    everyone = list(members.values_list("lineup__entries__pk", "player_id"))
    before = set(
        LineupMember.objects.filter(
            player__in={player for _entry, player in everyone},
            lineup__entries__competition__club=competition.club_id,
            lineup__entries__competition__season__starts_on__lt=competition.season.starts_on,
        ).values_list("player_id", flat=True)
    )
    old = {entry for entry, player in everyone if player in before}
    return frozenset(entry for entry, _player in everyone if entry not in old)


def _note(level: str, winners: int) -> str:
    if winners < 2:
        return ""
    if level == "lots":
        return ngettext("by lot among %(count)d", "by lot among %(count)d", winners) % {"count": winners}
    return ngettext("shared by %(count)d", "shared by %(count)d", winners) % {"count": winners}


def _final(competition: Competition) -> list[tuple[int, int, int, Winner]]:
    """The places written down at the end; none before."""
    tables = honours.tables(competition)
    entries = dict(competition.entries.values_list("lineup_id", "pk")) if tables else {}
    return [
        (
            entries[line.lineup.pk],
            table.division.level,
            line.place,
            Winner(
                entries[line.lineup.pk],
                table.division.name,
                f"{line.place}{'=' if line.is_shared else ''}",
                str(line.lineup),
                ", ".join(player.name for player in line.lineup.players),
            ),
        )
        for table in tables
        for line in table.lines
        if line.lineup.pk in entries
    ]


def _as_it_stands(competition: Competition, at: datetime) -> Iterator[tuple[int, int, int, Winner]]:
    """The places of today, as everybody sees them; before the first result nobody has one."""
    levels = dict(competition.stage.divisions.values_list("pk", "level"))
    for division in standings_view.of_competition(competition, NOBODY, at=at):
        for row in division.rows:
            place = row.place.rstrip("=")
            if place.isdecimal():
                winner = Winner(row.pair.entry, division.name, row.place, row.pair.name, row.pair.players)
                yield row.pair.entry, levels[division.key], int(place), winner
