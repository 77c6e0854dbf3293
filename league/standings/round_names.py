"""What the rounds of matches are called: in a knock-out as its bracket does ("Semi-finals"), else "Round 3"."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from league.models import Division, Fixture, Round
from league.standings import brackets


def of_fixtures(fixtures: Iterable[Fixture]) -> dict[int, str]:
    """By the key of the fixture; its stage must have been read with it.

    One query where there is a knock-out, and six for each bracket of whose final a match for place 3 is a part.
    """
    listed = list(fixtures)
    cups = {each.division_id for each in listed if each.round.stage.is_bracket}
    sizes = brackets.rounds_of_all(cups) if cups else {}
    finals = [
        each
        for each in listed
        if each.division_id in sizes
        and each.round.stage.has_third_place
        and each.round.number > (sizes[each.division_id] - 1) * each.round.stage.legs
    ]
    third = _for_place_3({each.division_id: each.division for each in finals}.values())
    return {
        each.pk: _("Match for place 3")
        if (each.team_match_id or each.pk) in third
        else _name(each.round, sizes.get(each.division_id))
        for each in listed
    }


def of_fixture(fixture: Fixture) -> str:
    """The same of one."""
    return of_fixtures([fixture])[fixture.pk]


def of_rounds(rounds: Collection[Round]) -> dict[int, str]:
    """By the key of the round; "Round 3" where divisions of other sizes have their finals in other rounds.

    One query where there is a knock-out.
    """
    stages = {each.stage_id for each in rounds if each.stage.is_bracket}
    sizes = brackets.rounds_of_stages(stages) if stages else {}
    found = {}
    for each in rounds:
        of_stage = sizes.get(each.stage_id, ())
        names = {_name(each, size) for size in of_stage if each.number <= size * each.stage.legs}
        found[each.pk] = names.pop() if len(names) == 1 else each.name
    return found


def of_round(round_: Round) -> str:
    """The same of one."""
    return of_rounds([round_])[round_.pk]


def in_division(round_: Round, division: Division) -> str:
    """What one division calls the round; one query in a knock-out."""
    return brackets.name_of(round_.number, division) if round_.stage.is_bracket else round_.name


def _name(round_: Round, size: int | None) -> str:
    return brackets.name_in_legs(round_.number, round_.stage.legs, size) if size else round_.name


def _for_place_3(divisions: Iterable[Division]) -> set[int]:
    ties = (tie for each in divisions for tie in (brackets.of_division(each).rounds or ((),))[-1])
    return {leg.pk for tie in ties if tie.is_third_place for leg in tie.legs}
