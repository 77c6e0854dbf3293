"""The forms of accounts in the site's words: labels as people say them, and none said twice within the field."""

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from league.notices.services import accounts
from league.people.forms import CredentialField, PasskeyInstead, WithPasskey
from league.people.services import passkeys

Words = dict[str, Any]

EMAIL: Words = {"email": _("E-mail address"), "login": _("E-mail address")}
NEW_PASSWORD: Words = {"password1": _("New password"), "password2": _("Repeat new password")}


class OwnWords(forms.Form):
    """Gives fields the labels of `words`, and takes away the hints inside them that only repeat a label."""

    words: ClassVar[Words] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in self.words:
                field.label = self.words[name]


class LoginForm(OwnWords, account.LoginForm):
    """Logging in."""

    words: ClassVar[Words] = EMAIL


class SignupForm(OwnWords, PasskeyInstead, account.SignupForm):
    """Making an account, with a password or a passkey."""

    words: ClassVar[Words] = {**EMAIL, "password2": _("Repeat password")}
    name = forms.CharField(
        label=_("Your name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    field_order = ["name", "email", "password1", "password2"]

    def clean_name(self) -> str:
        """A name as people may have one."""
        return accounts.checked_name(self.cleaned_data["name"])

    def save(self, request: HttpRequest) -> Any:
        """The account with its name."""
        passkey = self.cleaned_data["credential"]
        if passkey:
            self.cleaned_data["password1"] = ""
        user = super().save(request)
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])
        if passkey:
            post_authentication(request, passkeys.add(user=user, passkey=passkey), passwordless=True)
        return user

    def try_save(self, request: HttpRequest) -> tuple[Any, HttpResponse | None]:
        """Make the account; or hash the password for nothing, so that the time does not tell that there is one."""
        if self.account_already_exists and not self.cleaned_data["credential"]:
            make_password(self.cleaned_data["password1"])
        saved: tuple[Any, HttpResponse | None] = super().try_save(request)
        return saved


class AddEmailForm(OwnWords, account.AddEmailForm):
    """Another address for an account."""

    words: ClassVar[Words] = EMAIL


class ResetPasswordForm(OwnWords, account.ResetPasswordForm):
    """Asking for a link to a new password."""

    words: ClassVar[Words] = EMAIL


class ResetPasswordKeyForm(OwnWords, account.ResetPasswordKeyForm):
    """A new password by the link in a mail."""

    words: ClassVar[Words] = NEW_PASSWORD


class ChangePasswordForm(OwnWords, account.ChangePasswordForm):
    """Another password."""

    words: ClassVar[Words] = {**NEW_PASSWORD, "oldpassword": _("Current password")}


class SetPasswordForm(OwnWords, account.SetPasswordForm):
    """A first password."""

    words: ClassVar[Words] = NEW_PASSWORD


class ReauthenticateForm(OwnWords, account.ReauthenticateForm):
    """Asks for your password again before a change that must be safe."""


class ActivateTOTPForm(OwnWords, totp.ActivateTOTPForm):
    """The first code of an app."""

    words: ClassVar[Words] = {"code": _("Code from your app")}


class AuthenticateForm(OwnWords, mfa.AuthenticateForm):
    """A code while logging in."""

    words: ClassVar[Words] = {"code": _("Code from your app, or a spare code")}


class ReauthenticateCodeForm(OwnWords, mfa.ReauthenticateForm):
    """A code again, before something that must be safe."""

    words: ClassVar[Words] = {"code": _("Code from your app, or a spare code")}


class AddPasskeyForm(WithPasskey, webauthn.AddWebAuthnForm):
    """Another key or passkey of an account."""

    def clean(self) -> Any:
        """The key, which answers the question."""
        try:
            return super().clean()
        except passkeys.UNREADABLE as fault:
            raise forms.ValidationError(
                _("The passkey didn’t arrive as it should. Please try again.")
            ) from fault


class OpeningKey(forms.Form):
    """An account's key or passkey: JSON of no more length and depth than a browser's answer has."""

    credential = CredentialField(widget=forms.HiddenInput, label="")

    def clean_credential(self) -> Any:
        """The key, which fits the question."""
        try:
            return super().clean_credential()  # type: ignore[misc]  # of the form that this is mixed with
        except passkeys.UNREADABLE as fault:
            if getattr(fault, "code", "") == "too_many_login_attempts":
                raise
            raise forms.ValidationError(_("This passkey doesn’t open an account here.")) from fault


class AuthenticatePasskeyForm(WithPasskey, OpeningKey, webauthn.AuthenticateWebAuthnForm):
    """A key while logging in."""


class ReauthenticatePasskeyForm(OpeningKey, webauthn.ReauthenticateWebAuthnForm):
    """A key again, before something that must be safe."""


class LoginPasskeyForm(OpeningKey, webauthn.LoginWebAuthnForm):
    """Logging in with a passkey: one that came before its account carries another handle than the account's."""

    def clean_credential(self) -> Any:
        """The key, of whose account it is instead of a password."""
        self.user = passkeys.holder(self.cleaned_data["credential"])
        return super().clean_credential()
