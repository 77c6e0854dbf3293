"""A federation to measure with: one club's leagues played by the services, then copied within the database.

A copied row's key, and the keys of copied rows that it points to, move on by as many as there are. Tables of results
and analyses are not copied, workers make them; nor what people are told.
"""

import random
from collections.abc import Collection, Mapping
from datetime import date, time, timedelta
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import Max

from config.demo import season
from config.demo.clock import at_time
from config.demo.people import People, account, email_of
from games.models import Analysis
from league.clubs.services import clubs
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.draws.services import draws
from league.entries.services import entries
from league.models import Club, Competition, Fixture, Lineup, Notice, OutboxMessage, Season, StandingsTable
from league.people.services import claims, lineups, players
from league.seasons.services import finishing
from league.zones import at_local

ZONE = "Europe/Dublin"
#: Apps whose rows are copied.
APPS = ("league", "games", "account")
PAIRS = 28
LEAGUES = 9
SEASON_DAYS = 182
NOT_COPIED = {StandingsTable, Notice, OutboxMessage, Analysis}
MEMBERS_KEYS = """
UPDATE league_lineup SET members_key = found.keys
FROM (SELECT lineup_id, string_agg(player_id::text, '-' ORDER BY player_id) AS keys
      FROM league_lineupmember GROUP BY lineup_id) found
WHERE found.lineup_id = league_lineup.id AND members_key <> found.keys
"""

Model = type[models.Model]
#: Of each model whose rows have keys of their own the key after which rows are copied, and the last that is.
Spans = Mapping[Model, tuple[int, int]]
Renamed = Collection[tuple[Model, str]]


def build(*, seed: int, today: date, clubs_in_all: int) -> None:
    """So many clubs of 56 players, each with nine leagues of 182 matches, the newest half played. Needs PostgreSQL."""
    rng = random.Random(seed)  # noqa: S311 - deals for a demo
    nothing = _newest()
    club, people = _found(today)
    _play(club, people, rng, first_day=today - timedelta(days=45), rounds=6)
    members = _newest()
    _play(club, people, rng, first_day=today - timedelta(days=45 + SEASON_DAYS))
    copy_since(
        members,
        times=LEAGUES - 2,
        renamed={(Season, "name"), (Competition, "slug"), (Competition, "name")},
        days=SEASON_DAYS,
    )
    copy_since(nothing, times=clubs_in_all - 1, renamed={(Club, "slug"), (Club, "name")})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _found(today: date) -> tuple[Club, People]:
    owner = account("Olive Hart")
    users, pairs = {owner.name: owner}, list[Lineup]()
    with at_time(at_local(today - timedelta(days=SEASON_DAYS * (LEAGUES + 1)), time(20), ZONE)) as at:
        club = clubs.found(actor=owner, name="Federation Club", time_zone=ZONE)
        for number in range(1, PAIRS + 1):
            both = []
            for name in (f"Ada Player{number}", f"Ben Player{number}"):
                users[name] = account(name)
                both.append(players.add(actor=owner, club=club, name=name, email=email_of(name)))
                claims.link(actor=owner, player=both[-1], user=users[name], at=at)
            pairs.append(lineups.line_up(actor=owner, club=club, players=both))
    return club, People(users, (tuple(pairs[::2]), tuple(pairs[1::2])))


def _play(
    club: Club, people: People, rng: random.Random, *, first_day: date, rounds: int | None = None
) -> None:
    """A league of two divisions: its first rounds played, or all of them, and then it is over."""
    owner = people["Olive Hart"]
    data = Setup(
        name=f"Open League {first_day.year}",
        starts_on=first_day,
        divisions=(DivisionPlan("First Division", relegated=2), DivisionPlan("Second Division", promoted=2)),
    )
    with at_time(at_local(first_day - timedelta(days=30), time(20), ZONE)) as at:
        competition = competitions.set_up(actor=owner, club=club, data=data)
        for division, pairs in zip(competition.stage.divisions.order_by("level"), people.pairs, strict=True):
            entries.enter_all(actor=owner, division=division, lineups=pairs, at=at)
        draws.draw(actor=owner, competition=competition, order=draws.GIVEN)
        competitions.publish(actor=owner, competition=competition)
    fixtures = Fixture.objects.of_competition(competition.pk).with_pairs().order_by("round__number", "pk")
    for fixture in fixtures if rounds is None else fixtures.filter(round__number__lte=rounds):
        season.play_and_confirm(fixture, people, rng)
    if rounds is None:
        with at_time(competition.stage.rounds.latest("number").closes_at + timedelta(days=3)) as over:
            finishing.finish(actor=owner, competition=competition, at=over)


def _models() -> list[Model]:
    found = [model for label in APPS for model in apps.get_app_config(label).get_models()]
    return [model for model in found if model not in NOT_COPIED]


def _newest() -> Mapping[Model, int]:
    """The newest key of each model whose rows have keys of their own."""
    own = [model for model in _models() if _root(model) is model]
    return {model: model._default_manager.aggregate(newest=Max("pk"))["newest"] or 0 for model in own}  # noqa: SLF001


def _root(model: Model) -> Model:
    """The model whose keys this one has."""
    key = model._meta.pk
    return _root(key.related_model) if isinstance(key, models.OneToOneField) else model


def copy_since(since: Mapping[Model, int], *, times: int, renamed: Renamed, days: int = 0) -> None:
    """Copies so often what was made since these keys were the newest; each copy lies so many days before the last."""
    newest = _newest()
    spans = {model: (key, newest[model]) for model, key in since.items()}
    quoted = connection.ops.quote_name
    with transaction.atomic(), connection.cursor() as cursor:
        for model in _models():
            first, last = spans[_root(model)]
            fields = model._meta.local_fields
            table, key = quoted(model._meta.db_table), quoted(str(model._meta.pk.column))
            names = ", ".join(quoted(str(field.column)) for field in fields)
            values = ", ".join(_value(field, spans, renamed, days) for field in fields)
            cursor.execute(
                f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} t, generate_series(1, %s) k"  # noqa: S608
                f" WHERE t.{key} > %s AND t.{key} <= %s",
                [times, first, last],
            )
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
        cursor.execute(MEMBERS_KEYS)


def _value(field: "models.Field[Any, Any]", spans: Spans, renamed: Renamed, days: int) -> str:
    """What stands in a column of copy `k` of row `t`."""
    column = f"t.{connection.ops.quote_name(str(field.column))}"
    model = field.related_model if field.is_relation else field.model if field.primary_key else None
    if model is not None and _root(model) in spans:
        first, last = spans[_root(model)]
        return f"CASE WHEN {column} > {first} THEN {column} + k * {last - first} ELSE {column} END"
    if (field.model, field.name) in renamed:
        return f"{column} || '-' || k"
    if isinstance(field, models.EmailField) and not days:
        return f"CASE WHEN {column} = '' THEN '' ELSE k || '.' || {column} END"
    if isinstance(field, models.DateTimeField):
        return f"{column} - k * interval '{days} days'"
    return f"{column} - k * {days}" if isinstance(field, models.DateField) else column
