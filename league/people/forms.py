"""Players, pairs and duplicates; and a token for programs."""

from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.utils.translation import gettext_lazy as _

from league.models import ApiToken, Club, Player
from league.web.form_fields import offer_rows
from league.words import public_names


class PlayerForm(forms.Form):
    """A player, with or without an account."""

    name = forms.CharField(label=_("Name"), max_length=120)
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Other people can’t see this. An account with this address is linked automatically."),
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
            offer_rows(self, name, club.players.present())

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
            offer_rows(self, name, club.players.present())


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


class FirstPasswordForm(SetPasswordForm):
    """The password of an account that an invitation makes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = _("Choose a password")
        self.fields["new_password2"].label = _("Repeat password")
