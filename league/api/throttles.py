"""How often a program may ask: rates are read from the settings (DEFAULT_THROTTLE_RATES) with each request."""

from typing import Any

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
    """Attempts at a token from one address (or by one person). The login counts guesses at one account."""

    scope = "token"
