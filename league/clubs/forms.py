"""What a club says of itself, and its members."""

from typing import Any

from django import forms
from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.translation import gettext_lazy as _

from league import zones
from league.models import Role
from league.models.clubs import AUGUST
from league.web.form_fields import TimeInput


class ClubForm(forms.Form):
    """What a club says of itself."""

    name = forms.CharField(label=_("Name"), max_length=120)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zones.choices(),
        initial="Europe/London",
        widget=forms.Select(attrs={"data-own-zone": "choose"}),
    )
    place = forms.CharField(label=_("Where the club meets"), max_length=200, required=False)
    weekday = forms.TypedChoiceField(
        label=_("Its usual evening"),
        choices=[("", _("no fixed day")), *WEEKDAYS.items()],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Place, evening and time are suggested for each new competition."),
    )
    play_time = forms.TimeField(label=_("Usual time"), required=False, widget=TimeInput)
    year_begins = forms.TypedChoiceField(
        label=_("A season begins in"),
        choices=list(MONTHS.items()),
        coerce=int,
        empty_value=None,
        initial=AUGUST,
        required=False,
        help_text=_(
            "This decides how seasons are named, such as 2026/27. If you choose January, a season is a calendar year."
        ),
    )
    about = forms.CharField(
        label=_("About the club"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )


class EditClubForm(ClubForm):
    """The same, and whether people take themselves in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["time_zone"]
        field.widget.attrs["data-own-zone"] = "offer"
        field.choices = zones.choices(self.initial["time_zone"])  # type: ignore[attr-defined]

    is_open = forms.BooleanField(
        label=_("Anyone may join"),
        required=False,
        help_text=_("Otherwise an owner adds the members, and only members see what is for members."),
    )
    lone_director_deals = forms.BooleanField(
        label=_("A director who plays may see the cards before play"),
        required=False,
        help_text=_("For a club with only one director. Everyone can see that this is allowed."),
    )
    guests_enter = forms.BooleanField(
        label=_("People without an account can use the code on the paper to enter its scoresheet"),
        required=False,
        help_text=_(
            "One sheet per match. They give their name, and every side, or an official, confirms the sheet."
        ),
    )
    unwanted_words = forms.CharField(
        label=_("Words that guests’ names must not have"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Separated by spaces. Common rude words are refused anyway."),
    )
    may_be_embedded = forms.BooleanField(
        label=_("Other websites may show our standings and fixtures"),
        required=False,
        help_text=_(
            "Public competitions only. The club’s page then has lines to paste into your own website."
        ),
    )


class MemberForm(forms.Form):
    """Invites the owner of this address, in a role."""

    email = forms.EmailField(label=_("E-mail address"))
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.MEMBER)


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
