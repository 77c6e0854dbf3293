"""What a webhook tells: what a visitor without an account may see of it at this moment, as the API shows it."""

import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import override
from rest_framework.utils.encoders import JSONEncoder

from league.api.serializers import FixtureSerializer, NamedCompetitionSerializer, RoundSerializer
from league.api.standings import progress_as_json
from league.models import Competition, Division, Fixture, Round, Webhook, WebhookDelivery
from league.standings.queries import CURRENT, after_round

VISITOR = AnonymousUser()


def body_of(delivery: WebhookDelivery) -> str:
    """The delivery as JSON; empty where visitors may not know of it, or where it is gone."""
    with override(settings.LANGUAGE_CODE):
        found = _DATA[delivery.event](delivery.subject or 0)
        if found is None:
            return ""
        body = {
            "id": str(delivery.number),
            "event": delivery.event,
            "made_at": delivery.made_at,
            "site": settings.SITE_URL,
            "club": delivery.webhook.club.slug,
            "data": found,
        }
        return json.dumps(body, cls=JSONEncoder, ensure_ascii=False)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """By it the receiver knows that we sent this, and when."""
    moment = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def _result(key: int) -> Any:
    fixture = Fixture.objects.visible_to(VISITOR).with_pairs().filter(pk=key).first()
    return None if fixture is None else {"fixture": FixtureSerializer(fixture).data}


def _standings(key: int) -> Any:
    division = Division.objects.filter(pk=key, stage__competition__in=_seen()).first()
    stored = division and after_round(division, CURRENT)
    if not division or not stored:
        return None
    told = progress_as_json(division, {CURRENT: stored.table})
    competition = division.stage.competition
    return {
        "competition": NamedCompetitionSerializer(competition).data,
        "division": told["division"],
        "results_version": stored.results_version,
        "rows": told["rounds"][0]["rows"],
    }


def _round(key: int) -> Any:
    round_ = Round.objects.filter(pk=key, stage__competition__in=_seen()).first()
    if round_ is None:
        return None
    fixtures = Fixture.objects.visible_to(VISITOR).with_pairs().filter(round=round_).in_order()
    return {
        "competition": NamedCompetitionSerializer(round_.competition).data,
        "round": RoundSerializer(round_).data,
        "fixtures": FixtureSerializer(fixtures, many=True).data,
    }


def _seen() -> Any:
    return Competition.objects.visible_to(VISITOR)


_DATA: dict[str, Callable[[int], Any]] = {
    Webhook.Event.RESULT: _result,
    Webhook.Event.STANDINGS: _standings,
    Webhook.Event.ROUND: _round,
    Webhook.TEST: lambda _key: {},
}
