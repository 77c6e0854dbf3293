"""What the rounds of matches are called: in a knock-out as its bracket does ("Semi-finals"), else "Round 3"."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from engine.contest import knockout
from league.models import Division, Fixture, Round, Stage
from league.standings import brackets
from league.words import sentences
from league.words.sentences import Sentence


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
    places = {(each.round_id, each.division_id): each.round for each in listed}
    names = {key: str(_named(round_, {sizes.get(key[1], 0)})) for key, round_ in places.items()}
    return {
        each.pk: _("Match for place 3")
        if (each.team_match_id or each.pk) in third
        else names[each.round_id, each.division_id]
        for each in listed
    }


def of_fixture(fixture: Fixture) -> str:
    """The same of one."""
    return of_fixtures([fixture])[fixture.pk]


def of_rounds(rounds: Collection[Round]) -> dict[int, str]:
    """By the key of the round; "Round 3" where divisions of other sizes have their finals in other rounds.

    One query where there is a knock-out.
    """
    sizes = _sizes(rounds)
    return {each.pk: str(_named(each, sizes.get(each.stage_id, ()))) for each in rounds}


def of_round(round_: Round) -> Sentence:
    """The same of one, written or not yet; also for what is kept."""
    return _named(round_, _sizes([round_]).get(round_.stage_id, ()))


def of_numbers(stage: Stage, numbers: Iterable[int]) -> dict[int, str]:
    """The same by number, also of rounds that are not written yet."""
    rounds = [Round(stage=stage, number=number) for number in numbers]
    sizes = _sizes(rounds).get(stage.pk, ())
    return {each.number: str(_named(each, sizes)) for each in rounds}


def foreseen(stage: Stage, numbers: Iterable[int], entered: Iterable[int]) -> dict[int, str]:
    """By number before the draw, for divisions with so many entries."""
    sizes = {knockout.Bracket(each).rounds for each in entered if each > 1} if stage.is_bracket else ()
    return {number: str(_named(Round(stage=stage, number=number), sizes)) for number in numbers}


def in_division(round_: Round, division: Division) -> Sentence:
    """What one division calls the round, also for what is kept; one query in a knock-out."""
    return _named(round_, {brackets.rounds_of(division)} if round_.stage.is_bracket else ())


def in_legs(number: int, legs: int, rounds: int) -> Sentence:
    """What a round of the competition is called in a bracket of so many rounds: "Final", or "Final, leg 2"."""
    round_, leg = divmod(number - 1, legs)
    name = of_bracket(round_ + 1, rounds)
    return sentences.gettext("%(round)s, leg %(leg)d") % {"round": name, "leg": leg + 1} if legs > 1 else name


def of_bracket(round_: int, rounds: int) -> Sentence:
    """What a round of a bracket is called: the final, semi-finals and quarter-finals by their names."""
    match rounds - round_:
        case 0:
            return sentences.gettext("Final")
        case 1:
            return sentences.gettext("Semi-finals")
        case 2:
            return sentences.gettext("Quarter-finals")
    return sentences.gettext("Round %(number)d") % {"number": round_}


def _sizes(rounds: Iterable[Round]) -> dict[int, set[int]]:
    """How many rounds the brackets of these rounds' stages have."""
    stages = {each.stage_id for each in rounds if each.stage.is_bracket}
    return brackets.rounds_of_stages(stages) if stages else {}


def _named(round_: Round, sizes: Iterable[int]) -> Sentence:
    """The one name that all brackets of these sizes have for it, as far as they come to it."""
    number, legs = round_.number, round_.stage.legs
    names = [in_legs(number, legs, size) for size in sizes if number <= size * legs]
    return names[0] if names and all(each == names[0] for each in names) else round_.named


def _for_place_3(divisions: Iterable[Division]) -> set[int]:
    ties = (tie for each in divisions for tie in (brackets.of_division(each).rounds or ((),))[-1])
    return {leg.pk for tie in ties if tie.is_third_place for leg in tie.legs}
