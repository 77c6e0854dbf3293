"""A club, or one of its competitions, as a file: what leaves the installation, and what is named as left out."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import IO, Any

from django.db import connection, models, transaction

from games.club_files import archives
from games.club_files.kinds import BY_LABEL, KINDS, Kind, Model, Scope
from games.comparisons.reckoning import columns, fields
from games.comparisons.reckoning.columns import Terms
from games.models import (
    Action,
    Agreement,
    Board,
    BoardSet,
    ConventionCard,
    Duplicate,
    FixtureBoard,
    Scoresheet,
    SheetPhoto,
)
from games.records import parsing as readings
from games.seating import players_of
from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.models import (
    AuditEntry,
    Club,
    Competition,
    Fixture,
    Lineup,
    LineupMember,
    Player,
)
from league.standings.queries import CURRENT, compute_division, read_facts
from league.words import sentences
from league.words.public_names import in_full

#: Kinds that are found once it is known who takes part, in this order; the others are found first, the last ones first.
_PEOPLE = (Lineup, ConventionCard, Agreement, LineupMember, Player)
#: What a closed set and its boards tell: number, dealer and public commitment, and where they belong.
_CLOSED = {
    "games.boardset": {
        "competition",
        "round",
        "origin",
        "first_number",
        "count",
        "reserve",
        "commitment",
        "made_at",
    },
    "games.board": {"board_set", "purpose", "place", "number", "dealer"},
}
#: What the trail tells of accounts, mails, links and programs stays where it happened.
UNTOLD = ("club.invit", "club.join", "club.member", "club.role", "mail.", "outbox.", "calendar.", "token.", "webhook.",
          "player.invit", "player.claim", "player.link", "player.unlink", "player.joined", "paper.")  # fmt: skip


@in_full()
def export(*, actor: Actor, club: Club, target: IO[bytes], competition: Competition | None = None) -> None:
    """Writes the file of a club, or of one of its competitions, and a line into the trail.

    An owner takes the club, a director a competition. Raises NotAllowed.
    """
    thing: Club | Competition = competition or club
    policies.require(actor, "competition.export" if competition else "club.export", thing)
    with _one_moment():
        scope = scope_of(club, competition)
        packing = _Packing(scope)
        rows = packing.packed()
        manifest = {
            "club": club.name,
            "competition": competition.name if competition else "",
            "left_out": left_out(scope),
            "standings": standings_of(scope),
        }
        archives.write(target, manifest=manifest, rows=rows, trail=_trail(scope))
    said = (
        sentences.gettext("The competition was exported as a file")
        if competition
        else sentences.gettext("The club was exported as a file")
    )
    audit.record(actor=actor, action="club.exported", summary=said, club=club, competition=competition)


@contextmanager
def _one_moment() -> Iterator[None]:
    """A transaction that sees everything as it was at one moment."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def scope_of(club: Club, competition: Competition | None) -> Scope:
    """What is exported; a set that was not released as a whole is closed.

    The stages before a competition come along: its entries and their points come from there.
    """
    found = club.competitions.filter(pk=competition.pk) if competition else club.competitions.all()
    keys = list(found.order_by("pk").values_list("pk", flat=True))
    before = keys
    while before:
        more = club.competitions.filter(stages__later__competition__in=before).exclude(pk__in=keys)
        before = list(more.values_list("pk", flat=True))
        keys = sorted({*keys, *before})
    closed = BoardSet.objects.filter(competition__in=keys, released_at=None)
    sealed = FixtureBoard.objects.filter(board__board_set__in=closed)
    return Scope(
        club=club,
        competitions=keys,
        is_whole=competition is None,
        closed=frozenset(closed.values_list("pk", flat=True)),
        sealed=frozenset(sealed.values_list("fixture", flat=True)),
    )


@dataclass(slots=True)
class _Packing:
    """Collects lines kind by kind, and which rows of other kinds they point at."""

    scope: Scope
    wanted: dict[Model, set[int]] = field(default_factory=lambda: defaultdict(set))
    lines: dict[Model, list[Any]] = field(default_factory=dict)
    merged: dict[Model, dict[int, int]] = field(default_factory=dict)

    def packed(self) -> Iterator[Any]:
        """Every line, in the order in which they are read."""
        for model in (Player, Lineup):
            rows: models.QuerySet[Any] = models.QuerySet(model).filter(
                club=self.scope.club, merged_into__isnull=False
            )
            self.merged[model] = dict(rows.values_list("pk", "merged_into"))
        first = [kind for kind in reversed(KINDS) if kind.model not in _PEOPLE and not _is_root(kind)]
        people = [BY_LABEL[model._meta.label_lower] for model in _PEOPLE]
        for kind in (*first, *people, *(kind for kind in KINDS if _is_root(kind))):
            self.lines[kind.model] = list(self._of(kind))
        for kind in KINDS:
            yield from self.lines[kind.model]

    def _of(self, kind: Kind) -> Iterator[Any]:
        rows = kind.found(self.scope, self.wanted[kind.model])
        if kind.model in {ConventionCard, Agreement, LineupMember}:
            rows = models.QuerySet(kind.model).filter(lineup__in=self._taken(Lineup)).order_by("pk")
        if kind.model is Scoresheet:
            rows = rows.select_related("match")
        for row in rows.iterator(chunk_size=500):
            yield self._line(kind, row)

    def _taken(self, model: Model) -> list[int]:
        return [line["pk"] for line in self.lines[model]]

    def _line(self, kind: Kind, row: models.Model) -> dict[str, Any]:
        told = set(kind.columns)
        if kind.label in _CLOSED and getattr(row, "board_set_id", row.pk) in self.scope.closed:
            told &= _CLOSED[kind.label]
        fields = {name: self._value(kind, row, name) for name in kind.columns if name in told}
        return {"model": kind.label, "pk": row.pk, "fields": fields}

    def _value(self, kind: Kind, row: models.Model, name: str) -> Any:
        column: Any = row._meta.get_field(name)
        value = column.value_from_object(row)
        if value is None:
            return None
        if isinstance(column, models.ForeignKey):
            if kind.model is Competition and name == "follows" and value not in self.scope.competitions:
                return None
            return self._swap(column.related_model, value)
        if name in kind.inner:
            if isinstance(row, Scoresheet):
                value = _with_present_seats(row)
            return kind.inner[name](value, self._swap)
        if isinstance(value, datetime | date | time):
            return value.isoformat()
        return str(value) if isinstance(value, Decimal) else value

    def _swap(self, model: Model, key: Any) -> int:
        merged = self.merged.get(model, {})
        while key in merged:
            key = merged[key]
        self.wanted[model].add(key)
        return int(key)


def _is_root(kind: Kind) -> bool:
    return kind.label in {"league.club", "league.season"}


def _with_present_seats(sheet: Scoresheet) -> Any:
    """The content with the players as they are found today: a merge, or one that was undone, left older keys in it."""
    fixture: Fixture = sheet.match.fixture
    here = {player.pk for entry in fixture.entries for player in players_of(fixture, entry)}
    if set(sheet.content["seats"].values()) <= here:
        return sheet.content
    options = sheet.match.options
    return readings.read(fixture=fixture, content=sheet.content, options=options, is_stored=True).content


def standings_of(scope: Scope) -> list[dict[str, Any]]:
    """Every table as it follows today: who is where with how much, entries by key. An import must come to the same."""
    found = []
    chosen = Competition.objects.filter(pk__in=scope.competitions).order_by("pk")
    for competition in chosen.exclude(state=Competition.State.DRAFT):
        found += of_competition(competition)
    return found


def of_competition(competition: Competition) -> list[dict[str, Any]]:
    """The tables of a competition: of each division, and of each field of a duplicate event."""
    tables = []
    for division in competition.stage.divisions.order_by("level") if competition.stage.is_league else ():
        content = compute_division(read_facts(division)).tables[CURRENT].content
        rows = [
            [row["entry"], row["place"], row["metrics"]["league_points"], row["played"], row["won"]]
            for row in (*content["rows"], *content["withdrawn"])
        ]
        tables.append({"competition": competition.pk, "table": f"division {division.level}", "rows": rows})
    duplicate = Duplicate.objects.filter(pk=competition.pk).first()
    boards = FixtureBoard.objects.filter(fixture__round__stage__competition=competition)
    if duplicate is not None and not boards.filter(board__board_set__released_at=None).exists():
        for (name, number), content in sorted(_ranked(competition.pk, Terms.of(duplicate)).items()):
            rows = [[row["entry"], row["rank"], row["value"], row["boards"]] for row in content["rows"]]
            tables.append({"competition": competition.pk, "table": f"ranking {name} {number}", "rows": rows})
    return tables


def _ranked(competition: int, terms: Terms) -> fields.Rankings:
    boards = FixtureBoard.objects.filter(fixture__round__stage__competition=competition)
    plays = columns.plays_of(set(boards.values_list("board", flat=True)))
    contents = {board: columns.content_of(made, terms) for board, made in plays.items()}
    return fields.rankings_from(competition, terms, contents, before=_ranked)


def left_out(scope: Scope) -> list[dict[str, Any]]:
    """What the file does not hold, and how much of it: sheets of sealed boards, one by one."""
    sealed = Scoresheet.objects.filter(match__in=scope.sealed)
    found: list[dict[str, Any]] = [
        {
            "what": "sealed_sheets",
            "count": sealed.count(),
            "matches": sorted(set(sealed.values_list("match", flat=True))),
        },
        {"what": "sealed_boards", "count": Board.objects.filter(board_set__in=scope.closed).count()},
        {
            "what": "table_logs",
            "count": Action.objects.filter(
                deal__table__fixture__round__stage__competition__in=scope.competitions
            )
            .values("deal")
            .distinct()
            .count(),
        },
        {
            "what": "photos",
            "count": SheetPhoto.objects.filter(
                fixture__round__stage__competition__in=scope.competitions
            ).count(),
        },
    ]
    return [each for each in found if each["count"]]


def _trail(scope: Scope) -> Iterator[dict[str, str]]:
    """The trail as text. Of events with closed boards without reasons: people say in their own words what they saw."""
    told = AuditEntry.objects.filter(club=scope.club)
    if not scope.is_whole:
        told = told.filter(competition__in=scope.competitions)
    closed = set(BoardSet.objects.filter(pk__in=scope.closed).values_list("competition", flat=True))
    competitions = dict(Competition.objects.filter(club=scope.club).values_list("pk", "name"))
    players = {player.pk: player.name for player in Player.objects.filter(club=scope.club)}
    fixtures = {
        each.pk: str(each)
        for each in Fixture.with_rooms.filter(round__stage__competition__in=scope.competitions).with_pairs()
    }
    for entry in told.order_by("pk").iterator(chunk_size=500):
        if entry.action.startswith(UNTOLD):
            continue
        about = fixtures.get(entry.fixture_id or 0) or competitions.get(entry.competition_id or 0)
        yield {
            "at": entry.at.isoformat(),
            "who": entry.actor_name,
            "action": entry.action,
            "what": entry.summary,
            "about": about or players.get(entry.player_id or 0, ""),
            "why": "" if entry.competition_id in closed else entry.reason,
        }
