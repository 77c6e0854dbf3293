"""Monitors learn whether the service can serve."""

import pytest
from django.db import DatabaseError, connection
from django.test import Client

import config


@pytest.mark.django_db
def test_healthz_says_that_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": True, "version": config.__version__}


@pytest.mark.django_db
def test_healthz_answers_503_when_the_database_is_gone(client: Client) -> None:
    def refuse(*_: object) -> None:
        raise DatabaseError("gone")

    with connection.execute_wrapper(refuse):
        answer = client.get("/healthz")

    assert answer.status_code == 503
    assert answer.json()["database"] is False


@pytest.mark.django_db
def test_pages_allow_nothing_from_elsewhere(client: Client) -> None:
    policy = client.get("/accounts/login/")["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
