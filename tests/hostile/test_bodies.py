"""Fifty megabytes: refused with 413, in words, on a page and to a program."""

import pytest
from django.test import Client

from tests.hostile.rows import count_rows

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(
    "path", ["/api/v1/matches/{}/sheets/", "/matches/{}/scoresheet/", "/accounts/login/"]
)
@pytest.mark.parametrize(
    "kind", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_fifty_megabytes(world, path, kind):
    client = Client()
    client.force_login(world.people["player"])
    before = count_rows()
    refused = client.post(path.format(world.fixture.pk), b"x" * 50 * MEGABYTE, content_type=kind)
    assert refused.status_code == 413
    if path.startswith("/api/"):
        assert refused.json()["error"]["code"] == "too_large"
    assert count_rows() == before


def test_a_wrong_csrf_token_writes_nothing(world):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.people["player"])
    before = count_rows()
    for path in (
        f"/api/v1/matches/{world.fixture.pk}/sheets/",
        "/api/v1/token/",
        "/accounts/logout/",
        "/clubs/new/",
    ):
        for headers in ({}, {"x-csrftoken": "x" * 64}, {"x-csrftoken": "\xff"}):
            refused = client.post(path, "{}", content_type="application/json", headers=headers)
            assert refused.status_code == 403, path
    assert count_rows() == before
