"""The forms of an evening: what and when, how a section moves, and who joins or leaves."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.contest.movements import sections as offers
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.sections import BAROMETERS, Choice, Kind
from games.boards.forms import least_share_field
from games.comparisons import handicaps
from games.embargo import FEWEST_BOARDS
from games.models import Duplicate
from games.sessions.queries.movement_words import Terms, consequences, name_of
from games.sessions.sections import Section
from games.sessions.services import EveningPlan
from games.sessions.services.setting_up import LETTERS, MOST_BOARDS_A_ROUND, games_with_boards, usual_game
from league.manage.forms.entries import offer_free
from league.manage.forms.setup import first_round_limits
from league.manage.queries import manage
from league.models import Club, Competition, Lineup
from league.people import namesakes
from league.web.form_fields import DateInput, TimeInput
from league.web.local_time import zone_name

#: More than an evening ever has.
MOST_ROUNDS = 99
MOST_LENGTH = 1_500
RELAY = "relay"
USUAL_BOARDS, USUAL_MINUTES, USUAL_ROUNDS = 4, 28, 7


class EveningForm(forms.Form):
    """What is played, when, and how it is compared."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    starts_on = forms.DateField(label=gettext_lazy("Day"), widget=DateInput, validators=first_round_limits())
    play_time = forms.TimeField(label=gettext_lazy("First round at"), widget=TimeInput)
    place = forms.CharField(
        label=pgettext_lazy("where it is played", "Place"), max_length=200, required=False
    )
    partners_change = forms.BooleanField(
        label=gettext_lazy("Partners change every round"),
        required=False,
        help_text=gettext_lazy(
            "Players enter alone, 8, 12 or 16 in a section. Everybody has everybody as a partner once, and gets what "
            "the two made on each board."
        ),
    )
    sections = forms.IntegerField(
        label=gettext_lazy("Sections"),
        initial=1,
        min_value=1,
        max_value=len(LETTERS),
        help_text=gettext_lazy(
            "Each section has its own movement. All play the same boards, so each section needs its "
            "own copy of them."
        ),
    )
    boards_a_round = forms.IntegerField(
        label=gettext_lazy("Boards per round"),
        initial=USUAL_BOARDS,
        min_value=FEWEST_BOARDS,
        max_value=MOST_BOARDS_A_ROUND,
        help_text=gettext_lazy("How many boards you play before moving on."),
    )
    minutes_a_round = forms.IntegerField(
        label=gettext_lazy("Minutes per round"),
        initial=USUAL_MINUTES,
        validators=[MinValueValidator(1), MaxValueValidator(600)],
        help_text=gettext_lazy("Allow about seven minutes per board."),
    )
    method = forms.ChoiceField(
        label=gettext_lazy("How boards are compared"),
        choices=Duplicate.Way.choices,
        initial=Duplicate.Way.MATCHPOINTS,
        widget=forms.RadioSelect,
    )
    measure = forms.ChoiceField(
        label=gettext_lazy("What is compared"),
        choices=Duplicate.Measure.choices,
        initial=Duplicate.Measure.DIFFERENCE,
        widget=forms.RadioSelect,
    )
    tops = forms.ChoiceField(
        label=gettext_lazy("Top on a board (matchpoints)"),
        choices=Duplicate.Tops.choices,
        initial=Duplicate.Tops.SAME,
        required=False,
        widget=forms.RadioSelect,
    )
    least_share = least_share_field(required=False)
    handicap = forms.IntegerField(
        label=handicaps.LABEL,
        help_text=handicaps.HELP,
        initial=0,
        min_value=0,
        max_value=100,
        required=False,
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can see it"),
        choices=Competition.Visibility.choices,
        initial=Competition.Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )

    def clean_handicap(self) -> int:
        """Nothing is without."""
        return self.cleaned_data["handicap"] or 0

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games: Any = self.fields["game"]
        games.choices = games_with_boards().items()
        games.initial = usual_game(club)
        if len(games.choices) == 1:
            games.widget = forms.HiddenInput()
        self.fields["play_time"].help_text = _("%(zone)s time") % {"zone": zone_name(club.time_zone)}

    def plan(self) -> EveningPlan:
        """What the form says; it must be valid. What it leaves out is as usual."""
        return EveningPlan(
            **{name: value for name, value in self.cleaned_data.items() if value not in {None, ""}}
        )


class MovementForm(forms.Form):
    """How a section moves: one of what is possible for its pairs, and how it is cut."""

    kind = forms.ChoiceField(label=gettext_lazy("Movement"), widget=forms.RadioSelect)
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Leave this empty to play them all."),
    )
    arrow_switched = forms.IntegerField(
        label=gettext_lazy("Rounds with an arrow switch"),
        min_value=0,
        required=False,
        help_text=gettext_lazy(
            "Only for a Mitchell, to get a single winner. The usual number is one round in eight."
        ),
    )
    barometer = forms.BooleanField(
        label=gettext_lazy("Barometer"),
        required=False,
        help_text=gettext_lazy(
            "Only for a Mitchell or a Howell: all tables play the same boards in each round, so there are "
            "results after every round. Each table needs its own copy of the boards."
        ),
    )
    phantom = forms.IntegerField(
        label=gettext_lazy("Number of the missing pair"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Its opponents sit out. Any number will do."),
    )

    def __init__(
        self, *args: Any, section: Section, terms: Terms, length: int | None = None, **kwargs: Any
    ) -> None:
        self.section, self.terms = section, terms
        self.pairs = len(section.entries)
        of_players = section.of_players
        found = () if length is None else offers.ways(self.pairs, length, of_players=of_players)
        self.is_too_long = length is not None and not found
        if not found:
            found, length = offers.choices(self.pairs, of_players=of_players), None
        self.length = length
        self.offered = {key_of(each): each for each in found}
        now = section.choice
        if length is not None and now is not None and found:
            now = self.offered.get(key_of(now), found[0]).cut(length)
        if now is not None:
            kwargs.setdefault(
                "initial",
                {
                    "kind": key_of(now),
                    "rounds": now.rounds,
                    "arrow_switched": now.arrow_switched,
                    "phantom": now.phantom,
                    "barometer": now.barometer,
                },
            )
        kwargs["prefix"] = f"section{section.division.pk}"
        super().__init__(*args, **kwargs)
        kinds: Any = self.fields["kind"]
        kinds.choices = [(key, name_of(each)) for key, each in self.offered.items()]
        if len(section.entries) % 2 == 0 or of_players:
            del self.fields["phantom"]
        if not any(each.kind is Kind.MITCHELL for each in self.offered.values()):
            del self.fields["arrow_switched"]
        if not any(each.kind in BAROMETERS for each in self.offered.values()):
            del self.fields["barometer"]

    def offers(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Each movement that is possible: its key, its name, and what it means as it is offered."""
        return [(key, name_of(each), consequences(each, self.terms)) for key, each in self.offered.items()]

    def choice(self) -> Choice:
        """What the form says; it must be valid. What does not belong to the kind of movement is left out."""
        data = self.cleaned_data
        offered = self.offered[data["kind"]]
        possible = offers.choices(self.pairs, of_players=self.section.of_players)
        whole = next(each for each in possible if key_of(each) == data["kind"])
        before = self.section.choice
        is_other = before is None or key_of(before) != data["kind"]
        rounds = data["rounds"] or offered.rounds
        # Another movement has another length: one that stood there for the old one is not meant for it.
        if self.length is None and is_other and before is not None and rounds == before.rounds:
            rounds = whole.rounds
        switched = data.get("arrow_switched") or 0
        return Choice(
            kind=whole.kind,
            tables=whole.tables,
            rounds=rounds,
            even=whole.even,
            arrow_switched=switched if whole.kind is Kind.MITCHELL else 0,
            phantom=(data.get("phantom") or whole.phantom) if whole.phantom else None,
            length=whole.length,
            barometer=bool(data.get("barometer")) and whole.kind in BAROMETERS,
        )


def key_of(choice: Choice) -> str:
    """What names the kind of a movement in a form."""
    if choice.kind is Kind.MITCHELL and choice.even is EvenTables.SHARE_AND_RELAY:
        return RELAY
    return f"{choice.kind.value}-{choice.length}" if choice.length else choice.kind.value


class LengthForm(forms.Form):
    """How long a section is to play: rounds, boards or minutes. The shortest of what is given counts."""

    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"), min_value=1, max_value=MOST_ROUNDS, required=False
    )
    boards = forms.IntegerField(
        label=gettext_lazy("Boards per pair"), min_value=1, max_value=MOST_LENGTH, required=False
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes altogether"), min_value=1, max_value=MOST_LENGTH, required=False
    )

    def wanted(self, *, boards_a_round: int, minutes_a_round: int) -> int | None:
        """How many rounds that is, one at least; None where nothing is said."""
        if not self.is_valid():
            return None
        return rounds_wanted(
            self.cleaned_data, boards_a_round=boards_a_round, minutes_a_round=minutes_a_round
        )


def rounds_wanted(
    given: Mapping[str, int | None], *, boards_a_round: int, minutes_a_round: int
) -> int | None:
    """How many rounds fit into the `rounds`, `boards` and `minutes` that are given, one at least; None for none."""
    whole = {"rounds": 1, "boards": boards_a_round, "minutes": minutes_a_round}
    said = [length // part for name, part in whole.items() if (length := given.get(name)) is not None]
    return max(1, min(said)) if said else None


class WaysForm(LengthForm):
    """For how many pairs and how long an evening is planned, before any pair is entered."""

    pairs = forms.IntegerField(
        label=gettext_lazy("Pairs, or players"), min_value=offers.FEWEST_PAIRS, max_value=offers.MOST_PAIRS
    )
    partners_change = forms.BooleanField(
        label=gettext_lazy("Players whose partners change every round"), required=False
    )
    boards_a_round = forms.IntegerField(
        label=gettext_lazy("Boards per round"),
        initial=USUAL_BOARDS,
        min_value=FEWEST_BOARDS,
        max_value=MOST_BOARDS_A_ROUND,
    )
    minutes_a_round = forms.IntegerField(
        label=gettext_lazy("Minutes per round"), initial=USUAL_MINUTES, min_value=1, max_value=600
    )
    field_order = ("pairs", "boards_a_round", "minutes_a_round", "rounds", "boards", "minutes")


class JoiningForm(forms.Form):
    """Which pair joins or stands in: one of the club's, or one that is typed."""

    lineup = forms.ModelChoiceField(
        label=gettext_lazy("Pair of the club"),
        queryset=Lineup.objects.none(),
        empty_label=gettext_lazy("Choose a pair"),
        required=False,
    )
    typed = forms.CharField(
        label=gettext_lazy("Or type the two players’ names"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": gettext_lazy("Anna Berg & Carl Dorn")}),
    )
    is_house = forms.BooleanField(
        label=gettext_lazy("Plays for the house"),
        required=False,
        help_text=gettext_lazy(
            "So that nobody sits out: for the others it counts, without a place of their own."
        ),
    )

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pairs: Any = self.fields["lineup"]
        if competition.is_of_individuals:
            self._ask_for_player(competition)
            return
        del self.fields["is_house"]
        pairs.queryset = manage.free_pairs(competition)
        # By the name that is shown, which no column holds.
        named = namesakes.pair_labels(list(pairs.queryset))
        listed = sorted(named.items(), key=lambda each: each[1].casefold())
        pairs.choices = [("", pairs.empty_label), *listed]

    def _ask_for_player(self, competition: Competition) -> None:
        player: Any = self.fields["lineup"]
        player.label, player.empty_label = _("Player of the club"), _("Choose a player")
        offer_free(self, "lineup", competition)
        self.fields["typed"].label = _("Or type the player’s name")
        self.fields["typed"].widget.attrs["placeholder"] = _("Anna Berg")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if bool(given.get("lineup")) == bool((given.get("typed") or "").strip()):
            raise forms.ValidationError(
                _("Please choose a player, or type a name.")
                if "is_house" in self.fields
                else _("Please choose a pair, or type the two players’ names.")
            )
        return given


class LeavingForm(forms.Form):
    """Why a pair leaves."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300)
