"""What players fill in about the date of a match, and about who plays it."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import Fixture, Player
from league.selectors import players

FURTHEST = timedelta(days=550)
LOCAL = "%Y-%m-%dT%H:%M"


class LocalTimeField(forms.DateTimeField):
    """A day and a time on the clock of the club (the active time zone), not absurdly far away."""

    def __init__(self, **fields: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": 300}, format=LOCAL)
        super().__init__(**{"widget": widget, "input_formats": [LOCAL, "%Y-%m-%dT%H:%M:%S"], **fields})

    def to_python(self, value: Any) -> datetime | None:
        moment = super().to_python(value)
        if moment is not None and abs(moment.year - timezone.now().year) > FURTHEST.days // 365 + 1:
            raise forms.ValidationError(_("Choose a day of this season."))
        return moment


class ProposalForm(forms.Form):
    """Another time for a match."""

    starts_at = LocalTimeField(label=_("New day and time"))
    message = forms.CharField(
        label=_("Message to the other pair"), max_length=300, required=False, widget=forms.TextInput
    )


class AnswerForm(forms.Form):
    """Yes or no to a proposal; or the own one is taken back."""

    proposal = forms.IntegerField(widget=forms.HiddenInput)
    answer = forms.ChoiceField(
        choices=[("accept", _("Accept")), ("decline", _("Decline")), ("withdraw", _("Take it back"))]
    )


class PostponeForm(forms.Form):
    """Taking a match off its date."""

    reason = forms.CharField(label=_("Reason"), max_length=300)
    starts_at = LocalTimeField(
        label=_("New day and time"),
        required=False,
        help_text=_("If both pairs agree on one already."),
    )

    def __init__(self, *args: Any, may_set_date: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_set_date:
            # A pair alone takes the match off its date; a new one needs the other pair's consent.
            del self.fields["starts_at"]


class SubstituteForm(forms.Form):
    """Somebody else plays for a member of a pair in this match."""

    absent = forms.ModelChoiceField(Player.objects.none(), label=_("Who cannot come?"), empty_label=None)
    substitute = forms.ModelChoiceField(
        Player.objects.none(), label=_("Who plays instead?"), empty_label=_("Choose a player")
    )
    reason = forms.CharField(label=_("Reason"), max_length=300, required=False)

    def __init__(self, *args: Any, fixture: Fixture, absent: Iterable[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        absentees = Player.objects.filter(pk__in=[player.pk for player in absent])
        self.fields["absent"].queryset = absentees  # type: ignore[attr-defined]
        self.fields["substitute"].queryset = players.free_in(fixture)  # type: ignore[attr-defined]


class CancelSubstituteForm(forms.Form):
    """The absent player plays after all."""

    substitution = forms.IntegerField(widget=forms.HiddenInput)
