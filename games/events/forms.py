"""What a director types to give a board another score."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.comparisons.services.awards import LONGEST_REASON
from games.scoresheets.forms import ReasonForm
from league.idempotency import digest_of

PERCENT, SCORES = "percent", "scores"
PARTS = 3
LONGEST_FIGURE = 12


class AwardForm(forms.Form):
    """Percentages for both pairs, or up to three results with weights. Figures are read exactly by the service.

    `looked` names what was on the form when its effects were shown.
    """

    kind = forms.ChoiceField(
        label=gettext_lazy("What to award"),
        choices=[
            (PERCENT, gettext_lazy("percentages, because the board couldn’t be played")),
            (SCORES, gettext_lazy("another score, or a weighted one")),
        ],
        initial=PERCENT,
        widget=forms.RadioSelect,
    )
    every_board = forms.BooleanField(
        label=gettext_lazy("on all boards of this match, because it wasn’t played"), required=False
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("It’s shown with the results."),
        error_messages={"required": gettext_lazy("Please give a reason. It’s shown with the results.")},
    )
    looked = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    field_order = ("kind", "every_board", "reason", "looked")

    def __init__(self, *args: Any, home: str, away: str, is_unplayed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_unplayed:
            del self.fields["every_board"]
        for side, name, initial in (("home", home, "50"), ("away", away, "50")):
            self.fields[f"percent_{side}"] = _figure(_("%(pair)s, in percent") % {"pair": name}, initial)
        for part in range(1, PARTS + 1):
            for side, name in (("home", home), ("away", away)):
                self.fields[f"{side}_{part}"] = _figure(_("%(pair)s, points") % {"pair": name})
            self.fields[f"weight_{part}"] = _figure(_("Weight"), "1" if part == 1 else "")

    def percentages(self) -> Iterator[BoundField]:
        """The fields of both percentages."""
        yield from (self["percent_home"], self["percent_away"])

    def parts(self) -> Iterator[tuple[BoundField, BoundField, BoundField]]:
        """The fields of each result with its weight."""
        for part in range(1, PARTS + 1):
            yield self[f"home_{part}"], self[f"away_{part}"], self[f"weight_{part}"]

    def content(self) -> dict[str, Any]:
        """The award as games.comparisons.services.awards reads it. Lines that are empty are none."""
        given = self.cleaned_data
        if given["kind"] == PERCENT:
            return {"percent": {"home": given["percent_home"], "away": given["percent_away"]}}
        lines = [
            {"home": given[f"home_{n}"], "away": given[f"away_{n}"], "weight": given[f"weight_{n}"]}
            for n in range(1, PARTS + 1)
        ]
        return {"scores": [line for line in lines if line["home"] or line["away"]] or lines[:1]}

    @property
    def is_for_all(self) -> bool:
        """Whether all boards of the match get it."""
        return bool(self.cleaned_data.get("every_board"))

    @property
    def looks(self) -> str:
        """Names what is on the form, but for the reason."""
        return digest_of([self.content(), self.is_for_all])


def _figure(label: str, initial: str = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=LONGEST_FIGURE,
        required=False,
        initial=initial,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
    )


class RevokeAwardForm(ReasonForm):
    """Says why a score is taken back."""

    prefix = "revoke"
