"""The forms of an evening: what and when, how a section moves, and who joins or leaves."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.contest.movements import sections as offers
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.sections import Choice, Kind
from games.boards.forms import least_share_field
from games.embargo import FEWEST_BOARDS
from games.models import Duplicate
from games.sessions.queries.movement_words import Terms, consequences, name_of
from games.sessions.sections import Section
from games.sessions.services import EveningPlan
from games.sessions.services.setting_up import LETTERS, MOST_BOARDS_A_ROUND, games_with_boards, usual_game
from league.manage.forms.setup import first_round_limits
from league.manage.queries import manage
from league.models import Club, Competition, Lineup
from league.people import namesakes
from league.web.form_fields import DateInput, TimeInput
from league.web.local_time import zone_name


class EveningForm(forms.Form):
    """What is played, when, and how it is compared."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    starts_on = forms.DateField(label=gettext_lazy("Day"), widget=DateInput, validators=first_round_limits())
    play_time = forms.TimeField(label=gettext_lazy("First round at"), widget=TimeInput)
    place = forms.CharField(
        label=pgettext_lazy("where it is played", "Place"), max_length=200, required=False
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
        initial=4,
        min_value=FEWEST_BOARDS,
        max_value=MOST_BOARDS_A_ROUND,
        help_text=gettext_lazy("How many boards you play before moving on."),
    )
    minutes_a_round = forms.IntegerField(
        label=gettext_lazy("Minutes per round"),
        initial=28,
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
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can see it"),
        choices=Competition.Visibility.choices,
        initial=Competition.Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )

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
    phantom = forms.IntegerField(
        label=gettext_lazy("Number of the missing pair"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Its opponents sit out. Any number will do."),
    )

    def __init__(self, *args: Any, section: Section, terms: Terms, **kwargs: Any) -> None:
        self.section, self.terms = section, terms
        self.offered = {key_of(each): each for each in offers.choices(len(section.entries))}
        now = section.choice
        if now is not None:
            kwargs.setdefault(
                "initial",
                {
                    "kind": key_of(now),
                    "rounds": now.rounds,
                    "arrow_switched": now.arrow_switched,
                    "phantom": now.phantom,
                },
            )
        kwargs["prefix"] = f"section{section.division.pk}"
        super().__init__(*args, **kwargs)
        kinds: Any = self.fields["kind"]
        kinds.choices = [(key, name_of(each)) for key, each in self.offered.items()]
        if len(section.entries) % 2 == 0:
            del self.fields["phantom"]
        if not any(each.kind is Kind.MITCHELL for each in self.offered.values()):
            del self.fields["arrow_switched"]

    def offers(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Each movement that is possible: its key, its name, and what it means as it is offered."""
        return [(key, name_of(each), consequences(each, self.terms)) for key, each in self.offered.items()]

    def choice(self) -> Choice:
        """What the form says; it must be valid. What does not belong to the kind of movement is left out."""
        data = self.cleaned_data
        whole = self.offered[data["kind"]]
        before = self.section.choice
        is_other = before is None or key_of(before) != data["kind"]
        rounds = data["rounds"] or whole.rounds
        # Another movement has another length: one that stood there for the old one is not meant for it.
        if is_other and before is not None and rounds == before.rounds:
            rounds = whole.rounds
        switched = data.get("arrow_switched") or 0
        return Choice(
            kind=whole.kind,
            tables=whole.tables,
            rounds=rounds,
            even=whole.even,
            arrow_switched=switched if whole.kind is Kind.MITCHELL else 0,
            phantom=data.get("phantom") or whole.phantom,
        )


def key_of(choice: Choice) -> str:
    """What names the kind of a movement in a form."""
    if choice.kind is Kind.MITCHELL and choice.even is EvenTables.SHARE_AND_RELAY:
        return "relay"
    return choice.kind.value


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

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pairs: Any = self.fields["lineup"]
        pairs.queryset = manage.free_pairs(competition)
        # By the name that is shown, which no column holds.
        named = namesakes.pair_labels(list(pairs.queryset))
        listed = sorted(named.items(), key=lambda each: each[1].casefold())
        pairs.choices = [("", pairs.empty_label), *listed]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if bool(given.get("lineup")) == bool((given.get("typed") or "").strip()):
            raise forms.ValidationError(_("Please choose a pair, or type the two players’ names."))
        return given


class LeavingForm(forms.Form):
    """Why a pair leaves."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300)
