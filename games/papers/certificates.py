"""What is handed over at the end of a season: certificates and the prize list, from the places written down."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.papers.orders import NothingToPrint, Order, Product
from games.papers.typesetting import pdf
from league.fixtures.queries import listed
from league.models import Competition, SeasonEnd
from league.results.queries import honours, prizes, standings_view
from league.results.queries.honours import FinalLine, FinalTable
from league.results.queries.prizes import PrizeLine
from league.teams import queries as teams

NOBODY = AnonymousUser()


def certificates(order: Order) -> Product:
    """A page for each of the first so many of every division."""
    found = list(_first(order))
    day = date_format(_closed_on(order.competition), pgettext("day with year", "j M Y"))
    counted = _who_counts(order.competition)
    pages = [_certificate(order.competition, table, line, counted) for table, line in found]
    order.tell(len(pages), len(pages))
    words = {"certificate": _("Certificate"), "day": day, "director": _("Tournament director")}
    content = order.page(_("Certificates"), **words)
    return Product(_("certificates.pdf"), pdf("certificates", content | {"certificates": pages}))


def prize_list(order: Order) -> Product:
    """The first so many of every division, with room for what each wins; before the end as the tables stand."""
    is_over = SeasonEnd.objects.filter(competition=order.competition, closed_at__isnull=False).exists()
    named = prizes.lines(order.competition, at=timezone.now())
    lists = _named(named) if named else list(_final(order) if is_over else _as_it_stands(order))
    if not lists:
        raise NothingToPrint(_("There are no results to print yet."))
    order.tell(1, 1)
    words = {"place": _("Place"), "pair": order.competition.entry_title, "prize": _("Prize")}
    content = order.page(_("Prize list"), **words)
    under = [order.competition.name, order.competition.season.name]
    title = _("Prize list") if is_over else _("Prizes as the table stands")
    content["lists"] = [
        {"title": division, "under": [title, *under], "rows": rows} for division, rows in lists
    ]
    return Product(_("prize-list.pdf"), pdf("prize_list", content))


def _named(named: Iterable[PrizeLine]) -> list[tuple[str, list[dict[str, str]]]]:
    """The prizes that the competition names, in order of worth, with who wins them; nothing before anybody does."""
    rows = [
        {
            "place": won.place,
            "name": won.name,
            "players": won.players,
            "prize": each.prize,
            "condition": " · ".join(filter(None, (each.condition, each.note))),
        }
        for each in named
        for won in each.winners
    ]
    return [(_("Prizes"), rows)] if rows else []


def _final(order: Order) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Each division with its rows, from the places written down."""
    found, counted = list(_first(order)), _who_counts(order.competition)
    for table in dict.fromkeys(table for table, _line in found):
        yield (
            table.division.name,
            [
                {"place": _place(line), "name": str(line.lineup), "players": listed(_names(line, counted))}
                for of, line in found
                if of == table
            ],
        )


def _as_it_stands(order: Order) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The same from the tables of today, as everybody sees them."""
    for division in standings_view.of_competition(order.competition, NOBODY, at=timezone.now()):
        # Before the first result nobody has a place.
        rows = [
            row
            for row in division.rows
            if (place := row.place.rstrip("=")).isdecimal() and int(place) <= order.places
        ]
        if rows:
            yield (
                division.name,
                [{"place": row.place, "name": row.pair.name, "players": row.pair.players} for row in rows],
            )


def _first(order: Order) -> Iterator[tuple[FinalTable, FinalLine]]:
    tables = honours.tables(order.competition)
    if not tables:
        raise NothingToPrint(_("Finish the competition first: this is printed from its final places."))
    for table in tables:
        for line in table.lines:
            if line.place <= order.places:
                yield table, line


def _who_counts(competition: Competition) -> dict[int, list[str]]:
    """Of teams those who played half of the boards, by lineup (F68)."""
    if not competition.is_of_teams:
        return {}
    entries = {entry.pk: entry for entry in competition.entries.with_pairs()}
    return {
        entries[key].lineup_id: [share.player.name for share in found if share.counts]
        for key, found in teams.shares(entries.values()).items()
    }


def _certificate(
    competition: Competition, table: FinalTable, line: FinalLine, counted: Mapping[int, list[str]]
) -> dict[str, Any]:
    divisions = competition.stage.divisions.count()
    under = [competition.name, *([table.division.name] if divisions > 1 else [])]
    if competition.season.name not in competition.name:
        under.append(competition.season.name)
    return {
        "club": competition.club.name,
        "place": _("Place %(place)d") % {"place": line.place},
        "team": line.lineup.name,
        "names": _names(line, counted),
        "under": under,
    }


def _place(line: FinalLine) -> str:
    return f"{line.place}{'=' if line.is_shared else ''}"


def _names(line: FinalLine, counted: Mapping[int, list[str]]) -> list[str]:
    return counted.get(line.lineup.pk) or [player.name for player in line.lineup.players]


def _closed_on(competition: Competition) -> date:
    closed = SeasonEnd.objects.get(competition=competition).closed_at
    return timezone.localdate(closed, ZoneInfo(competition.club.time_zone))
