"""What people enter when they open a table."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Agreement, OnlinePlay, Table

TERMS = (
    "clock_seconds",
    "on_timeout",
    "absence_seconds",
    "robots",
    "helps",
    "single_press",
    "spectators",
    "delay_seconds",
)


class CasualTableForm(forms.ModelForm):
    """The terms of a casual table."""

    deals = forms.IntegerField(label=_("Deals"), min_value=1, max_value=32, initial=4)
    field_order = ("deals",)

    class Meta:
        model = Table
        fields = TERMS


class OnlinePlayForm(forms.ModelForm):
    """How a competition is played online."""

    class Meta:
        model = OnlinePlay
        fields = ("is_open", *TERMS)


class AgreementForm(forms.ModelForm):
    """What partners have agreed beside the usual signals."""

    class Meta:
        model = Agreement
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 6})}
        help_texts = {
            "text": _(
                "Everybody who may see your pair reads it, your opponents above all. At most 1,000 characters."
            )
        }


class PracticeForm(forms.Form):
    """A robot for the three other seats, and perhaps a board."""

    robot = forms.CharField(max_length=20, initial="player")
    board = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
