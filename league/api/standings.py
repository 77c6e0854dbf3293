"""Tables for programs: everything that the engine says of them, with names and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.contest import results
from engine.contest.standings import explanation
from engine.contest.standings.ledger import Contribution, Source
from engine.contest.standings.ranking import MiniLeague, Parting
from engine.contest.standings.table import Row, Table
from engine.contest.standings.tie_breaks import NotApplicable
from engine.contest.standings.withdrawal import Rule, Verdict
from league.api.serializers import ROUND_NAME, NamedDivisionSerializer, TieBreakSerializer
from league.models import Division
from league.standings import round_names
from league.standings.queries import StoredTable
from league.web import wording

Names = Mapping[results.Key, Mapping[str, Any]]
Rounds = Mapping[int, str]
EXACT = "exact: an integer, or “n/d”"


class EntryNameSerializer(serializers.Serializer[Any]):
    """A pair in the table."""

    id = serializers.IntegerField(help_text="The entry.")
    pair = serializers.IntegerField()
    name = serializers.CharField()


class OpponentSerializer(serializers.Serializer[Any]):
    """Another side of a match."""

    entry = EntryNameSerializer()
    form = serializers.CharField(help_text="How the entry did against it: W, D or L.")
    score = serializers.IntegerField()


class ContributionSerializer(serializers.Serializer[Any]):
    """One line of the answer to “why so many points?”."""

    source = serializers.ChoiceField(choices=[source.value for source in Source])  # type: ignore[assignment]  # the name of the field
    round = serializers.IntegerField()
    round_name = serializers.CharField(allow_null=True, help_text=f"{ROUND_NAME} null: of all.")
    points = serializers.CharField(help_text=EXACT)
    fixture = serializers.IntegerField(allow_null=True)
    opponent = EntryNameSerializer(allow_null=True)
    is_home = serializers.BooleanField()
    outcome = serializers.ChoiceField(choices=[o.value for o in results.Outcome], allow_null=True)
    score_for = serializers.IntegerField()
    score_against = serializers.IntegerField()
    sides = serializers.IntegerField(help_text="How many sides the match had; 0 for a bye or an adjustment.")
    place = serializers.IntegerField(help_text="At the table, 1 for the best; 0 for a bye or an adjustment.")
    opponents = OpponentSerializer(many=True)
    text = serializers.CharField()


class SkippedSerializer(serializers.Serializer[Any]):
    """A metric that could not be used for a tie, and why."""

    metric = serializers.CharField()
    reason = serializers.ChoiceField(choices=[reason.value for reason in NotApplicable])
    text = serializers.CharField()


class PartingSerializer(serializers.Serializer[Any]):
    """What separates an entry from the row above. Without a metric nothing does, and the place is shared."""

    metric = serializers.CharField(allow_null=True)
    above = serializers.CharField(allow_null=True, help_text=EXACT)
    below = serializers.CharField(allow_null=True, help_text=EXACT)
    tied = EntryNameSerializer(many=True, help_text="All who were level when the metric was applied.")
    skipped = SkippedSerializer(many=True)
    mini_league = serializers.IntegerField(allow_null=True, help_text="Its place in mini_leagues, from 0.")
    text = serializers.CharField()


class WithdrawalSerializer(serializers.Serializer[Any]):
    """What the half-played rule made of a withdrawal."""

    rule = serializers.ChoiceField(choices=[rule.value for rule in Rule])
    played = serializers.IntegerField()
    matches = serializers.IntegerField()
    reason = serializers.CharField()
    text = serializers.CharField()


class RowSerializer(serializers.Serializer[Any]):
    """One entry in the table."""

    entry = EntryNameSerializer()
    place = serializers.IntegerField(allow_null=True, help_text="1, 2, 2, 4; null when taken out.")
    is_shared = serializers.BooleanField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    walkovers = serializers.IntegerField()
    forfeits = serializers.IntegerField()
    byes = serializers.IntegerField()
    to_play = serializers.IntegerField()
    score_for = serializers.IntegerField()
    score_against = serializers.IntegerField()
    form = serializers.CharField(help_text="Up to five letters W, D, L; the newest last.")
    metrics = serializers.DictField(child=serializers.CharField(), help_text=f"By key; {EXACT}.")
    contributions = ContributionSerializer(many=True, help_text="They add up to the league points.")
    separated_by = PartingSerializer(allow_null=True)
    withdrawal = WithdrawalSerializer(allow_null=True)


class MiniRowSerializer(serializers.Serializer[Any]):
    """One entry in a mini-league."""

    entry = EntryNameSerializer()
    points = serializers.CharField(help_text=EXACT)
    matches = ContributionSerializer(many=True)


class TableSerializer(serializers.Serializer[Any]):
    """A table that explains itself."""

    tie_breaks = TieBreakSerializer(many=True)
    results_counted = serializers.IntegerField()
    rows = RowSerializer(many=True)
    withdrawn = RowSerializer(many=True, help_text="Entries taken out; their results count for nobody.")
    removed = serializers.ListField(child=serializers.IntegerField(), help_text="Fixtures that do not count.")
    mini_leagues = serializers.ListField(child=MiniRowSerializer(many=True))


class StandingsSerializer(serializers.Serializer[Any]):
    """A division's table; without one before the first computation."""

    division = NamedDivisionSerializer()
    after_round = serializers.IntegerField(allow_null=True, help_text="null: after all results.")
    round_name = serializers.CharField(allow_null=True, help_text=ROUND_NAME)
    results_version = serializers.IntegerField(allow_null=True)
    computed_at = serializers.DateTimeField(allow_null=True)
    is_stale = serializers.BooleanField(help_text="Newer results are being counted: ask again in a second.")
    table = serializers.SerializerMethodField()

    @extend_schema_field(TableSerializer(allow_null=True))
    def get_table(self, standings: "Standings") -> Any:
        """The table itself."""
        return (
            None
            if standings.stored is None
            else table_as_json(standings.stored.table, standings.names, standings.division)
        )


class ProgressRowSerializer(serializers.Serializer[Any]):
    """Where an entry stood."""

    entry = EntryNameSerializer()
    place = serializers.IntegerField(allow_null=True)
    is_shared = serializers.BooleanField()
    league_points = serializers.CharField(help_text=EXACT)


class ProgressRoundSerializer(serializers.Serializer[Any]):
    """The table after a round, in short."""

    after_round = serializers.IntegerField()
    round_name = serializers.CharField(help_text=ROUND_NAME)
    rows = ProgressRowSerializer(many=True)


class ProgressSerializer(serializers.Serializer[Any]):
    """A division's tables after each round."""

    division = NamedDivisionSerializer()
    rounds = ProgressRoundSerializer(many=True)


@dataclass(frozen=True, slots=True)
class Standings:
    """A division's stored table (None: not computed yet), with the names of its entries."""

    division: Division
    after_round: int | None
    stored: StoredTable | None
    names: Names

    @property
    def round_name(self) -> str | None:
        """What people call the round after which it stood so."""
        number = self.after_round
        return round_names.of_numbers(self.division.stage, [number])[number] if number else None

    @property
    def results_version(self) -> int | None:
        """The version of the results that the table counts."""
        return self.stored.results_version if self.stored else None

    @property
    def computed_at(self) -> Any:
        """When it was computed."""
        return self.stored.computed_at if self.stored else None

    @property
    def is_stale(self) -> bool:
        """Whether newer results wait to be computed."""
        return self.stored is None or self.stored.is_stale


def names_of(division: Division) -> Names:
    """The names of a division's entries, by key."""
    entries = division.entries.with_pairs()
    return {e.pk: {"id": e.pk, "pair": e.lineup_id, "name": str(e.lineup)} for e in entries}


def table_as_json(table: Table, names: Names, division: Division) -> dict[str, Any]:
    """The table as TableSerializer describes it."""
    counted = {line.round for row in (*table.rows, *table.withdrawn) for line in row.contributions}
    # An adjustment can count from the beginning on.
    rounds = round_names.of_numbers(division.stage, counted - {0})
    return {
        "tie_breaks": wording.tie_breaks_in_words(table.tie_breaks),
        "results_counted": table.results_counted,
        "rows": [_row(row, names, rounds) for row in table.rows],
        "withdrawn": [_row(row, names, rounds) for row in table.withdrawn],
        "removed": list(table.removed),
        "mini_leagues": [_mini_league(mini, names, rounds) for mini in table.mini_leagues],
    }


def progress_as_json(division: Division, tables: Mapping[int, Table]) -> dict[str, Any]:
    """The tables after each round as ProgressSerializer describes them."""
    names = names_of(division)
    rounds = round_names.of_numbers(division.stage, tables)
    return {
        "division": {"id": division.pk, "name": division.name},
        "rounds": [
            {
                "after_round": number,
                "round_name": rounds[number],
                "rows": [_short(row, names) for row in table.rows],
            }
            for number, table in sorted(tables.items())
        ],
    }


PLAIN = (
    "place", "is_shared", "played", "won", "drawn", "lost", "walkovers", "forfeits", "byes", "to_play",
    "score_for", "score_against", "form",
)  # fmt: skip


def _row(row: Row, names: Names, rounds: Rounds) -> dict[str, Any]:
    return {
        "entry": names[row.entry],
        **{name: getattr(row, name) for name in PLAIN},
        "metrics": {key: str(figure) for key, figure in row.metrics.items()},
        "contributions": [_contribution(line, names, rounds) for line in row.contributions],
        "separated_by": _parting(row.separated_by, names),
        "withdrawal": _withdrawal(row.withdrawal),
    }


def _short(row: Row, names: Names) -> dict[str, Any]:
    return {
        "entry": names[row.entry],
        "place": row.place,
        "is_shared": row.is_shared,
        "league_points": str(row.league_points),
    }


def _contribution(line: Contribution, names: Names, rounds: Rounds) -> dict[str, Any]:
    return {
        "source": line.source.value,
        "round": line.round,
        "round_name": rounds.get(line.round),
        "points": str(line.points),
        "fixture": line.fixture,
        "opponent": None if line.opponent is None else names[line.opponent],
        "is_home": line.is_home,
        "outcome": None if line.outcome is None else line.outcome.value,
        "score_for": line.score_for,
        "score_against": line.score_against,
        "sides": line.sides,
        "place": line.place,
        "opponents": [
            {"entry": names[met.entry], "form": met.outcome.value, "score": met.score}
            for met in line.opponents
        ],
        "text": wording.in_words(explanation.contribution(line, lambda key: str(names[key]["name"]))),
    }


def _parting(parting: Parting | None, names: Names) -> dict[str, Any] | None:
    if parting is None:
        return None
    return {
        "metric": parting.metric,
        "above": None if parting.above is None else str(parting.above),
        "below": None if parting.below is None else str(parting.below),
        "tied": [names[key] for key in parting.tied],
        "skipped": [
            {"metric": s.metric, "reason": s.reason.value, "text": wording.in_words(explanation.left_out(s))}
            for s in parting.skipped
        ],
        "mini_league": parting.mini_league,
        "text": wording.in_words(explanation.separation(parting)),
    }


def _withdrawal(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "rule": verdict.rule.value,
        "played": verdict.played,
        "matches": verdict.matches,
        "reason": verdict.reason,
        "text": wording.in_words(explanation.withdrawn(verdict)),
    }


def _mini_league(mini: MiniLeague, names: Names, rounds: Rounds) -> list[dict[str, Any]]:
    return [
        {
            "entry": names[row.entry],
            "points": str(row.points),
            "matches": [_contribution(line, names, rounds) for line in row.matches],
        }
        for row in mini.rows
    ]
