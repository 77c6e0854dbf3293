"""How often a program may ask: rates are read from the settings (DEFAULT_THROTTLE_RATES) with each request."""

import hashlib
from typing import Any

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle


class RatesOfToday(SimpleRateThrottle):
    """Rates as they are set now: DRF keeps those of the moment when its classes were imported."""

    @property
    def THROTTLE_RATES(self) -> Any:  # type: ignore[override]  # noqa: N802
        """The rates by scope; None throttles nobody."""
        return api_settings.DEFAULT_THROTTLE_RATES


class Strangers(RatesOfToday, AnonRateThrottle):
    """Requests without a person, by their address."""


class People(RatesOfToday, UserRateThrottle):
    """Requests of a person, wherever they come from."""


class TokensByAddress(RatesOfToday, UserRateThrottle):
    """Attempts at a token from one address (or by one person): guessing passwords must not pay."""

    scope = "token"


class TokensByEmail(RatesOfToday, SimpleRateThrottle):
    """Attempts at one account's token from anywhere."""

    scope = "token"

    def get_cache_key(self, request: Request, view: object) -> str | None:  # noqa: ARG002 (DRF's signature)
        """By the e-mail address that was sent, in whatever letters; None where none was."""
        email = request.data.get("email") if isinstance(request.data, dict) else None
        if not isinstance(email, str) or not email.strip():
            return None
        ident = hashlib.sha256(email.strip().lower().encode()).hexdigest()
        return self.cache_format % {"scope": "token-email", "ident": ident}
