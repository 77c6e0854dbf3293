"""The admin shows rows as they are, and asks no embargo: so nothing that tells of a deal may stand there."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games.models import Action, Scoresheet
from league.admin import ReadOnlyAdmin
from tests.league import factories
from tests.leaks.event import Event, make_event
from tests.leaks.needles import Haystack, Needle

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
#: So many rows of each model, from either end.
ROWS = 2


@pytest.fixture
def event() -> Event:
    return make_event()


def pages(shown: Iterable[Any]) -> Iterator[str]:
    """The addresses of the admin's lists, and of rows of each."""
    for model in shown:
        names = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{names}_changelist")
        rows = model._default_manager.order_by("pk").values_list("pk", flat=True)
        for key in {*rows[:ROWS], *rows.reverse()[:ROWS]}:
            yield reverse(f"{names}_change", args=[key])


def found_in(shown: Iterable[Any], event: Event) -> dict[str, list[Needle]]:
    """What somebody who may look at every row finds of the sealed boards."""
    client, needles = Client(), event.needles()
    client.force_login(factories.user(is_superuser=True, is_staff=True))
    answers = {address: client.get(address) for address in pages(shown)}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {
        address: found
        for address, answer in answers.items()
        if (found := Haystack(answer.content).found(needles))
    }


def test_the_admin_has_nothing_of_sealed_boards(event: Event) -> None:
    assert found_in(admin.site._registry, event) == {}
    assert Action not in admin.site._registry, "one row a card"


def test_control_the_rows_themselves_would_tell(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadOnlyAdmin, "untold", frozenset())

    assert found_in([Scoresheet], event)


def test_the_admin_shows_no_password(event: Event) -> None:
    client, anna = Client(), event.scene.users["anna"]
    client.force_login(factories.user(is_superuser=True, is_staff=True))
    page = client.get(reverse("admin:league_user_change", args=[anna.pk]))

    assert anna.email in page.text
    assert anna.password not in page.text
