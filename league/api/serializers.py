"""What the API shows of clubs, people and competitions. Only what everyone who sees the thing may read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Manager
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.contest.points.parsing import read_scheme
from engine.contest.standings.ranking import read_tie_breaks
from league import extension, formats
from league.api import visibility
from league.models import Appearance, Competition, Entry, Fixture, FixtureResult, Player
from league.standings import round_names
from league.web import wording

ROUND_NAME = "What people call it: in a knock-out “Semi-finals”, else “Round 3”."


class PageSerializer(serializers.Serializer[Any]):
    """What has a page of its own on the site."""

    page = serializers.CharField(source="get_absolute_url", help_text="The address of its page on this site.")


class ClubSerializer(PageSerializer):
    """A club."""

    slug = serializers.SlugField(help_text="Names the club in addresses.")
    name = serializers.CharField()
    time_zone = serializers.CharField(
        help_text="The zone in which its pages show times, such as Europe/London."
    )
    place = serializers.CharField(help_text="Where the club meets, or empty.")
    about = serializers.CharField()


class NamedPlayerSerializer(serializers.Serializer[Any]):
    """A player as others name them."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class NamedPairSerializer(PageSerializer):
    """A pair with its two players."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="__str__")
    players = NamedPlayerSerializer(many=True)


class PlayerSerializer(NamedPlayerSerializer, PageSerializer):
    """A player: only what is public. Addresses and membership numbers are not."""

    club = serializers.SlugField(source="club.slug")
    pairs = serializers.SerializerMethodField()

    @extend_schema_field(NamedPairSerializer(many=True))
    def get_pairs(self, player: Player) -> Any:
        """The pairs that this player is or was one of, of those that the reader may know of."""
        pairs = visibility.pairs(user=self.context["request"].user).of_player(player.pk)
        return NamedPairSerializer(pairs, many=True).data


class NamedCompetitionSerializer(PageSerializer):
    """A competition as others name it."""

    id = serializers.IntegerField()
    club = serializers.SlugField(source="club.slug")
    slug = serializers.SlugField()
    name = serializers.CharField()


class PairEntrySerializer(serializers.Serializer[Any]):
    """A competition that a pair plays in."""

    entry = serializers.IntegerField(source="id")
    competition = NamedCompetitionSerializer()
    division = serializers.CharField(source="division.name")
    is_withdrawn = serializers.SerializerMethodField()

    def get_is_withdrawn(self, entry: Entry) -> bool:
        """Whether the pair has left the competition."""
        return entry.withdrawn_at is not None


class PairSerializer(NamedPairSerializer):
    """A pair, and the competitions it plays in, of those that the reader may see."""

    club = serializers.SlugField(source="club.slug")
    entries = PairEntrySerializer(many=True, source="visible_entries")


class CompetitionSerializer(NamedCompetitionSerializer):
    """A competition in a list."""

    season = serializers.CharField(source="season.name")
    game = serializers.CharField(help_text="The key of the card game.")
    format = serializers.ChoiceField(choices=formats.CHOICES)
    state = serializers.ChoiceField(choices=Competition.State.choices)
    visibility = serializers.ChoiceField(choices=Competition.Visibility.choices)
    starts_on = serializers.DateField()


class EntrySerializer(serializers.Serializer[Any]):
    """A pair in a division."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="In the draw.")
    pair = NamedPairSerializer(source="lineup")
    first_round = serializers.IntegerField()
    is_house = serializers.BooleanField(
        help_text="Plays for the house, without standing; in a Swiss instead of a bye."
    )
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class DivisionSerializer(serializers.Serializer[Any]):
    """A division with its pairs."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    level = serializers.IntegerField(help_text="Its number from the top.")
    is_parallel = serializers.BooleanField(help_text="true: it is beside the division before it.")
    promoted = serializers.IntegerField(help_text="How many go up.")
    relegated = serializers.IntegerField(help_text="How many go down.")
    entries = EntrySerializer(many=True)


class AtOnceSerializer(serializers.ListSerializer[Any]):
    """Many things of rounds: the names of their rounds are read at once."""

    child: "OfRoundSerializer"

    def to_representation(self, data: Any) -> Any:
        """Each as its own serializer shows it."""
        rows = list(data.all() if isinstance(data, Manager) else data)
        self.child.names = self.child.names_of(rows)
        return super().to_representation(rows)


class OfRoundSerializer(serializers.Serializer[Any]):
    """A round, or what belongs to one, with the round's name. `names_of` gives those of many rows, by their keys."""

    names_of: Callable[[Sequence[Any]], Mapping[int, str]]
    names: Mapping[int, str] | None = None

    class Meta:
        list_serializer_class = AtOnceSerializer

    def name_of_round(self, row: Any) -> str:
        """The name of the round, from those that were read for the whole list if there is one."""
        return (self.names if self.names is not None else self.names_of([row]))[row.pk]


class RoundSerializer(OfRoundSerializer):
    """A round."""

    names_of = staticmethod(round_names.of_rounds)
    number = serializers.IntegerField()
    name = serializers.SerializerMethodField("name_of_round", help_text=ROUND_NAME)
    starts_on = serializers.DateField()
    closes_at = serializers.DateTimeField()


class RuleSerializer(serializers.Serializer[Any]):
    """One option of the rules of play."""

    name = serializers.CharField()
    value = serializers.JSONField(help_text="A number, true or false, or the key of a choice.")
    label = serializers.CharField()  # type: ignore[assignment]  # the name is ours to choose
    text = serializers.CharField()


class TieBreakSerializer(serializers.Serializer[Any]):
    """One metric that decides places."""

    key = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()


class PointsSerializer(serializers.Serializer[Any]):
    """What results are worth."""

    scheme = serializers.DictField(help_text="As the engine reads it; points are integers or “n/d”.")
    words = serializers.ListField(child=serializers.CharField())


class CompetitionDetailSerializer(CompetitionSerializer):
    """A competition with its divisions, rounds and rules in words."""

    place = serializers.CharField()
    correction_hours = serializers.IntegerField(
        help_text="How long after confirmation a sheet may be corrected."
    )
    divisions = DivisionSerializer(many=True, source="stage.divisions")
    rounds = RoundSerializer(many=True, source="stage.rounds")
    rules = serializers.SerializerMethodField()
    points = serializers.SerializerMethodField()
    tie_breaks = serializers.SerializerMethodField()

    @extend_schema_field(RuleSerializer(many=True))
    def get_rules(self, competition: Competition) -> Any:
        """The rules of play in words."""
        return wording.rules_in_words(extension.game(competition.game), competition.rules)

    @extend_schema_field(PointsSerializer())
    def get_points(self, competition: Competition) -> Any:
        """The points scheme as data and in words."""
        scheme = read_scheme(competition.points)
        return {"scheme": scheme.as_json(), "words": wording.points_in_words(scheme)}

    @extend_schema_field(TieBreakSerializer(many=True))
    def get_tie_breaks(self, competition: Competition) -> Any:
        """The metrics that decide the places, in order."""
        keys = [metric.key for metric in read_tie_breaks(competition.tie_breaks)]
        return wording.tie_breaks_in_words(keys)


class SideSerializer(serializers.Serializer[Any]):
    """One of the two pairs of a fixture."""

    entry = serializers.IntegerField(source="id")
    pair = NamedPairSerializer(source="lineup")


class FixtureSideSerializer(serializers.Serializer[Any]):
    """A side of a fixture, of however many there are."""

    entry = serializers.IntegerField(source="entry.pk")
    pair = NamedPairSerializer(source="entry.lineup")
    order = serializers.IntegerField(help_text="Of two sides, 1 is at home.")
    outcome = serializers.ChoiceField(
        choices=[each.value for each in Appearance.Outcome if each != Appearance.Outcome.BYE],
        allow_null=True,
        help_text="Null until there is a result.",
    )
    score = serializers.IntegerField(allow_null=True, help_text="Null unless it was played.")
    rank = serializers.IntegerField(
        allow_null=True, help_text="1 is the best; sides that drew share it. Null unless it was played."
    )

    def to_representation(self, instance: Any) -> Any:
        """As the schema has it: no outcome is null."""
        return {**super().to_representation(instance), "outcome": instance.outcome or None}


class ResultSerializer(serializers.Serializer[Any]):
    """What a fixture counts for."""

    kind = serializers.ChoiceField(choices=FixtureResult.Kind.choices)
    home_score = serializers.IntegerField()
    away_score = serializers.IntegerField()


class NamedDivisionSerializer(serializers.Serializer[Any]):
    """A division as others name it."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class FixtureSerializer(OfRoundSerializer, PageSerializer):
    """Two pairs who meet in a round. The match of a fixture has the same id."""

    names_of = staticmethod(round_names.of_fixtures)
    id = serializers.IntegerField()
    competition = NamedCompetitionSerializer(source="round.competition")
    division = NamedDivisionSerializer()
    round = serializers.IntegerField(source="round.number")
    round_name = serializers.SerializerMethodField()
    home = SideSerializer(allow_null=True, help_text="Null where more than two sides meet, like `away`.")
    away = SideSerializer(allow_null=True)
    sides = serializers.SerializerMethodField()
    status = serializers.ChoiceField(choices=Fixture.Status.choices)
    status_text = serializers.CharField(source="get_status_display")
    starts_at = serializers.DateTimeField(allow_null=True)
    place = serializers.CharField()
    table = serializers.CharField()
    note = serializers.CharField()
    result = serializers.SerializerMethodField()

    def get_round_name(self, fixture: Fixture) -> str:
        """What people call the round: in a knock-out “Semi-finals”, else “Round 3”."""
        return self.name_of_round(fixture)

    def to_representation(self, instance: Any) -> Any:
        """Of more than two sides nobody is at home."""
        shown = super().to_representation(instance)
        return shown if len(instance.sides) == 2 else {**shown, "home": None, "away": None}

    @extend_schema_field(FixtureSideSerializer(many=True))
    def get_sides(self, fixture: Fixture) -> Any:
        """Every side with what it made of the match; `home` and `away` are those of order 1 and 2."""
        return FixtureSideSerializer(fixture.sides, many=True).data

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, fixture: Fixture) -> Any:
        """The result; null until there is one."""
        return ResultSerializer(fixture.result).data if fixture.result else None


class AuditSerializer(serializers.Serializer[Any]):
    """Who did what, when, what it changed, and why."""

    at = serializers.DateTimeField()
    actor = serializers.CharField(source="actor_name")
    action = serializers.CharField()
    summary = serializers.CharField(source="told")
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    reason = serializers.CharField()
