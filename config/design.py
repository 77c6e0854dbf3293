"""The gallery of all components, for those who build pages; the browser tests photograph it."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.charts import Bar, Series, bar_chart, bump_chart, line_chart

PAIRS = (
    "Berg & Okafor",
    "Lindqvist & Marsh",
    "Adeyemi & Ford",
    "Petrov & Sato",
    "Novak & Reyes",
    "Dubois & Khan",
)
PLACES = (
    (3, 2, 1, 1, 1),
    (1, 1, 2, 3, 2),
    (2, 3, 3, 2, 3),
    (5, 5, 4, 4, 4),
    (4, 4, 5, 6, 5),
    (6, 6, 6, 5, 5),
)
HANDS = (
    ("9h 8h 7h 6h 5h", "7h", "straight flush, 4+1", 15),
    ("Js Jh Jd Jc 3c", "Jh Jd", "fours, 2+2", 16),
    ("Th Td Ts 4s 4h", "Ts", "full house", 8),
)


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label=gettext_lazy("Name"), help_text=gettext_lazy("As it stands in the table."))
    first_day = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput(attrs={"type": "date"})
    )
    deals = forms.IntegerField(label=gettext_lazy("Deals in a match"), min_value=1, max_value=4)
    meetings = forms.ChoiceField(
        label=gettext_lazy("Each pair meets each other pair"),
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


@login_required
def design(request: HttpRequest) -> HttpResponse:
    """Every component in its states, for staff."""
    if not request.user.is_staff:
        raise PermissionDenied(_("This page shows how the site is built; it is for its staff."))
    context = {
        "form": SampleForm({"deals": "9", "meetings": "2", "first_day": "2026-10-01"}),
        "hands": [dict(zip(("cards", "partner", "words", "points"), hand, strict=True)) for hand in HANDS],
        "page": Paginator(range(200), 10).page(4),
        "ranks": "AKQJT98765432",
        "suits": (("spade", "s"), ("heart", "h"), ("diamond", "d"), ("club", "c")),
        "bump": bump_chart(
            [Series(label, values) for label, values in zip(PAIRS, PLACES, strict=True)],
            rounds=[f"R{number}" for number in range(1, 6)],
            title=_("Places after each round"),
            highlight=PAIRS[:2],
        ),
        "line": line_chart(
            [Series(_("made"), (120, 148, 96, 210, 131)), Series(_("given away"), (100, 131, 110, 140, 164))],
            steps=range(1, 6),
            title=_("Points per match"),
        ),
        "bars": bar_chart(
            [Bar(PAIRS[0], 386), Bar(PAIRS[1], 241, strong=True), Bar(PAIRS[2], -12), Bar(PAIRS[3], -383)],
            title=_("Points difference"),
            amount=_("Difference"),
        ),
    }
    return render(request, "design.html", context)
