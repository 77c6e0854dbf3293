"""What people fill in about themselves and their pairs."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ClaimForm(forms.Form):
    """ "This player is me"."""

    message = forms.CharField(
        label=_("Message to the director"),
        max_length=300,
        required=False,
        help_text=_("For example: I play on Thursdays with Chidi."),
    )


class PairNameForm(forms.Form):
    """The team name of a pair."""

    name = forms.CharField(
        label=_("Team name"),
        max_length=120,
        required=False,
        help_text=_("Leave this empty to use your surnames."),
    )
