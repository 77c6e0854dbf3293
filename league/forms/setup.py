"""A competition's set-up in one form, with defaults that work."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import time
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contest.metrics import all_metrics
from league import ports
from league.calendars import Calendar, calendar
from league.errors import LeagueError
from league.models import Club, Competition
from league.moments import zone_name
from league.services.competitions import EARLIEST, LATEST, SCHEDULE, STAKES, TIE_BREAKS, Setup
from league.services.divisions import DivisionPlan

PLAIN, BANDS = "plain", "bands"
TIE_BREAK_PLACES = 6
LEAGUE_POINTS = "league_points"
CALENDAR_FIELDS = ("starts_on", "days_between_rounds", "play_time", "format", "pairs")


class DateInput(forms.DateInput):
    """A day, by the browser's own calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class TimeInput(forms.TimeInput):
    """A time of day, by the browser's own clock."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class SetupFields(forms.Form):
    """What is asked in the same way for every game; only the name has to be given."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    starts_on = forms.DateField(
        label=gettext_lazy("First round"),
        widget=DateInput,
        validators=[
            MinValueValidator(EARLIEST, gettext_lazy("The first round cannot be so far away.")),
            MaxValueValidator(LATEST, gettext_lazy("The first round cannot be so far away.")),
        ],
    )
    days_between_rounds = forms.IntegerField(
        label=gettext_lazy("Days between rounds"),
        initial=7,
        min_value=1,
        max_value=90,
        help_text=gettext_lazy("A round stays open until the day before the next."),
    )
    play_time = forms.TimeField(label=gettext_lazy("Usual time"), initial=time(19, 30), widget=TimeInput)
    place = forms.CharField(label=gettext_lazy("Place"), max_length=200, required=False)
    format = forms.ChoiceField(
        label=gettext_lazy("Format"), choices=Competition.Format.choices, initial="round_robin"
    )
    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        widget=forms.Textarea(attrs={"rows": 3}),
        initial="Division 1",
        max_length=2000,
        help_text=gettext_lazy("One name a line, the highest first."),
    )
    moving = forms.IntegerField(
        label=gettext_lazy("Pairs that go up and down"),
        initial=0,
        min_value=0,
        max_value=20,
        help_text=gettext_lazy("Between neighbouring divisions, at the end. Not used with one division."),
    )
    pairs = forms.CharField(
        label=gettext_lazy("Pairs you expect"),
        initial="8",
        required=False,
        max_length=100,
        help_text=gettext_lazy("Only for the calendar beside: a number for each division, such as 8, 6."),
    )
    scheme = forms.ChoiceField(
        label=gettext_lazy("Points for a match"),
        choices=[
            (PLAIN, gettext_lazy("the same for every win")),
            (BANDS, gettext_lazy("more for a clear win (bands by the margin)")),
        ],
        initial=PLAIN,
    )
    win = forms.CharField(label=gettext_lazy("For a win"), initial="2", max_length=12, required=False)
    draw = forms.CharField(label=gettext_lazy("For a draw"), initial="1", max_length=12, required=False)
    loss = forms.CharField(label=gettext_lazy("For a loss"), initial="0", max_length=12, required=False)
    bands = forms.CharField(
        label=gettext_lazy("Bands"),
        widget=forms.Textarea(attrs={"rows": 4, "placeholder": "1 3 1\n20 4 0"}),
        required=False,
        max_length=2000,
        help_text=gettext_lazy(
            "One band a line, three numbers: from which margin on, points of the winner, points of the loser."
        ),
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who sees it"), choices=Competition.Visibility.choices, initial="public"
    )
    correction_hours = forms.IntegerField(
        label=gettext_lazy("Hours for corrections"),
        initial=48,
        min_value=0,
        max_value=24 * 60,
        help_text=gettext_lazy("After a result is confirmed the pairs may still correct it for so long."),
    )
    season = forms.CharField(
        label=gettext_lazy("Season"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Leave it empty for the season of the first round."),
    )


class SetupForm(SetupFields):
    """Everything that a director decides about a competition, with the options of its game.

    `edited` is the competition that is changed, if it is no new one: what its state no longer allows to change is
    shown, and kept as it is.
    """

    def __init__(
        self, *args: Any, club: Club, edited: Competition | None = None, game: str = "concerto", **kwargs: Any
    ) -> None:
        if edited is not None:
            kwargs["initial"], game = initial_of(edited), edited.game
        super().__init__(*args, **kwargs)
        self.club, self.edited, self.game = club, edited, ports.game(game)
        whose = {"zone": zone_name(club.time_zone)}
        self.fields["play_time"].help_text = (
            _("%(zone)s time, for every match without a date of its own.") % whose
        )
        self._add_tie_breaks()
        for option in self.game.options:
            self.fields[f"rules_{option.name}"] = _option_field(option)
        for name in self._fixed_fields():
            self.fields[name].disabled = True

    def _add_tie_breaks(self) -> None:
        metrics = [
            ("", _("nothing more")),
            *((m.key, _(m.name)) for m in all_metrics() if m.key != LEAGUE_POINTS),
        ]
        defaults = [key for key in TIE_BREAKS if key != LEAGUE_POINTS]
        for place in range(TIE_BREAK_PLACES):
            self.fields[f"tie_break_{place + 1}"] = forms.ChoiceField(
                label=_("Tie-break %(number)d") % {"number": place + 1},
                choices=metrics,
                required=False,
                initial=defaults[place] if place < len(defaults) else "",
            )

    @property
    def fixed(self) -> frozenset[str]:
        """What can no longer change: names of Setup's fields."""
        if self.edited is None:
            return frozenset()
        if self.edited.state != Competition.State.DRAFT:
            return frozenset({*STAKES, "divisions", "season"})
        return frozenset(SCHEDULE if self.edited.rounds.exists() else ())

    @property
    def is_drawn(self) -> bool:
        """Whether there is a calendar already, so that none is planned here."""
        return "starts_on" in self.fixed

    def _fixed_fields(self) -> list[str]:
        """The fields by which people would change what is fixed."""
        fixed = self.fixed
        parts = {
            "points": ("scheme", "win", "draw", "loss", "bands"),
            "divisions": ("divisions", "moving"),
            "tie_breaks": tuple(f"tie_break_{place + 1}" for place in range(TIE_BREAK_PLACES)),
            "rules": tuple(f"rules_{option.name}" for option in self.game.options),
            "game": (),
        }
        return [name for each in fixed for name in parts.get(each, (each,))]

    @property
    def calendar_fields(self) -> list[forms.BoundField]:
        """The fields that the calendar is made of."""
        return [self[name] for name in CALENDAR_FIELDS]

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[name] for name in self.fields if name.startswith("rules_")]

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """The tie-breaks in their order."""
        return [self[name] for name in self.fields if name.startswith("tie_break_")]

    def clean_pairs(self) -> list[int]:
        return _sizes(str(self.cleaned_data["pairs"]))

    def planned(self) -> Calendar | None:
        """The calendar as the form describes it; None while a part of it is not given or makes no sense."""
        values = {name: self.current(name) for name in CALENDAR_FIELDS}
        if None in values.values():
            return None
        pairs = values.pop("pairs")
        sizes = pairs if isinstance(pairs, list) else _sizes(pairs)
        return calendar(Competition(club=self.club, **values), sizes)

    def current(self, name: str) -> Any:
        """What the field holds now: what was sent, or the default; None where what was sent makes no sense."""
        if self.is_bound:
            self.is_valid()  # which fills cleaned_data
            return self.cleaned_data.get(name)
        return self.get_initial_for_field(self.fields[name], name)

    def setup(self) -> Setup:
        """What the form says, as the service takes it; the form must be valid."""
        data = self.cleaned_data
        plain = (
            "name",
            "starts_on",
            "season",
            "format",
            "visibility",
            "days_between_rounds",
            "play_time",
            "place",
        )
        wanted = Setup(
            **{name: data[name] for name in plain},
            correction_hours=data["correction_hours"],
            game=self.game.key,
            divisions=self._divisions(),
            rules=self._rules(),
            points=self._points(),
            tie_breaks=(LEAGUE_POINTS, *self._tie_breaks()),
        )
        return replace(wanted, **self._kept())

    def _kept(self) -> dict[str, Any]:
        """What is fixed, exactly as it is stored: the form's fields may write the same in another way."""
        if self.edited is None or not self.fixed:
            return {}
        kept = {name: getattr(self.edited, name) for name in self.fixed - {"divisions", "season"}}
        if "tie_breaks" in kept:
            kept["tie_breaks"] = tuple(kept["tie_breaks"])
        if "divisions" in self.fixed:
            rows = self.edited.divisions.order_by("level")
            kept["divisions"] = tuple(DivisionPlan(row.name, row.promoted, row.relegated) for row in rows)
        return kept

    def _divisions(self) -> tuple[DivisionPlan, ...]:
        names = [line.strip() for line in self.cleaned_data["divisions"].splitlines() if line.strip()]
        moving = self.cleaned_data["moving"]
        last = len(names) - 1
        return tuple(
            DivisionPlan(name, promoted=moving if level else 0, relegated=moving if level < last else 0)
            for level, name in enumerate(names)
        )

    def _rules(self) -> dict[str, Any]:
        return {option.name: self.cleaned_data[f"rules_{option.name}"] for option in self.game.options}

    def _points(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data["scheme"] == BANDS:
            lines = [line.split() for line in data["bands"].splitlines() if line.strip()]
            return {"draw": data["draw"], "bands": [_band(words) for words in lines]}
        return {name: data[name] for name in ("win", "draw", "loss") if data[name]}

    def _tie_breaks(self) -> list[str]:
        chosen = [self.cleaned_data[f"tie_break_{place + 1}"] for place in range(TIE_BREAK_PLACES)]
        return [key for key in chosen if key]

    def show(self, refusal: LeagueError) -> None:
        """Puts what the service refused beside its field."""
        details = [d for d in refusal.details if isinstance(d, dict)] or [
            {"place": [], "message": refusal.message}
        ]
        for detail in details:
            self.add_error(self._field_of(detail.get("place") or []), str(detail["message"]))

    def _field_of(self, place: list[Any]) -> str | None:
        head, rest = (place[0] if place else None), place[1:]
        named = {
            "rules": f"rules_{rest[0]}" if rest else None,
            "points": str(rest[0]) if rest else "scheme",
            "tie_breaks": f"tie_break_{rest[0]}" if rest and type(rest[0]) is int else "tie_break_1",
        }.get(str(head), head)
        return str(named) if named in self.fields else None


def initial_of(competition: Competition) -> dict[str, Any]:
    """The form's values for a competition that exists."""
    points: Mapping[str, Any] = competition.points
    bands = points.get("bands") or []
    divisions = list(competition.divisions.order_by("level"))
    plain = (
        "name", "starts_on", "days_between_rounds", "play_time", "place", "format", "visibility", "correction_hours",
    )  # fmt: skip
    tie_breaks = [key for key in competition.tie_breaks if key != LEAGUE_POINTS]
    return {
        **{name: getattr(competition, name) for name in plain},
        "season": competition.season.name,
        "divisions": "\n".join(division.name for division in divisions),
        "moving": max((max(d.promoted, d.relegated) for d in divisions), default=0),
        "pairs": ", ".join(str(division.entries.count()) for division in divisions),
        "scheme": BANDS if bands else PLAIN,
        "bands": "\n".join(f"{band['from']} {band['winner']} {band['loser']}" for band in bands),
        **{name: points.get(name, default) for name, default in (("win", "2"), ("draw", "1"), ("loss", "0"))},
        **{
            f"tie_break_{place + 1}": tie_breaks[place] if place < len(tie_breaks) else ""
            for place in range(TIE_BREAK_PLACES)
        },
        **{f"rules_{name}": value for name, value in competition.rules.items()},
    }


def _sizes(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if any(not (word.isascii() and word.isdecimal() and len(word) <= 2) for word in words) or len(words) > 20:
        raise forms.ValidationError(_("Write a number for each division, such as 8, 6."))
    return [int(word) for word in words]


def _band(words: list[str]) -> dict[str, Any]:
    start = int(words[0]) if words[0].isascii() and words[0].isdecimal() and len(words[0]) < 7 else words[0]
    values = dict(zip(("winner", "loser"), words[1:3], strict=False))
    return {"from": start, **values}


def _option_field(option: ports.OptionField) -> forms.Field:
    said: dict[str, Any] = {"label": option.label, "help_text": option.help, "initial": option.default}
    if option.kind == "yes-no":
        return forms.BooleanField(required=False, **said)
    if option.kind == "choice":
        return forms.ChoiceField(choices=option.choices, **said)
    return forms.IntegerField(min_value=option.minimum, max_value=option.maximum, **said)
