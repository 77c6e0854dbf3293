"""What is asked for a season that is made from another one."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.manage.forms.setup import StepForm, first_round_limits
from league.web.form_fields import DateInput


class FollowingForm(StepForm):
    """What it is called, which season it is in, and when it begins; all else is as it was."""

    name = forms.CharField(label=_("Name"), max_length=120)
    season = forms.CharField(
        label=_("Season"),
        max_length=60,
        required=False,
        help_text=_("If you leave it out: by the club’s year, such as 2026/27."),
    )
    starts_on = forms.DateField(label=_("First round"), widget=DateInput, validators=first_round_limits())


class CopyForm(FollowingForm):
    """The same, and whether those who take part come along."""

    with_entries = forms.BooleanField(label=_("Enter the same pairs and players"), required=False)
