"""Step 5 of setting up a season: what a match is worth, and what decides among level pairs."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contest import exact
from engine.contest.points.parsing import USUAL_STAKE
from engine.contest.standings.tie_breaks import all_metrics
from league import extension
from league.competitions.services.competitions import TIE_BREAKS, TIE_BREAKS_AT_TABLES
from league.manage.forms.setup import StepForm
from league.models import Club, Competition

PLAIN, BANDS = "plain", "bands"
RANK, PLACES, SCALE, SHARE, FRIENDLY = "rank", "places", "scale", "share", "friendly"
FOR_TWO = [
    (PLAIN, gettext_lazy("the same for every win")),
    (BANDS, gettext_lazy("more for a clear win (bands by the margin)")),
    (FRIENDLY, gettext_lazy("none: the matches are friendly")),
]
FOR_TABLES = [
    (RANK, gettext_lazy("2 points for everyone who finishes behind you")),
    (PLACES, gettext_lazy("a number of points for each place")),
    (SCALE, gettext_lazy("the same for first place at tables of every size")),
    (SHARE, gettext_lazy("your share of all points scored at the table")),
    (FRIENDLY, gettext_lazy("none: the matches are friendly")),
]
TIE_BREAK_PLACES = 6
LEAGUE_POINTS = "league_points"
USUAL = {"win": "2", "draw": "1", "loss": "0"}


class PointsForm(StepForm):
    """League points always come first; the tie-breaks follow in their order."""

    scheme = forms.ChoiceField(
        label=gettext_lazy("Points for a match"),
        choices=FOR_TWO,
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
            "One band per line, with three numbers: the smallest margin, points for the winners, "
            "points for the losers."
        ),
    )

    places = forms.CharField(
        label=gettext_lazy("Points for first place, second place …"),
        initial="5 3 1 0",
        max_length=300,
        required=False,
        help_text=gettext_lazy("In a tie, the points of the places are shared."),
    )
    first = forms.CharField(
        label=gettext_lazy("Points for first place"),
        initial="1",
        max_length=12,
        required=False,
        help_text=gettext_lazy("Last place gets nothing; the others are spaced evenly between."),
    )
    stake = forms.CharField(
        label=gettext_lazy("Points for each table"),
        initial=str(USUAL_STAKE),
        max_length=12,
        required=False,
        help_text=gettext_lazy(
            "They are shared out in proportion to the scores. A score below 0 counts as 0."
        ),
    )

    missed = forms.CharField(
        label=gettext_lazy("For a round before a late entry came"),
        initial="0",
        max_length=12,
        required=False,
        help_text=gettext_lazy("What a late entry gets for it: nothing, or at most what a draw is worth."),
    )

    def __init__(self, *args: Any, club: Club, competition: Competition | None = None, **kwargs: Any) -> None:
        self.port = extension.game(competition.game if competition else extension.first_game())
        self.is_of_teams = competition is not None and competition.is_of_teams
        super().__init__(*args, club=club, competition=competition, **kwargs)
        usual = TIE_BREAKS
        if competition is None or not competition.stage.is_swiss or self.is_of_teams:
            del self.fields["missed"]
        if not self.port.is_for_two:
            self.fields["scheme"].choices = FOR_TABLES  # type: ignore[attr-defined]
            self.fields["scheme"].initial = RANK
            usual = TIE_BREAKS_AT_TABLES
        metrics = [
            ("", _("no further tie-break")),
            *(
                (m.key, _(m.name))
                for m in all_metrics()
                if m.key != LEAGUE_POINTS and m.fits(self.port.sides[-1])
            ),
        ]
        defaults = [key for key in usual if key != LEAGUE_POINTS]
        for place in range(TIE_BREAK_PLACES):
            self.fields[f"tie_break_{place + 1}"] = forms.ChoiceField(
                label=_("Tie-break %(number)d") % {"number": place + 1},
                choices=metrics,
                required=False,
                initial=defaults[place] if place < len(defaults) else "",
            )

    def initial_of(self, competition: Competition) -> dict[str, Any]:
        points: Mapping[str, Any] = competition.points
        bands = points.get("bands") or []
        chosen = [key for key in competition.tie_breaks if key != LEAGUE_POINTS]
        ties = [*chosen, *[""] * TIE_BREAK_PLACES][:TIE_BREAK_PLACES]
        at_tables: dict[str, Any] = {}
        if points.get("places") and self._way(points) == PLACES:
            at_tables["places"] = " ".join(map(str, points["places"]))
        return {
            "scheme": self._way(points),
            "bands": "\n".join(f"{band['from']} {band['winner']} {band['loser']}" for band in bands),
            **at_tables,
            **{name: points[name] for name in ("first", "stake", "missed") if name in points},
            **{name: points.get(name, usual) for name, usual in USUAL.items()},
            **{f"tie_break_{place}": key for place, key in enumerate(ties, start=1)},
        }

    def _way(self, points: Mapping[str, Any]) -> str:
        if (places := points.get("places")) and not any(map(exact.restore, places)):
            return FRIENDLY
        if self.port.is_for_two:
            return BANDS if points.get("bands") else PLAIN
        if points.get("by") == "share":
            return SHARE
        return PLACES if places else SCALE if points.get("first") else RANK

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """The tie-breaks in their order."""
        return [self[name] for name in self.fields if name.startswith("tie_break_")]

    def changes(self) -> dict[str, Any]:
        if self.is_of_teams:
            return {"tie_breaks": (LEAGUE_POINTS, *self._tie_breaks())}
        points = self._points()
        if missed := self.cleaned_data.get("missed"):
            points["missed"] = missed
        return {"points": points, "tie_breaks": (LEAGUE_POINTS, *self._tie_breaks())}

    def _points(self) -> dict[str, Any]:
        data = self.cleaned_data
        match data["scheme"]:
            case "bands":
                lines = [line.split() for line in data["bands"].splitlines() if line.strip()]
                return {"draw": data["draw"], "bands": [_band(words) for words in lines]}
            case "rank":
                return {"by": "rank"}
            case "places":
                return {"by": "rank", "places": data["places"].replace(";", " ").split()}
            case "scale":
                return {"by": "rank", "first": data["first"]}
            case "friendly":
                return {"by": "rank", "places": [0, 0]}
            case "share":
                return {"by": "share", "stake": data["stake"]}
            case _:
                return {name: data[name] for name in USUAL if data[name]}

    def _tie_breaks(self) -> list[str]:
        chosen = [self.cleaned_data[f"tie_break_{place + 1}"] for place in range(TIE_BREAK_PLACES)]
        return [key for key in chosen if key]

    def field_of(self, place: list[Any]) -> str | None:
        head, rest = (place[0] if place else None), place[1:]
        if head == "points":
            return str(rest[0]) if rest and rest[0] in self.fields else "scheme"
        if head == "tie_breaks":
            return f"tie_break_{rest[0]}" if rest and type(rest[0]) is int else "tie_break_1"
        return super().field_of(place)


def _band(words: list[str]) -> dict[str, Any]:
    start = int(words[0]) if words[0].isascii() and words[0].isdecimal() and len(words[0]) < 7 else words[0]
    values = dict(zip(("winner", "loser"), words[1:3], strict=False))
    return {"from": start, **values}
