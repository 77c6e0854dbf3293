"""Players, pairs and duplicates; and a token for programs."""

from typing import Any

from allauth.core import context
from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.utils.translation import gettext_lazy as _

from league.errors import Invalid
from league.models import ApiToken, Club, Player
from league.people import namesakes
from league.people.services import passkeys
from league.storage.json_content import parse_json
from league.words import public_names


class PlayerForm(forms.Form):
    """A player, with or without an account."""

    name = forms.CharField(label=_("Name"), max_length=120)
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Other people can’t see this. An account with this address is asked: is this you?"),
    )
    number = forms.CharField(label=_("Membership number"), max_length=30, required=False)


class PublicNameForm(forms.Form):
    """How people outside the club read a player’s name."""

    is_young = forms.BooleanField(
        label=_("Young member"),
        required=False,
        help_text=_("People outside the club don’t see the name, unless you choose otherwise here."),
    )
    public_name = forms.ChoiceField(
        label=_("People outside the club see the name"), choices=public_names.CHOICES, required=False
    )


class PairForm(forms.Form):
    """Two players of the club."""

    player_a = forms.ModelChoiceField(
        label=_("First player"), queryset=Player.objects.none(), empty_label=_("Choose a player")
    )
    player_b = forms.ModelChoiceField(
        label=_("Second player"), queryset=Player.objects.none(), empty_label=_("Choose a partner")
    )
    name = forms.CharField(
        label=_("Name of the pair"),
        max_length=120,
        required=False,
        help_text=_("If you leave this empty, we use their surnames."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("player_a", "player_b"):
            namesakes.offer(self, name, club.players.present(), with_numbers=True)

    def players(self) -> tuple[Player, Player]:
        """The two, of a form that is valid."""
        return (self.cleaned_data["player_a"], self.cleaned_data["player_b"])


class MergeForm(forms.Form):
    """Which of two players stays."""

    keep = forms.ModelChoiceField(
        label=_("Keep this player"), queryset=Player.objects.none(), empty_label=_("Choose a player")
    )
    duplicate = forms.ModelChoiceField(
        label=_("Merge this duplicate into it"),
        queryset=Player.objects.none(),
        empty_label=_("Choose the duplicate"),
        help_text=_("Its matches, pairs and account move to the player you keep."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("keep", "duplicate"):
            namesakes.offer(self, name, club.players.present(), with_numbers=True)


class TokenForm(forms.Form):
    """What a token may do, and for how long."""

    scope = forms.ChoiceField(
        label=_("What can the program do?"),
        choices=ApiToken.Scope.choices,
        initial=ApiToken.Scope.READ,
        widget=forms.RadioSelect,
    )
    days = forms.TypedChoiceField(
        label=_("For how long?"),
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("a year"))],
        initial=90,
        coerce=int,
    )


class CredentialField(forms.JSONField):
    """What a browser answers with a passkey: JSON that may be kept."""

    LONGEST, DEEPEST = 64 * 1024, 12

    def to_python(self, value: Any) -> Any:
        """The answer; refuses what is none, and what no database takes."""
        if self.disabled or value in self.empty_values or not isinstance(value, str):
            return super().to_python(value)
        try:
            return parse_json(value, longest=self.LONGEST, deepest=self.DEEPEST)
        except ValueError:
            raise forms.ValidationError(self.error_messages["invalid"], "invalid", {"value": "…"}) from None

    def bound_data(self, data: Any, initial: Any) -> Any:  # noqa: ARG002 (the signature of fields)
        """What was sent is never sent back."""
        return None


class WithPasskey(forms.Form):
    """A form that a browser sends with a passkey's answer."""

    credential = CredentialField(widget=forms.HiddenInput, label="")

    def add_error(self, field: str | None, error: Any) -> None:
        """Says what is wrong with the answer as of the whole form: nobody sees a field of that name."""
        super().add_error(None if field == "credential" else field, error)


class PasskeyInstead(WithPasskey):
    """A form whose passwords may be left out for a passkey, which is what a browser then answers in `credential`."""

    credential = CredentialField(required=False, widget=forms.HiddenInput, label="")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self._has_key:
            for name, field in self.fields.items():
                field.required = field.required and "password" not in name

    @property
    def _has_key(self) -> bool:
        # A page writes an empty field of JSON as null, and browsers send that back with a password.
        return self.data.get("credential") not in {None, "", "null"}

    def clean_credential(self) -> passkeys.Passkey | None:
        """The key, checked; None for who chose a password."""
        if not self._has_key:
            return None
        try:
            return passkeys.read(context.request, self.cleaned_data["credential"])
        except Invalid as fault:
            raise forms.ValidationError(fault.message) from fault


class FirstPasswordForm(PasskeyInstead, SetPasswordForm):
    """The password, or the passkey, of an account that an invitation makes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = _("Choose a password")
        self.fields["new_password2"].label = _("Repeat password")
