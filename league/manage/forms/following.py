"""What is asked for a season that is made from another one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league import formats
from league.manage.forms.setup import StepForm, first_round_limits
from league.models import Competition, Stage
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


class LaterStageForm(StepForm):
    """A later stage: for which places of this one, in which format, and what counts on of the points."""

    name = forms.CharField(label=_("Name"), max_length=120)
    starts_on = forms.DateField(label=_("First round"), widget=DateInput, validators=first_round_limits())
    format = forms.ChoiceField(
        label=_("Who meets whom"),
        choices=formats.LEAGUE_CHOICES,
        initial=formats.KNOCKOUT,
        widget=forms.RadioSelect,
    )
    first = forms.IntegerField(
        label=_("From place"), min_value=1, max_value=formats.MOST_IN_A_DIVISION, initial=1
    )
    last = forms.IntegerField(
        label=_("to place"),
        min_value=1,
        max_value=formats.MOST_IN_A_DIVISION,
        initial=8,
        help_text=_("Of each division. The places give the seeds."),
    )
    carry_over = forms.ChoiceField(
        label=_("What counts on of the points"),
        choices=Stage.CarryOver.choices,
        initial=Stage.CarryOver.NONE,
        widget=forms.RadioSelect,
        help_text=_(
            "A knock-out or a ladder begins without points. Of evenings the percentages count on, board by board."
        ),
    )

    def __init__(self, *args: Any, after: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if after.stage.is_evening:
            self.fields["format"].choices = formats.EVENING_CHOICES  # type: ignore[attr-defined]
            self.initial["format"] = after.format
