"""What players fill in: about themselves and their pair, about the date of a match, and about who plays it."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league import policies
from league.models import Fixture, Player, User
from league.notices.services import accounts
from league.people import namesakes
from league.people import queries as players
from league.web.form_fields import DateInput, LocalTimeField
from league.words import public_names


class PublicNameForm(forms.Form):
    """How people outside the person’s clubs read their name."""

    public_name = forms.ChoiceField(
        label=_("People outside your clubs see your name"), choices=public_names.CHOICES, required=False
    )


class ProposalForm(forms.Form):
    """Another time for a match."""

    starts_at = LocalTimeField(label=_("New day and time"))
    message = forms.CharField(
        label=_("Message to the other side"), max_length=300, required=False, widget=forms.TextInput
    )


class AnswerForm(forms.Form):
    """Yes or no to a proposal; or your own is withdrawn."""

    proposal = forms.IntegerField(widget=forms.HiddenInput)
    answer = forms.ChoiceField(
        choices=[("accept", _("Accept")), ("decline", _("Decline")), ("withdraw", _("Withdraw"))]
    )


class PostponeForm(forms.Form):
    """Taking a match off its date."""

    reason = forms.CharField(label=_("Reason"), max_length=300)
    starts_at = LocalTimeField(
        label=_("New day and time"),
        required=False,
        help_text=_("If both sides have already agreed on one."),
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
        Player.objects.none(), label=_("Who plays instead?"), empty_label=_("Choose a player"), required=False
    )
    guest = forms.CharField(
        label=_("Or a guest"),
        max_length=300,
        required=False,
        help_text=_(
            "For somebody who isn’t in the list: type their name. If you add their e-mail address after it, we "
            "write to them when and where they play."
        ),
    )
    reason = forms.CharField(label=_("Reason"), max_length=300, required=False)

    def __init__(
        self, *args: Any, fixture: Fixture, absent: Iterable[Player], reader: User, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        absentees = Player.objects.filter(pk__in=[player.pk for player in absent])
        is_official = policies.may(reader, "club.desk", fixture)
        namesakes.offer(self, "absent", absentees, with_numbers=is_official)
        namesakes.offer(self, "substitute", players.free_in(fixture), with_numbers=is_official)

    def clean(self) -> None:
        """One of the two: somebody of the list, or a guest."""
        chosen, guest = self.cleaned_data.get("substitute"), self.cleaned_data.get("guest", "")
        if not self.errors and bool(chosen) == bool(guest):
            self.add_error("substitute", _("Choose a player, or name a guest."))

    def guest_named(self) -> tuple[str, str]:
        """The guest's name and address, of a line such as "Gina Ghost, gina@example.org"."""
        *words, last = self.cleaned_data["guest"].split()
        if "@" not in last:
            return " ".join((*words, last)), ""
        return " ".join(words).rstrip(",;"), last.strip("<>(),;")


class CancelSubstituteForm(forms.Form):
    """The absent player plays after all."""

    substitution = forms.IntegerField(widget=forms.HiddenInput)


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


class NameForm(forms.Form):
    """What the person is called."""

    name = forms.CharField(
        label=_("Your name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )

    def clean_name(self) -> str:
        """A name as people may have one."""
        return accounts.checked_name(self.cleaned_data["name"])


class ContactForm(forms.Form):
    """How directors, and those whom the person plays with and against, reach them."""

    telephone = forms.RegexField(
        label=_("Telephone"),
        regex=accounts.TELEPHONE,
        max_length=40,
        required=False,
        error_messages={"invalid": _("A telephone number has digits and spaces, such as +44 20 7946 0000.")},
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
    )
    address = forms.CharField(
        label=_("Postal address"),
        max_length=300,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "street-address"}),
    )
    is_shared = forms.BooleanField(
        label=_("My partners and opponents can see this while our match is open"), required=False
    )


class DaysAwayForm(forms.Form):
    """Days on which the person cannot play."""

    first = forms.DateField(label=_("From"), widget=DateInput)
    last = forms.DateField(label=_("To"), widget=DateInput, required=False)

    def clean(self) -> None:
        """One day, where no last one is given; none absurdly far away."""
        first = self.cleaned_data.get("first")
        self.cleaned_data["last"] = self.cleaned_data.get("last") or first
        if first is not None and abs(first.year - timezone.localdate().year) > 2:
            self.add_error("first", _("Choose a day of this season."))
