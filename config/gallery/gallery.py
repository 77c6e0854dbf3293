"""The gallery of all components, for those who build pages; the browser tests photograph it."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.gallery import charts as design_charts
from games.templatetags.cards import SEATS

HANDS = (
    ("9h 8h 7h 6h 5h", "7h", "straight flush, 4+1", 15),
    ("Js Jh Jd Jc 3c", "Jh Jd", "fours, 2+2", 16),
    ("Th Td Ts 4s 4h", "Ts", "full house", 8),
)
HELD = (
    "As Ks 7s 4s Qh 9h 2h Ad Td 6d Jc 8c 5c",
    "Qs Ts 2s Kh Jh Th 8h 5h 9d 4d Ac 7c 3c",
    "Js 9s 8s 6s 5s 3s Ah 7h Kd Qd Jd Kc 2c",
    "6h 4h 3h 8d 7d 5d 3d 2d Qc Tc 9c 6c 4c",
)
LONG_SUIT = "Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s Ah"
PLAYERS = ("Anna Berg", "Olga Petrov", "Chidi Okafor", "Kenji Sato")
TOKENS = {
    gettext_lazy("Surfaces and text"): ("paper", "card", "sunk", "ink", "soft", "line", "edge"),
    gettext_lazy("Meanings"): (
        *("green", "green-tint", "green-solid", "green-line"),
        *("brass", "brass-tint", "brass-mark", "brass-line"),
        *("red", "red-tint", "red-solid", "red-line"),
    ),
    gettext_lazy("Cards and table"): ("card-face", "spade", "heart", "diamond", "club", "felt", "back"),
}
TYPE = (
    ("large", gettext_lazy("Small heading")),
    ("usual", gettext_lazy("Text")),
    ("small", gettext_lazy("Beside the text")),
    ("pill", gettext_lazy("Marks")),
)


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label=gettext_lazy("Name"), help_text=gettext_lazy("As shown in the table."))
    first_day = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput(attrs={"type": "date"})
    )
    deals = forms.IntegerField(label=gettext_lazy("Deals in a match"), min_value=1, max_value=4)
    meetings = forms.ChoiceField(
        label=gettext_lazy("Each pair meets every other pair"),
        choices=[("1", gettext_lazy("once")), ("2", gettext_lazy("twice, at home and away"))],
        widget=forms.RadioSelect,
    )
    place = forms.ChoiceField(
        label=gettext_lazy("Place"), choices=[("", "–"), ("hall", gettext_lazy("Club hall"))]
    )
    note = forms.CharField(
        label=gettext_lazy("Note"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    bonus = forms.BooleanField(label=gettext_lazy("The game bonus applies"), required=False)
    locked = forms.CharField(label=gettext_lazy("Number of the match"), initial="1042", disabled=True)


def seated(held: Iterable[Any]) -> dict[str, Any]:
    """What each of four at a table has, by seat."""
    return dict(zip(SEATS, held, strict=True))


@login_required
def design(request: HttpRequest) -> HttpResponse:
    """Every component in its states, for staff."""
    if not request.user.is_staff:
        raise PermissionDenied(
            _("This page shows what the site is built from. It is for the people who run it.")
        )
    context = {
        "form": SampleForm({"deals": "9", "meetings": "2", "first_day": "2026-10-01"}),
        "hands": [dict(zip(("cards", "partner", "words", "points"), hand, strict=True)) for hand in HANDS],
        "page": Paginator(range(200), 10).page(4),
        "tokens": TOKENS,
        "type_sizes": TYPE,
        "deal": seated(HELD),
        "own_deal": seated((None, 10, HELD[2], None)),
        "long_deal": seated((HELD[0], LONG_SUIT, "", 0)),
        "players": seated(PLAYERS),
        "dealers": tuple(SEATS),
        "played": "As Qs 6h Ah Kh",
        "ranks": "AKQJT98765432",
        "suits": (("spade", "s"), ("heart", "h"), ("diamond", "d"), ("club", "c")),
        **design_charts.samples(),
    }
    return render(request, "design.html", context)
