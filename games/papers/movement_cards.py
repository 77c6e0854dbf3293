"""Cards that lead through a session: for tables, for pairs, and the list of seats on the wall."""

from typing import Any

from django.utils.translation import gettext as _

from games.papers.orders import NothingToPrint, Order, Product
from games.papers.plans import Place, Plan, plan_of
from games.papers.typesetting import pdf
from league.models import Entry

FEW_ROUNDS, LONGEST_NAME, SHORT_NAME = 9, 28, 17


def guide_cards(order: Order) -> Product:
    """One card a table and one a pair, four a page; where partners change one a player, with whom each round (F120)."""
    plan = _planned(order)
    cards = [_table_guide(plan, *key, places) for key, places in plan.tables().items()]
    cards += [_pair_guide(plan, entry) for entry in plan.entries if plan.of_entry(entry)]
    order.tell(len(cards), len(cards))
    content = order.page(_("Guide cards")) | {"cards": cards}
    return Product(_("guide-cards.pdf"), pdf("guide_cards", content))


def table_cards(order: Order) -> Product:
    """One card a table, two a page, with its number as large as can be and the boards of each round."""
    plan = _planned(order)
    cards = [
        {
            "table": table,
            "section": section if _has_sections(plan) else "",
            "rounds": [
                {"round": str(number), "boards": place.boards_text if place and not place.sits_out else "–"}
                for number, place in _every_round(plan, section, places)
            ],
        }
        for (section, table), places in plan.tables().items()
    ]
    order.tell(len(cards), len(cards))
    content = order.page(_("Table cards"), table=_("Table"), round=_("Round"), boards=_("Boards")) | {
        "cards": cards
    }
    return Product(_("table-cards.pdf"), pdf("table_cards", content))


def wall_list(order: Order) -> Product:
    """Everyone by name, with pair, table and direction of the first round."""
    plan = _planned(order)
    first = min(place.round for place in plan.places)
    rows = []
    for entry in plan.entries:
        place = next((each for each in plan.of_entry(entry) if each.round == first), None)
        if place is not None:
            rows += [_row(plan, entry, place, name) for name in _names(entry)]
    rows.sort(key=lambda row: row["name"].casefold())
    content = order.page(
        _("Wall list"),
        player=_("Player"),
        # Of players the number alone stands there, with their name before it.
        pair=_("No.") if order.competition.is_of_individuals else order.competition.entry_title,
        table=_("Table"),
        seat=_("Seats"),
    ) | {"lists": [{"title": _("Where you sit first"), "under": [order.competition.name], "rows": rows}]}
    order.tell(1, 1)
    return Product(_("wall-list.pdf"), pdf("wall_list", content))


def _planned(order: Order) -> Plan:
    plan = plan_of(order.competition)
    if not plan.places:
        raise NothingToPrint(_("There’s no movement yet. Please choose one for every section first."))
    return plan


def _every_round(plan: Plan, section: str, places: list[Place]) -> list[tuple[int, Place | None]]:
    """What happens at a table in each round of its section; None where nobody sits there."""
    at = {place.round: place for place in places}
    rounds = sorted({place.round for place in plan.places if place.section == section})
    return [(number, at.get(number)) for number in rounds]


def _has_sections(plan: Plan) -> bool:
    return len({place.section for place in plan.places}) > 1


def _names(entry: Entry) -> list[str]:
    return [player.name for player in entry.lineup.players]


def _row(plan: Plan, entry: Entry, place: Place, name: str) -> dict[str, Any]:
    number = str(plan.numbers[entry.pk])
    if place.sits_out:
        return {"name": name, "number": number, "table": "–", "seat": _("sits out")}
    return {
        "name": name,
        "number": number,
        "table": place.table,
        "seat": _way(plan, place, entry),
    }


def _way(plan: Plan, place: Place, entry: Entry) -> str:
    return plan.side_titles[entry not in place.first]


def _table_guide(plan: Plan, section: str, table: str, places: list[Place]) -> dict[str, Any]:
    title = _("Table %(table)s") % {"table": table}
    return {
        "title": title,
        "under": section if _has_sections(plan) else "",
        "columns": [
            {"name": _("Round"), "wide": False},
            *({"name": title, "wide": True} for title in plan.side_titles),
            {"name": _("Boards"), "wide": False},
        ],
        "rows": [
            [
                str(number),
                _pair(plan, place.first if place else ()),
                _pair(plan, place.second if place else ()),
                place.boards_text if place and not place.sits_out else "–",
            ]
            for number, place in _every_round(plan, section, places)
        ],
    }


def _pair_guide(plan: Plan, entry: Entry) -> dict[str, Any]:
    return {
        "title": _("Number %(number)d") % {"number": plan.numbers[entry.pk]},
        "under": " · ".join(
            [" & ".join(_names(entry)), *([entry.division.name] if _has_sections(plan) else [])]
        ),
        "columns": [
            {"name": _("Round"), "wide": False},
            {"name": _("Table"), "wide": False},
            {"name": _("Seats"), "wide": False},
            *([{"name": _("With"), "wide": True}] if _partners_change(plan) else []),
            {"name": _("Against"), "wide": not _partners_change(plan)},
            {"name": _("Boards"), "wide": False},
        ],
        "rows": [_step(plan, place, entry) for place in plan.of_entry(entry)],
    }


def _step(plan: Plan, place: Place, entry: Entry) -> list[str]:
    if place.sits_out:
        return [str(place.round), "–", "–", _("sits out"), "–"]
    is_first = entry in place.first
    own, other = (place.first, place.second) if is_first else (place.second, place.first)
    partner = tuple(each for each in own if each != entry)
    return [
        str(place.round),
        place.table,
        plan.side_letters[not is_first],
        *([_pair(plan, partner)] if _partners_change(plan) else []),
        _pair(plan, other),
        place.boards_text,
    ]


def _partners_change(plan: Plan) -> bool:
    return any(len(place.first) > 1 for place in plan.places)


def _pair(plan: Plan, side: tuple[Entry, ...]) -> str:
    """A pair by number and name, no longer than a card has room for in so many rounds; two players by their numbers."""
    if not side:
        return "–"
    numbers = [str(number) for number in sorted(plan.numbers[entry.pk] for entry in side)]
    if len(side) > 1:
        return " + ".join(numbers)
    most = LONGEST_NAME if len(plan.rounds) <= FEW_ROUNDS else SHORT_NAME
    name = str(side[0])
    return f"{numbers[0]}  {name if len(name) <= most else name[: most - 1].rstrip() + '…'}"
