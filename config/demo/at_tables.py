"""The demo's evening of individuals at tables: in its third round, with a late player and one who left."""

import random
from datetime import datetime, timedelta

from config.demo.clock import at_time
from config.demo.people import People
from games import front
from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.draws.services import rounds
from league.manage.services import evenings
from league.models import Club, Competition, Fixture, Player

ROUND_LASTS = timedelta(minutes=50)


def build(club: Club, people: People, rng: random.Random, *, begins: datetime) -> None:
    """Seven come; an eighth plays from the second round, and one leaves after it."""
    director, port = people["Daniel Quinn"], evenings.suitable_games()[0]
    alone = [pair.players[number] for pair in people.pairs[0] for number in (0, 1)]
    with at_time(begins - timedelta(minutes=20)) as at:
        evening = evenings.make(
            actor=director,
            club=club,
            name=f"{port.name} Evening",
            game=port.key,
            starts_on=begins.date(),
            play_time=begins.time(),
            place=club.place,
        )
        division = evening.stage.divisions.get()
        evenings.register(actor=director, division=division, came=alone[:7], left=(), at=at)
        evenings.begin(actor=director, competition=evening, seed=f"{rng.getrandbits(64):016x}")
    evening = Competition.objects.get(pk=evening.pk)
    for number in (1, 2, 3):
        now = begins + (number - 1) * ROUND_LASTS
        if number > 1:
            _comes_and_goes(people, evening, alone, number, now - timedelta(minutes=5))
        _draw(people, evening, number, now)
        for place, fixture in enumerate(_tables(evening, number)):
            if number < 3 or place == 0:
                _play(people, rng, fixture, now + timedelta(minutes=40), is_waiting=number == 3)


def _comes_and_goes(
    people: People, evening: Competition, alone: list[Player], number: int, when: datetime
) -> None:
    with at_time(when) as at:
        left = evening.entries.filter(lineup__members__player=alone[4]).values_list("pk", flat=True)
        evenings.register(
            actor=people["Daniel Quinn"],
            division=evening.stage.divisions.get(),
            came=alone[7:8] if number == 2 else (),
            left=set(left) if number == 3 else (),
            at=at,
        )


def _draw(people: People, evening: Competition, number: int, when: datetime) -> None:
    division, played = evening.stage.divisions.get(), evening.stage.rounds.get(number=number)
    with at_time(when) as at:
        seen = rounds.proposal_of(division=division, round_=played).digest
        rounds.publish(actor=people["Daniel Quinn"], division=division, number=number, at=at, seen=seen)


def _tables(evening: Competition, number: int) -> list[Fixture]:
    return list(
        Fixture.objects.filter(round__stage=evening.stage, round__number=number).with_pairs().in_order()
    )


def _play(people: People, rng: random.Random, fixture: Fixture, when: datetime, *, is_waiting: bool) -> None:
    """A table is played; its first player enters the sheet, and the others confirm it, unless it is waiting."""
    evening = fixture.round.competition
    skill = tuple(rng.choice((1, 2, 3)) for _entry in fixture.entries)
    content = front.of(evening.game).played_match(rng, evening.rules, skill)
    first, *others = (people.of_pair(entry.lineup) for entry in fixture.entries)
    with at_time(when):
        sheet = scoresheets.submit(
            actor=first, fixture=fixture, content=content, origin=Scoresheet.Origin.PAGE
        )
        for confirming in () if is_waiting else others:
            sheet = scoresheets.confirm(actor=confirming, sheet=sheet, digest=sheet.digest)
