"""Who asks too often waits; who guesses passwords waits long."""

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.league import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _rates(monkeypatch):
    cache.clear()
    rates = {"anon": "3/min", "user": "5/min", "token": "2/hour"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
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


def guess(address, email, password="guess"):
    body = {"email": email, "password": password}
    return APIClient(REMOTE_ADDR=address).post("/api/v1/token/", body).status_code


def test_guessing_passwords_is_throttled_by_address():
    assert [guess("10.0.0.1", f"person{n}@example.com") for n in range(3)] == [401, 401, 429]


def test_guessing_one_account_counts_with_the_login(monkeypatch, settings):
    """By account, from wherever, on the page and here together; the person's own address is another matter."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"anon": None, "user": None, "token": None})
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "20/h/key"}
    user = factories.user()
    names = (user.email, user.email.upper())
    assert [guess("10.0.0.1", names[n % 2]) for n in range(6)] == [401] * 5 + [429]
    page = Client(REMOTE_ADDR="10.0.0.1")
    page.post("/accounts/login/", {"login": user.email, "password": "password"})
    assert "_auth_user_id" not in page.session
    assert guess("10.0.0.2", user.email) == 401, "a stranger's guesses lock nobody else out"
    from_everywhere = [guess(f"10.0.1.{n}", user.email) for n in range(20)]
    assert from_everywhere == [401] * 14 + [429] * 6
