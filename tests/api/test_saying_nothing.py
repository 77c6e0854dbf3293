"""A body that says nothing changes nothing: it is refused, whatever it is written in."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import get_resolver
from rest_framework.exceptions import ParseError

from games.models import LobbyChoice, OnlinePlay
from league.api.requests import Changes, KnownFields
from league.models import AuditEntry, Contact, Role
from tests.league import factories

#: Serializers whose fields may all be left out, because the address does something without them.
ACTS = {
    "AskSerializer": "asks to join, with or without a message",
    "ClaimingSerializer": "claims a player, with or without a message",
    "CommitSerializer": "carries the import out, into a draft or not",
    "CopySerializer": "copies, under a name of its own",
    "LadderTermsSerializer": "a part of a set-up; a ladder may have its usual terms",
    "RoundTermsSerializer": "a part of a set-up; a Swiss or a cup may have its usual terms",
    "LateSerializer": "refused without a pair or a player",
    "LateWaySerializer": "refused without a pair or a player",
    "NewSeasonSerializer": "makes the next season, with its usual name and date",
    "OfARoundSerializer": "of all rounds, or of one",
    "PlannedDivisionSerializer": "a part of a set-up; a division may have its usual name",
    "RetrySerializer": "tries all mails again, or some",
    "SetupSerializer": "previews what is set up as it is",
    "TakenBackSerializer": "takes back, with or without a reason",
    "WhoGoesOnSerializer": "refused without one of the three",
}
BODIES = [
    (b"", "application/json"),
    (b"{}", "application/json"),
    (b"", "application/octet-stream"),
    (b"", "application/x-www-form-urlencoded"),
    (b"--x\r\n\xff\xfe", "multipart/form-data; boundary=x"),
    (
        b'--x\r\nContent-Disposition: form-data; name="is_shared"\r\n\r\ntrue\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
    ),
]


def _below(kind: type[KnownFields]) -> Iterator[type[KnownFields]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def serializers_of_bodies() -> list[type[KnownFields]]:
    assert get_resolver().url_patterns, "all addresses are imported"
    found = {each for each in _below(KnownFields) if each.__module__.startswith(("league", "games"))}
    return sorted(found - {Changes}, key=lambda kind: (kind.__module__, kind.__name__))


def may_be_left_out_whole(kind: type[KnownFields]) -> bool:
    fields = [field for field in kind().fields.values() if not field.read_only]
    return bool(fields) and not any(field.required for field in fields)


def test_what_may_be_left_out_whole_is_an_act_or_a_change() -> None:
    kinds = [each for each in serializers_of_bodies() if may_be_left_out_whole(each)]
    assert {each.__name__ for each in kinds if not issubclass(each, Changes)} == set(ACTS)


def test_a_change_of_nothing_is_refused_and_so_is_a_form() -> None:
    kinds = [each for each in serializers_of_bodies() if may_be_left_out_whole(each)]
    changes = [each for each in kinds if issubclass(each, Changes)]
    assert len(changes) > 10
    for change in changes:
        given = change(data={})
        assert not given.is_valid(), change
        assert "Say what is to be different." in str(given.errors)
    for kind in kinds:
        with pytest.raises(ParseError, match="as JSON"):
            kind(data=QueryDict("")).is_valid()


@pytest.mark.django_db
@pytest.mark.parametrize(("body", "kind"), BODIES)
def test_nothing_is_written(body: bytes, kind: str) -> None:
    running = factories.running(factories.club())
    person, client = factories.member(running.club, Role.OWNER), Client()
    client.force_login(person)
    Contact.objects.create(user=person, telephone="0123 456", address="1 High Street", is_shared=True)

    def rows() -> tuple[Any, ...]:
        return tuple(
            list(model.objects.order_by("pk").values())
            for model in (OnlinePlay, LobbyChoice, Contact, AuditEntry)
        )

    before = rows()
    for address in (
        f"/api/v1/competitions/{running.pk}/online/",
        "/api/v1/tables/choices/",
        "/api/v1/contact/",
        f"/api/v1/clubs/{running.club.slug}/settings/",
    ):
        answer = client.generic("POST", address, body, content_type=kind)
        assert answer.status_code in {400, 415}, (address, answer.content)
        assert answer.json()["error"]["message"]
    assert rows() == before
