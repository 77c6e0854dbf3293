"""Who asks too often waits; who guesses passwords waits long."""

import pytest
from django.core.cache import cache
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

from tests.league import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _rates(monkeypatch):
    cache.clear()
    rates = {"anon": "3/min", "user": "5/min", "token": "2/hour"}
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", rates)
    yield
    cache.clear()


def statuses(client, times, path="/api/v1/clubs/"):
    return [client.get(path).status_code for _ in range(times)]


def test_strangers_and_people_are_counted_apart(program):
    assert statuses(program(), 4) == [200, 200, 200, 429]
    assert statuses(program(factories.user()), 6) == [200] * 5 + [429]
    refused = program().get("/api/v1/clubs/")
    assert refused.json()["error"]["code"] == "throttled"
    assert int(refused.headers["Retry-After"]) > 0


def test_an_invented_proxy_header_changes_nothing():
    client = APIClient()
    asked = [client.get("/api/v1/clubs/", HTTP_X_FORWARDED_FOR=f"10.0.0.{n}").status_code for n in range(4)]
    assert asked == [200, 200, 200, 429]


def test_guessing_passwords_is_throttled_by_address_and_by_account(program):
    user = factories.user()

    def guess(address, email):
        body = {"email": email, "password": "guess"}
        return APIClient(REMOTE_ADDR=address).post("/api/v1/token/", body).status_code

    assert [guess("10.0.0.1", f"person{n}@example.com") for n in range(3)] == [401, 401, 429]
    assert [guess(f"10.0.1.{n}", user.email.upper() if n % 2 else user.email) for n in range(3)] == [
        401,
        401,
        429,
    ]
