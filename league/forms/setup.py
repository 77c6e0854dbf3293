"""A competition's set-up in one form, with defaults that work."""

from collections.abc import Mapping
from datetime import time
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contest.metrics import all_metrics
from league import ports
from league.errors import LeagueError
from league.models import Competition
from league.services.competitions import TIE_BREAKS, Setup
from league.services.divisions import DivisionPlan

PLAIN, BANDS = "plain", "bands"
TIE_BREAK_PLACES = 6
LEAGUE_POINTS = "league_points"


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


class SetupForm(forms.Form):
    """Everything that a director decides about a competition; only the name and the first day have to be given."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    starts_on = forms.DateField(label=gettext_lazy("First round"), widget=DateInput)
    days_between_rounds = forms.IntegerField(
        label=gettext_lazy("Days between rounds"), initial=7, min_value=1, max_value=90
    )
    play_time = forms.TimeField(label=gettext_lazy("Usual time"), initial=time(19, 30), widget=TimeInput)
    place = forms.CharField(label=gettext_lazy("Place"), max_length=200, required=False)
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=Competition.Format.choices)
    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        widget=forms.Textarea(attrs={"rows": 3}),
        initial="Division 1",
        max_length=2000,
        help_text=gettext_lazy("One name a line, the highest first."),
    )
    moving = forms.IntegerField(
        label=gettext_lazy("Pairs that move up and down"),
        initial=0,
        min_value=0,
        max_value=20,
        help_text=gettext_lazy("Between neighbouring divisions at the end. Not used with one division."),
    )
    pairs = forms.CharField(
        label=gettext_lazy("Pairs you expect"),
        initial="8",
        required=False,
        max_length=100,
        help_text=gettext_lazy("For the preview of the calendar: a number for each division, such as 8, 6."),
    )
    scheme = forms.ChoiceField(
        label=gettext_lazy("Points for a match"),
        choices=[
            (PLAIN, gettext_lazy("the same for every win")),
            (BANDS, gettext_lazy("more for a clear win (bands by the margin)")),
        ],
        initial=PLAIN,
    )
    win = forms.CharField(label=gettext_lazy("Win"), initial="2", max_length=12, required=False)
    draw = forms.CharField(label=gettext_lazy("Draw"), initial="1", max_length=12, required=False)
    loss = forms.CharField(label=gettext_lazy("Loss"), initial="0", max_length=12, required=False)
    bands = forms.CharField(
        label=gettext_lazy("Bands"),
        widget=forms.Textarea(attrs={"rows": 4, "placeholder": "1 3 1\n20 4 0"}),
        required=False,
        max_length=2000,
        help_text=gettext_lazy(
            "One band a line: from which margin of the score, points of the winner, points of the loser."
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

    def __init__(self, *args: Any, game: str = "concerto", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = ports.game(game)
        metrics = [("", "–"), *((m.key, _(m.name)) for m in all_metrics() if m.key != LEAGUE_POINTS)]
        defaults = [key for key in TIE_BREAKS if key != LEAGUE_POINTS]
        for place in range(TIE_BREAK_PLACES):
            self.fields[f"tie_break_{place + 1}"] = forms.ChoiceField(
                label=_("Tie-break %(number)d") % {"number": place + 1},
                choices=metrics,
                required=False,
                initial=defaults[place] if place < len(defaults) else "",
            )
        for option in self.game.options:
            self.fields[f"rules_{option.name}"] = _option_field(option)

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[name] for name in self.fields if name.startswith("rules_")]

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """The tie-breaks in their order."""
        return [self[name] for name in self.fields if name.startswith("tie_break_")]

    def clean_pairs(self) -> list[int]:
        words = str(self.cleaned_data["pairs"]).replace(",", " ").split()
        if any(not word.isdecimal() or not 0 <= len(word) <= 2 for word in words) or len(words) > 20:
            raise forms.ValidationError(_("Write a number for each division, such as 8, 6."))
        return [int(word) for word in words]

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
        return Setup(
            **{name: data[name] for name in plain},
            correction_hours=data["correction_hours"],
            game=self.game.key,
            divisions=self._divisions(),
            rules=self._rules(),
            points=self._points(),
            tie_breaks=(LEAGUE_POINTS, *self._tie_breaks()),
        )

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


def _band(words: list[str]) -> dict[str, Any]:
    start = int(words[0]) if words[0].isdecimal() and len(words[0]) < 7 else words[0]
    values = dict(zip(("winner", "loser"), words[1:3], strict=False))
    return {"from": start, **values}


def _option_field(option: ports.OptionField) -> forms.Field:
    said: dict[str, Any] = {"label": option.label, "help_text": option.help, "initial": option.default}
    if option.kind == "yes-no":
        return forms.BooleanField(required=False, **said)
    if option.kind == "choice":
        return forms.ChoiceField(choices=option.choices, **said)
    return forms.IntegerField(min_value=option.minimum, max_value=option.maximum, **said)
