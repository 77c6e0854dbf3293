"""What allauth leaves to a site: mails go by way of the outbox, secrets of the two-step login are encrypted."""

import re
import secrets
from base64 import b32encode
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from games.lobby import presence
from league.models import User
from league.notices.services import accounts, outbox, pushes
from league.people.services import claims, joining
from league.storage import encryption

log = structlog.get_logger(__name__)
#: What the button of a mail about the account says.
NEW_PASSWORD = gettext_lazy("Choose a new password")
ACTIONS = {
    "account/email/email_confirmation": gettext_lazy("Confirm the address"),
    "account/email/unknown_account": gettext_lazy("Sign up"),
}
DEVICE_SECONDS = 365 * 24 * 3600
PLAIN_MAILBOX = re.compile(r"[A-Za-z0-9._+'&~-]+")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts of this site."""

    def login(self, request: HttpRequest, user: Any) -> None:
        """The new session and the note of the login, both or none: a login that is given up begins again."""
        before = request.session.session_key
        with transaction.atomic():
            super().login(request, user)
            pushes.end_of_login(session_key=before)

    def logout(self, request: HttpRequest) -> None:
        """Who logs out is no longer seen in the list of tables, and this device is told nothing more."""
        if isinstance(request.user, User):
            presence.forget(request.user)
            pushes.end_of_login(session_key=request.session.session_key)
        super().logout(request)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Back to the slip by which somebody came to log in or sign up."""
        token = request.session.pop(joining.SESSION_KEY, "")
        return joining.path_of(token) if token else str(super().get_login_redirect_url(request))

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """The same for an account that is let in without confirming its address first."""
        return self.get_login_redirect_url(request)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Link the person to the players whom clubs list with this address."""
        is_confirmed = bool(super().confirm_email(request, email_address))
        if is_confirmed:
            found = claims.confirmed(user=email_address.user, email=email_address.email, at=timezone.now())
            for player in found:
                words = {"name": player, "club": player.club}
                messages.success(request, _("You’re now linked to %(name)s of %(club)s.") % words)
        return is_confirmed

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write the mail into the outbox, in its reader's language: no page waits for a mail server."""
        here = {"request": self.request, "email": email, "current_site": get_current_site(self.request)}
        asked = get_language() or ""
        with override(accounts.language_at(email=email, otherwise=asked)):
            message = self.render_mail(template_prefix, email, {**here, **context})
            told = {"subject": message.subject, "body": message.body}
            action = str(ACTIONS.get(template_prefix, NEW_PASSWORD))
        outbox.post(to=email, template=outbox.ACCOUNT, context={**told, "action": action, "language": asked})

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell the address that is removed, too: it may be the only one that its person still reads."""
        super().send_notification_mail(template_prefix, user, context, email)
        removed = (context or {}).get("deleted_email")
        if removed and EmailAddress.objects.filter(user=user, email=removed).first() is None:
            super().send_notification_mail(template_prefix, user, context, removed)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Tell the account's address that another one is to be added."""
        super().send_confirmation_mail(request, emailconfirmation, signup)
        added = emailconfirmation.email_address
        first = EmailAddress.objects.get_primary_email(added.user)
        if not signup and first and first != added.email:
            self.send_notification_mail(
                "account/email/email_added", added.user, {"added": added.email}, first
            )

    def clean_email(self, email: str) -> str:
        """Refuse what no mailbox is called: "http://example.com/"@... is an address, but passes for a link."""
        email = super().clean_email(email)
        if not PLAIN_MAILBOX.fullmatch(email.rpartition("@")[0]):
            raise ValidationError(
                _(
                    "The part before the @ may have only letters without accents, digits and the signs . "
                    "_ + - ' & ~."
                )
            )
        return email

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count failures by account and address, and, more loosely, by account; those of a device that has logged in to
        the account before are counted apart, so that no stranger locks it out."""
        key = super()._get_login_attempts_cache_key(request, **credentials)
        device = _device(request, credentials.get("email", ""))
        if device:
            count, key = "login_failed_device", f"{key}:{device}"
        else:
            count = "login_failed_anywhere"
            super().pre_authenticate(request, **credentials)
        self._guesses = ratelimit.consume(request, app="allauth.account", action=count, key=key)
        if not self._guesses:
            raise self.validation_error("too_many_login_attempts")

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Remember on the device that this account was here: only a whole login, second step included, does."""
        answer: HttpResponse = super().post_login(request, user, **more)
        answer.set_signed_cookie(
            settings.DEVICE_COOKIE_NAME,
            f"{user.pk}.{secrets.token_hex(8)}",
            max_age=DEVICE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return answer

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        account = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{account}:{self.get_client_ip(request)}"

    def _rollback_login_failed_rl_usage(self) -> None:
        super()._rollback_login_failed_rl_usage()
        self._guesses.rollback()


def _device(request: HttpRequest, email: str) -> str:
    """What the device's cookie says, if the account with this main address has logged in there before."""
    said = request.get_signed_cookie(settings.DEVICE_COOKIE_NAME, "", max_age=DEVICE_SECONDS) or ""
    key = said.partition(".")[0]
    return said if key and User.objects.filter(pk=key, email__iexact=email).exists() else ""


class MFAAdapter(DefaultMFAAdapter):
    """The second step of logging in."""

    PURPOSE = "two-step login"

    def is_mfa_enabled(self, user: Any, types: list[str] | None = None) -> bool:
        """A passkey that an account has instead of a password is its first step, though a key among keys.

        Who loses it comes back by mail, as who forgets a password does, and is asked for no second step.
        """
        if user.is_anonymous or types == [Authenticator.Type.WEBAUTHN]:
            return bool(super().is_mfa_enabled(user, types))
        second = Authenticator.objects.filter(user_id=user.pk).exclude(data__has_key="handle")
        return second.filter(type__in=types).exists() if types else second.exists()

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        """An account that is being made has no key yet: its passkeys carry a handle drawn by chance."""
        if user.pk is None:
            return {
                "id": secrets.token_bytes(32),
                "name": user.email,
                "display_name": user.name or user.email,
            }
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity

    def encrypt(self, text: str) -> str:
        """A copy of the database is no copy of everybody's second step."""
        return encryption.encrypt(text, purpose=self.PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; without its key a new one that nobody knows, so that no code fits."""
        try:
            return encryption.decrypt(encrypted_text, purpose=self.PURPOSE)
        except encryption.Undecipherable as fault:
            log.error("second_step_unreadable", fault=str(fault))
            return b32encode(secrets.token_bytes(20)).decode("ascii")
