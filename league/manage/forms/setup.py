"""The steps of setting up a season, a small form each, with defaults that work."""

import math
from collections.abc import Iterable, Sequence
from datetime import time
from itertools import pairwise
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.contest import knockout
from league import extension, formats
from league.competitions.levels import by_level
from league.competitions.services.competitions import EARLIEST, LATEST, usual_game
from league.competitions.services.divisions import DivisionPlan
from league.errors import LeagueError
from league.models import Club, Competition
from league.models.competitions import (
    IMP_SCALES,
    LEAST_SILENCE,
    MOST_SILENCE,
    USUAL_IMP_SCALE,
    USUAL_SILENCE,
)
from league.web.form_fields import DateInput, ListWithDefault, TimeInput, option_field
from league.web.local_time import zone_name

TeamMethod = Competition.TeamMethod
LADDER_FIELDS = {
    "reach": (
        gettext_lazy("Places up"),
        gettext_lazy("How far up you may challenge; who is away isn’t counted."),
    ),
    "answer_days": (
        gettext_lazy("Days to answer"),
        gettext_lazy("Without an answer the challenger takes the place."),
    ),
    "play_days": (
        gettext_lazy("Days to play"),
        gettext_lazy("From the answer. After that the challenge lapses, and nothing moves."),
    ),
    "rematch_days": (
        gettext_lazy("Days before a rematch"),
        gettext_lazy("How long the same two wait after a match."),
    ),
    "idle_days": (
        gettext_lazy("Days without a challenge that cost a place"),
        gettext_lazy("With 0 nobody drops for not playing."),
    ),
}


class WeekdaysField(forms.TypedMultipleChoiceField):
    """Some days of the week; Monday is 0."""

    def __init__(self, **fields: Any) -> None:
        widget = forms.CheckboxSelectMultiple
        super().__init__(coerce=int, choices=list(WEEKDAYS.items()), widget=widget, **fields)


def first_round_limits() -> list[Any]:
    """Checks that a day is not absurdly far away."""
    said = gettext_lazy("The first round is too far in the future.")
    return [MinValueValidator(EARLIEST, said), MaxValueValidator(LATEST, said)]


TIMES_OFF = 2
RHYTHMS = {
    7: gettext_lazy("every week"),
    14: gettext_lazy("every two weeks"),
    21: gettext_lazy("every three weeks"),
    28: gettext_lazy("every four weeks"),
    1: gettext_lazy("every day"),
}


class StepForm(forms.Form):
    """A part of what a competition is set up as; `changes` gives it as fields of services.competitions.Setup."""

    def __init__(self, *args: Any, club: Club, competition: Competition | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("initial", self.initial_of(competition) if competition else {})
        super().__init__(*args, **kwargs)
        self.club, self.competition = club, competition

    def initial_of(self, competition: Competition) -> dict[str, Any]:
        """What stands in the fields of a competition that exists."""
        return {name: getattr(competition, name) for name in self.base_fields if hasattr(competition, name)}

    def changes(self) -> dict[str, Any]:
        """What the form says; it must be valid."""
        return dict(self.cleaned_data)

    def current(self, name: str) -> Any:
        """What the field holds now: what was sent, or the default; None where what was sent makes no sense."""
        if self.is_bound:
            self.is_valid()  # which fills cleaned_data
            return self.cleaned_data.get(name)
        return self.get_initial_for_field(self.fields[name], name)

    def field_of(self, place: list[Any]) -> str | None:
        """The form's field for a place in the set-up that the service has refused."""
        return str(place[0]) if place else None

    def show(self, refusal: LeagueError) -> None:
        """Puts what the service refused beside its field."""
        details = [each for each in refusal.details if isinstance(each, dict)]
        for detail in details or [{"place": [], "message": refusal.message}]:
            name = self.field_of(detail.get("place") or [])
            self.add_error(name if name in self.fields else None, str(detail["message"]))


class NumberWithDefault(forms.IntegerField):
    """A number that keeps its default where nothing is sent of it."""

    def clean(self, value: Any) -> Any:
        return super().clean(self.initial if value in self.empty_values else value)


def typed_sheets_field() -> ListWithDefault:
    """When a sheet counts that an official typed."""
    return ListWithDefault(
        label=gettext_lazy("When a scoresheet typed by an official counts"),
        choices=Competition.TypedSheets.choices,
        # Too long for a list that is folded up on a phone.
        widget=forms.RadioSelect,
        initial="automatic",
        help_text=gettext_lazy(
            "This is for sheets typed in from the paper. In an official’s own match, signatures "
            "are never enough."
        ),
    )


def silence_days_field() -> NumberWithDefault:
    """For how long the sides say nothing."""
    return NumberWithDefault(
        label=gettext_lazy("Days of silence"),
        initial=USUAL_SILENCE,
        min_value=LEAST_SILENCE,
        max_value=MOST_SILENCE,
        help_text=gettext_lazy("Only where silence counts. The days begin when all sides have been told."),
    )


class CompetitionForm(StepForm):
    """Step 1: what is played, by which rules, and who sees it."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    rules_of = forms.CharField(required=False, widget=forms.HiddenInput)
    format = forms.ChoiceField(
        label=gettext_lazy("Who meets whom"),
        choices=formats.LEAGUE_CHOICES,
        initial="round_robin",
        widget=forms.RadioSelect,
    )
    planned_rounds = NumberWithDefault(
        label=gettext_lazy("Number of rounds"),
        initial=0,
        required=False,
        min_value=0,
        max_value=formats.MOST_ROUNDS,
        help_text=gettext_lazy(
            "Only for a Swiss or for tables. With 0 there are as many as we advise: of a Swiss 4 for 8 entries, "
            "5 for 16, 6 for 32, 7 for 64; of tables 4."
        ),
    )
    terms_repeats = NumberWithDefault(
        label=gettext_lazy("Last rounds with repeats"),
        initial=0,
        required=False,
        min_value=0,
        max_value=formats.MOST_ROUNDS,
        help_text=gettext_lazy(
            "In this many rounds at the end, opponents with close scores may meet again, but not twice in a row."
        ),
    )
    terms_one_behind = forms.BooleanField(
        label=gettext_lazy("Draw one round ahead"),
        required=False,
        help_text=gettext_lazy(
            "A round is drawn before the results of the round before it are in. Nobody waits, but the opponents’ "
            "scores are a round old."
        ),
    )
    terms_placed = NumberWithDefault(
        label=gettext_lazy("Seeds that keep their places"),
        initial=0,
        required=False,
        min_value=0,
        max_value=formats.ALL_ROUND_TERMS[formats.PLACED],
        help_text=gettext_lazy(
            "For a draw by lot: the first 2, 4 or 8 entries stand where their numbers put them, and the lot decides "
            "about the others. With 0 it decides about all."
        ),
    )
    terms_legs = forms.TypedChoiceField(
        label=gettext_lazy("Legs of a tie"),
        choices=[(each, str(each)) for each in knockout.LEGS],
        coerce=int,
        initial=1,
        required=False,
        help_text=gettext_lazy(
            "How many matches two sides play against each other. Each leg is a round with its own date. Of 3 or 5, a "
            "leg that is no longer needed isn’t played."
        ),
    )
    terms_aggregate = forms.BooleanField(
        label=gettext_lazy("Add up the points of all legs"),
        required=False,
        help_text=gettext_lazy(
            "The higher sum goes on, instead of the side that wins more legs. With 2 legs the points are always "
            "added up."
        ),
    )
    terms_third_place = forms.BooleanField(
        label=gettext_lazy("Match for place 3"),
        required=False,
        help_text=gettext_lazy("The losers of the semi-finals meet while the final is played."),
    )
    team_method = ListWithDefault(
        label=gettext_lazy("Teams of four"),
        choices=[
            ("", gettext_lazy("no, everyone plays for themselves or with a partner")),
            *TeamMethod.choices,
        ],
        widget=forms.RadioSelect,
        initial="",
        required=False,
        help_text=gettext_lazy(
            "Two pairs of each team play the same boards in two rooms, in opposite directions. A team has four to "
            "six players. Choose how a match is scored."
        ),
    )
    imp_scale = forms.TypedChoiceField(
        label=gettext_lazy("A point counts on the IMP scale as"),
        choices=IMP_SCALES,
        coerce=int,
        initial=USUAL_IMP_SCALE,
        required=False,
        help_text=gettext_lazy("Only for teams with IMPs. With 10, a good board decides more; with 5, less."),
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can see it"),
        choices=Competition.Visibility.choices,
        initial="public",
        widget=forms.RadioSelect,
    )
    correction_hours = forms.IntegerField(
        label=gettext_lazy("Hours for corrections"),
        initial=48,
        min_value=0,
        max_value=24 * 60,
        help_text=gettext_lazy("How long a result can still be corrected after it is confirmed."),
    )
    typed_sheets = typed_sheets_field()
    silence_days = silence_days_field()
    season = forms.CharField(
        label=gettext_lazy("Season"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Leave this empty to use the season of the first round."),
    )

    def __init__(
        self, *args: Any, competition: Competition | None = None, game: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, competition=competition, **kwargs)
        wanted = game if game in extension.layer().games else usual_game(self.club)
        self.port = self._chosen(competition.game if competition else wanted)
        if competition is None:
            self.initial = {**self.initial, **self.port.preset}
        self.fields["game"].choices = [(key, each.name) for key, each in extension.layer().games.items()]  # type: ignore[attr-defined]
        self.initial = {**self.initial, "game": self.port.key, "rules_of": self.port.key}
        if len(extension.layer().games) == 1:
            self.fields["game"].widget = forms.HiddenInput()
        terms = competition.ladder if competition else {}
        for name, (label, help_text) in LADDER_FIELDS.items():
            usual, most = formats.TERMS[name]
            self.fields[f"ladder_{name}"] = NumberWithDefault(
                label=label,
                help_text=help_text,
                initial=terms.get(name, usual),
                required=False,
                min_value=1 if name == "reach" else 0,
                max_value=most,
            )
        if not self.port.has_boards_for_pairs:
            for name in ("team_method", "imp_scale"):
                self.fields[name].widget = forms.HiddenInput()
                self.initial[name] = self.fields[name].initial
        self.options = [option for option in self.port.options if not option.is_set_elsewhere]
        for option in self.options:
            self.fields[f"rules_{option.name}"] = option_field(option)
        parts = [part for part in extension.layer().setup_parts if part.suits(self.port)]
        self.parts = [(part, [option.name for option in part.options]) for part in parts]
        for part, _names in self.parts:
            for option in part.options:
                self.fields[f"{part.key}_{option.name}"] = option_field(option, is_required=False)

    def _chosen(self, before: str) -> extension.GamePort:
        """The game whose rules the form asks for. Those of another that stood there when it was chosen go."""
        wanted = extension.layer().games.get(self.data.get("game") or before) or extension.game(before)
        self.is_other_game = self.is_bound and self.data.get("rules_of", wanted.key) != wanted.key
        if self.is_other_game:
            usual = {**{f"rules_{option.name}": option.default for option in wanted.options}, **wanted.preset}
            sent = {name: value for name, value in self.data.items() if not name.startswith("rules_")}
            self.data = {**sent, **usual, "rules_of": wanted.key}
        return wanted

    def clean(self) -> dict[str, Any]:
        """With another game its rules are shown before anything is kept."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if self.is_other_game:
            said = _("These are the rules of %(game)s. Check them, then save.")
            self.add_error("game", said % {"game": self.port.name})
        return data

    def initial_of(self, competition: Competition) -> dict[str, Any]:
        rules = {f"rules_{name}": value for name, value in competition.rules.items()}
        extra = {
            f"{part.key}_{name}": value
            for part in extension.layer().setup_parts
            for name, value in part.read(competition).items()
        }
        terms = {f"terms_{name}": value for name, value in competition.terms.items()}
        if formats.LEGS in competition.terms:
            terms["terms_legs"] = formats.legs_of(competition.stage.options)
        own = {"season": competition.season.name, **rules, **extra, **terms}
        return {**super().initial_of(competition), **own}

    @property
    def part_fields(self) -> list[tuple[extension.Text, list[forms.BoundField]]]:
        """The fields of each part that a game adds, under its title."""
        return [
            (part.title, [self[f"{part.key}_{name}"] for name in names])
            for part, names in self.parts
            if names
        ]

    @property
    def ladder_fields(self) -> list[forms.BoundField]:
        """The terms of a ladder."""
        return [self[f"ladder_{name}"] for name in LADDER_FIELDS]

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[f"rules_{option.name}"] for option in self.options]

    def changes(self) -> dict[str, Any]:
        data = self.cleaned_data
        terms = {name: data[f"terms_{name}"] for name in formats.ALL_ROUND_TERMS}
        terms[formats.LEGS] = terms[formats.LEGS] or 0
        elsewhere = {"rules_of", *(f"terms_{name}" for name in terms)}
        plain = {name: data[name] for name in self.base_fields if name not in elsewhere}
        rules = {option.name: data[f"rules_{option.name}"] for option in self.options}
        extra = {part.key: {name: data[f"{part.key}_{name}"] for name in names} for part, names in self.parts}
        ladder = {name: data[f"ladder_{name}"] for name in LADDER_FIELDS}
        plain["imp_scale"] = data["imp_scale"] or USUAL_IMP_SCALE
        return {
            **plain,
            "game": self.port.key,
            "rules": rules,
            "extra": extra,
            "terms": terms,
            "ladder": ladder,
        }

    def field_of(self, place: list[Any]) -> str | None:
        if place[:1] == ["rules"]:
            return f"rules_{place[1]}" if place[1:] else None
        if place[:1] in (["ladder"], ["terms"]):
            return f"{place[0]}_{place[1]}" if place[1:] else None
        if place[:1] == ["extra"]:
            return f"{place[1]}_{place[2]}" if place[2:] else None
        return super().field_of(place)


class PublishedForm(StepForm):
    """What still changes when the pairs play by it."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    place = forms.CharField(
        label=pgettext_lazy("where it is played", "Place"), max_length=200, required=False
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can see it"), choices=Competition.Visibility.choices
    )
    correction_hours = forms.IntegerField(
        label=gettext_lazy("Hours for corrections"), min_value=0, max_value=24 * 60
    )
    typed_sheets = typed_sheets_field()
    silence_days = silence_days_field()


class DivisionsForm(StepForm):
    """Step 3: the divisions by name, level by level, and how many go up and down between them."""

    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        widget=forms.Textarea(attrs={"rows": 3}),
        initial="Division 1",
        max_length=4000,
        help_text=gettext_lazy(
            "One name per line, the highest first. Divisions of equal strength go on one line, with a semicolon "
            "between: Second A; Second B."
        ),
    )
    moving = forms.IntegerField(
        label=gettext_lazy("Promotion and relegation"),
        initial=0,
        min_value=0,
        max_value=20,
        help_text=gettext_lazy(
            "How many go up and how many go down between neighbouring divisions at the end. Where one is above "
            "two, that many go up from each of the two, and twice as many come down."
        ),
    )

    def initial_of(self, competition: Competition) -> dict[str, Any]:
        rows = list(competition.stage.divisions.order_by("level"))
        levels = by_level(rows)
        moving = [
            max(upper[0].relegated // _share(upper, lower), lower[0].promoted // _share(lower, upper))
            for upper, lower in pairwise(levels)
        ]
        return {
            "divisions": "\n".join("; ".join(row.name for row in level) for level in levels),
            "moving": max(moving, default=0),
        }

    def changes(self) -> dict[str, Any]:
        lines = [
            [name.strip() for name in line.split(";") if name.strip()]
            for line in self.cleaned_data["divisions"].splitlines()
        ]
        levels = [line for line in lines if line]
        moving = self.cleaned_data["moving"]
        plans = tuple(
            DivisionPlan(
                name,
                promoted=moving * _share(level, above) if above else 0,
                relegated=moving * _share(level, below) if below else 0,
                is_parallel=place > 0,
            )
            for above, level, below in zip([[], *levels], levels, [*levels[1:], []], strict=False)
            for place, name in enumerate(level)
        )
        return {"divisions": plans}


def _share(level: Sequence[object], beside: Sequence[object]) -> int:
    """How many change from each division of a level, at least, so that as many go up as go down."""
    return math.lcm(len(level), len(beside)) // len(level)


class CalendarForm(StepForm):
    """Step 4: when the rounds are played, until when their results are due, and when none is."""

    starts_on = forms.DateField(
        label=gettext_lazy("First round"), widget=DateInput, validators=first_round_limits()
    )
    days_between_rounds = forms.TypedChoiceField(
        label=gettext_lazy("How often"), coerce=int, choices=list(RHYTHMS.items()), initial=7
    )
    weekdays = WeekdaysField(
        label=gettext_lazy("Weekdays"),
        required=False,
        help_text=gettext_lazy(
            "Tick none to use the weekday of the first round. Tick several for several rounds a week."
        ),
    )
    play_time = forms.TimeField(label=gettext_lazy("Usual time"), initial=time(19, 30), widget=TimeInput)
    place = forms.CharField(
        label=pgettext_lazy("where it is played", "Place"), max_length=200, required=False
    )
    due_days = forms.IntegerField(
        label=gettext_lazy("Days to play a round"),
        required=False,
        min_value=0,
        max_value=90,
        help_text=gettext_lazy(
            "If you leave this empty, each round stays open until the day before the next one."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        whose = {"zone": zone_name(self.club.time_zone)}
        self.fields["play_time"].help_text = (
            _("%(zone)s time, for every match without a date of its own.") % whose
        )
        self._keep_the_rhythm()
        self.times_off = max(TIMES_OFF, len(self.competition.days_off) + 1 if self.competition else 0)
        for number in range(1, self.times_off + 1):
            for end, label in (("first", _("No rounds from")), ("last", _("until"))):
                self.fields[f"off_{number}_{end}"] = forms.DateField(
                    label=label, widget=DateInput, required=False, validators=first_round_limits()
                )

    def _keep_the_rhythm(self) -> None:
        """A number of days that isn't among the usual ones stays a choice."""
        days = self.competition.days_between_rounds if self.competition else 7
        if days not in RHYTHMS:
            said = _("every %(days)d days") % {"days": days}
            self.fields["days_between_rounds"].choices = [*RHYTHMS.items(), (days, said)]  # type: ignore[attr-defined]

    def initial_of(self, competition: Competition) -> dict[str, Any]:
        off = {
            f"off_{number}_{end}": day
            for number, both in enumerate(competition.days_off, start=1)
            for end, day in zip(("first", "last"), both, strict=True)
        }
        return {**super().initial_of(competition), "due_days": competition.due_days or None, **off}

    def off_rows(self) -> Iterable[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each time off."""
        for number in range(1, self.times_off + 1):
            yield self[f"off_{number}_first"], self[f"off_{number}_last"]

    def changes(self) -> dict[str, Any]:
        data = self.cleaned_data
        off = []
        for number in range(1, self.times_off + 1):
            first, last = data.get(f"off_{number}_first"), data.get(f"off_{number}_last")
            if first or last:
                off.append((first or last, last or first))
        plain = {name: data[name] for name in ("starts_on", "days_between_rounds", "play_time", "place")}
        weekdays = tuple(data["weekdays"])
        return {**plain, "weekdays": weekdays, "due_days": data["due_days"] or 0, "days_off": tuple(off)}

    def field_of(self, place: list[Any]) -> str | None:
        return "off_1_first" if place[:1] == ["days_off"] else super().field_of(place)
