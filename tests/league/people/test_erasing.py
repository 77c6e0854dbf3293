"""Erasing a person, and closing an account: the name is nowhere, and everything that was played is still there."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.scoresheets.services import scoresheets
from games.tables.services import opening, seats
from league import idempotency
from league.audit.services import audit
from league.entries.services import withdrawals
from league.errors import Conflict, NotAllowed
from league.imports.services import imports
from league.models import (
    AuditEntry,
    Club,
    Erasure,
    Membership,
    OutboxMessage,
    Player,
    PushDelivery,
    PushSubscription,
    Role,
    StandingsTable,
    User,
)
from league.notices import events
from league.notices.services import notices, outbox, pushes
from league.people.services import erasing, joining, players
from league.standings.services import standings
from league.words.public_names import FORMER
from tests.scenes import Scene, make_scene, make_user, totals_sheet

pytestmark = pytest.mark.django_db
NAMES = ("anna berg", "berg, anna", "berg & okafor", "anna@example.org")


@pytest.fixture
def scene() -> Scene:
    """Anna has played, written, was told, invited and imported: her name is in many kinds of rows."""
    made = make_scene()
    anna, eva, dora = (made.users[name] for name in ("anna", "eva", "dora"))
    sheet = scoresheets.submit(
        actor=anna, fixture=made.fixture, content=totals_sheet((60, 20), (50, 30)), origin="page"
    )
    scoresheets.confirm(actor=eva, sheet=sheet, digest=sheet.digest)
    standings.compute(competition_id=made.competition.pk, at=timezone.now())
    player = made.players[0]
    players.edit(actor=dora, player=player, name="Anna Berg", email="anna@example.org", number="17")
    withdrawals.withdraw(actor=dora, entry=made.entries[0], reason="Anna Berg moves away", at=timezone.now())
    outbox.post(to="eva@example.org", template="claims", context={"player": "Anna Berg"}, club=made.club)
    outbox.post(to="anna@example.org", template="claims", context={"player": "Anna Berg"}, club=made.club)
    audit.record(actor=eva, action="noted", summary="Berg, Anna", club=made.club, reason="ANNA BERG said so")
    adjusted(made)
    PushSubscription.objects.create(
        user=eva, digest="1", session="1", session_digest="1", is_detailed=True, made_at=timezone.now()
    )
    context = {"player": "Anna Berg", "club": str(made.club), "path": "/my/"}
    notices.notify(events.LINKED_YOU, [eva], context=context, club=made.club)
    return made


def adjusted(scene: Scene) -> idempotency.Answer:
    """The answer to a director's program, sent twice: of the second time nothing is written."""
    return idempotency.once(
        actor=scene.users["dora"],
        key="twice",
        action="entry.adjust",
        request={"entry": 1},
        write=lambda: {"rows": [{"reason": "Anna Berg came late", "points": "-1"}]},
    )


def found() -> set[str]:
    """In which columns of our rows the name stands, encrypted ones included."""
    return {place for place, text in _texts() if any(name in text.casefold() for name in NAMES)}


def _texts() -> Iterator[tuple[str, str]]:
    for model in apps.get_models():
        every: models.QuerySet[Any] = models.QuerySet(model)
        for row in every.all():
            for field in model._meta.concrete_fields:
                yield f"{model._meta.label}.{field.name}", str(getattr(row, field.attname))
            if isinstance(row, OutboxMessage):
                yield "league.OutboxMessage.contents", str(outbox.context_of(row))
            if isinstance(row, PushDelivery) and row.contents:
                yield "league.PushDelivery.contents", str(pushes._decrypted(row.contents))


def facts() -> dict[str, Any]:
    """What an erasure may not change."""
    return {
        "trail": list(
            AuditEntry.objects.order_by("pk").values("pk", "at", "action", "actor", "fixture", "player")
        ),
        "places": [
            [(row["entry"], row["place"], row["metrics"]) for row in table.content["rows"]]
            for table in StandingsTable.objects.order_by("pk")
        ],
    }


def test_the_name_is_nowhere_afterwards_and_was_in_many_places_before(scene: Scene) -> None:
    before = found()
    assert {
        "league.Player.name",
        "league.User.name",
        "league.AuditEntry.actor_name",
        "league.AuditEntry.said",
        "league.AuditEntry.summary",
        "league.AuditEntry.after",
        "league.AuditEntry.reason",
        "league.OutboxMessage.contents",
        "league.PushDelivery.contents",
        "league.IdempotencyKey.answer",
    } <= before
    call_command("verify", settle=True)
    kept = facts()
    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())

    assert found() == set()
    after = facts()
    assert after["places"] == kept["places"]
    assert after["trail"][: len(kept["trail"])] == kept["trail"]
    last = AuditEntry.objects.latest("pk")
    assert (last.action, last.player_id) == ("player.erased", scene.players[0].pk)
    assert str(Player.objects.get(pk=scene.players[0].pk)) == FORMER
    assert str(
        scene.entries[0].lineup.__class__.objects.with_players().get(pk=scene.entries[0].lineup_id)
    ) == (f"{FORMER} & Okafor")
    call_command("verify")


def test_the_kept_answer_comes_again_without_the_name_and_another_clubs_stays(scene: Scene) -> None:
    """Were it deleted, a request that is sent again would be carried out again."""
    stranger = make_user("Sven Stranger")
    elsewhere: dict[str, Any] = {"actor": stranger, "key": "k", "action": "player.add", "request": {}}
    idempotency.once(**elsewhere, write=lambda: {"name": "Anna Berg"})
    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    assert adjusted(scene) == {"rows": [{"reason": f"{FORMER} came late", "points": "-1"}]}
    assert idempotency.once(**elsewhere, write=dict) == {"name": "Anna Berg"}


def test_files_of_mails_that_name_the_person_go_with_them(
    scene: Scene, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """However the file writes it: encoded, in the HTML, in the head, in the second of two mails."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    Player.objects.filter(pk=scene.players[0].pk).update(name="Änne Berg")
    mails = [
        ("Hello", "You play", "anna@example.org"),
        ("Hello", "ÄNNE BERG plays " + "on and " * 30, "eva@example.org"),
        ("Berg, Änne", "She plays", "eva@example.org"),
        ("Hello", "Susanne Berger plays", "eva@example.org"),
    ]
    # Django names a file by the second and the connection: one that is gone gives its name to the next.
    connections = [mail.get_connection() for _mail in mails]
    for (subject, body, to), each in zip(mails, connections, strict=True):
        mail.EmailMultiAlternatives(subject, body, to=[to], connection=each).send()
    with_html = mail.EmailMultiAlternatives("Hello", "Nobody", to=["eva@example.org"])
    with_html.attach_alternative("<p>Änne Berg</p>", "text/html")
    plain = mail.EmailMultiAlternatives("Hello", "Nobody", to=["eva@example.org"])
    mail.get_connection().send_messages([plain, with_html])
    assert len(list(tmp_path.iterdir())) == 5

    with transaction.atomic():
        erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
        transaction.set_rollback(True)
    assert len(list(tmp_path.iterdir())) == 5, "what is undone deletes no file"
    with django_capture_on_commit_callbacks(execute=True):
        erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    (left,) = tmp_path.iterdir()
    assert b"Susanne Berger" in left.read_bytes()


def test_the_account_goes_too_and_nobody_logs_in_with_it(scene: Scene) -> None:
    anna = scene.users["anna"]
    client = Client()
    client.force_login(anna)
    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    anna.refresh_from_db()
    assert (anna.is_active, anna.has_usable_password(), anna.email) == (
        False,
        False,
        f"former-member-{anna.pk}@erased.invalid",
    )
    assert client.get(reverse("my")).status_code == 302


def test_an_account_with_another_club_stays_and_is_only_unlinked(scene: Scene) -> None:
    anna, other = scene.users["anna"], Club.objects.create(name="Elsewhere", slug="elsewhere")
    there = Player.objects.create(club=other, name="Anna Berg", user=anna)
    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    anna.refresh_from_db()
    there.refresh_from_db()
    assert (anna.name, anna.is_active, there.name) == ("Anna Berg", True, "Anna Berg")
    assert not Membership.objects.filter(user=anna, club=scene.club).exists()
    assert not AuditEntry.objects.filter(club=scene.club, actor_name__icontains="Berg").exists()


def test_of_two_of_one_name_the_other_keeps_it(scene: Scene) -> None:
    twin, user = Player.objects.create(club=scene.club, name="Anna Berg"), make_user("Annabel Berg")
    User.objects.filter(pk=user.pk).update(name="Anna Berg")
    Player.objects.filter(pk=twin.pk).update(user=user)
    user.refresh_from_db()
    own = audit.record(actor=user, action="noted", summary="Anna Berg was here", player=twin)
    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    own = AuditEntry.objects.get(pk=own.pk)
    assert (own.actor_name, own.summary) == ("Anna Berg", "Anna Berg was here")
    assert Player.objects.get(pk=twin.pk).name == "Anna Berg"
    assert Player.objects.get(pk=scene.players[0].pk).name == FORMER


def test_only_an_owner_erases_and_nobody_twice_and_no_owner(scene: Scene) -> None:
    anna, at = scene.players[0], timezone.now()
    with pytest.raises(NotAllowed):
        erasing.erase(actor=scene.users["dora"], player=anna, at=at)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.OWNER)
    with pytest.raises(Conflict, match="owner"):
        erasing.erase(actor=scene.users["olive"], player=anna, at=at)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.MEMBER)
    erasing.erase(actor=scene.users["olive"], player=anna, at=at)
    with pytest.raises(Conflict, match="already"):
        erasing.erase(actor=scene.users["olive"], player=anna, at=at)


def test_somebody_who_was_only_invited_is_erased_with_the_invitation(scene: Scene) -> None:
    owner, at = scene.users["olive"], timezone.now()
    invited = players.add(actor=owner, club=scene.club, name="Mia Winter", email="mia@example.org")
    joining.invite(actor=owner, club=scene.club, players=[invited.pk], at=at)
    erasing.erase(actor=owner, player=invited, at=at)
    assert not [place for place, text in _texts() if "mia" in text.casefold().split() or "mia@" in text]


def test_an_invitation_goes_though_the_address_was_changed_since(scene: Scene) -> None:
    owner, at = scene.users["olive"], timezone.now()
    invited = players.add(actor=owner, club=scene.club, name="Mia Winter", email="mia@example.org")
    joining.invite(actor=owner, club=scene.club, players=[invited.pk], at=at)
    invited = players.edit(actor=owner, player=invited, name="Mia Winter", email="winter@example.net")
    erasing.erase(actor=owner, player=invited, at=at)
    assert not [place for place, text in _texts() if "mia@" in text or "winter@" in text]


def test_somebody_at_a_table_stands_up_first(scene: Scene) -> None:
    anna = scene.users["anna"]
    table = opening.open_casual(actor=anna, club=scene.club, terms={}, options={})
    if not table.seats.exists():
        seats.sit(actor=anna, table_id=table.pk, seat="N")
    with pytest.raises(Conflict, match="table"):
        erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    erasing.leave_tables(user=anna)
    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    assert not found()


def test_a_preview_counts_and_writes_nothing(scene: Scene) -> None:
    kept, places = facts(), found()
    told = erasing.preview(actor=scene.users["olive"], player=scene.players[0])
    assert told.closes_account
    assert not told.refusals
    assert told.found >= 3
    assert (facts(), found()) == (kept, places)


def test_the_trail_changes_for_nothing_else(scene: Scene) -> None:
    entry: models.QuerySet[Any] = models.QuerySet(AuditEntry).filter(action="noted")
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.update(summary="Rewritten")
    opened = Erasure.objects.create(club=scene.club, made_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.update(at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.delete()
    entry.update(summary="Without the name")
    Erasure.objects.filter(pk=opened.pk).update(is_open=False)
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.update(summary="Once more")
    assert connection.vendor in {"sqlite", "postgresql"}


def test_who_closes_the_own_account_is_gone_from_every_club(scene: Scene) -> None:
    anna, other = scene.users["anna"], Club.objects.create(name="Elsewhere", slug="elsewhere")
    Player.objects.create(club=other, name="Anna Berg", user=anna)
    erasing.close_account(actor=anna, at=timezone.now())
    assert found() == set()
    assert not User.objects.get(pk=anna.pk).is_active
    assert not Erasure.objects.filter(is_open=True).exists()


def test_the_only_owner_closes_no_account(scene: Scene) -> None:
    olive = scene.users["olive"]
    with pytest.raises(Conflict, match="only owner"):
        erasing.close_account(actor=olive, at=timezone.now())
    assert User.objects.get(pk=olive.pk).is_active


# Pages


def confirmed(user: User) -> Client:
    """A browser in which the person has just typed their password."""
    user.set_password("password")
    user.save()
    client = Client()
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": "password"})
    return client


def test_an_owner_looks_types_the_name_and_erases(scene: Scene) -> None:
    client = confirmed(scene.users["olive"])
    address = reverse("desk_player_erase", args=[scene.club.slug, scene.players[0].pk])
    assert "The name appears in" in client.get(address).text
    assert client.post(address, {"name": "Eva Novak"}).status_code == 422
    assert found()
    assert client.post(address, {"name": "Anna Berg"}).status_code == 302
    assert not found()


def test_a_person_closes_the_account_and_is_logged_out(scene: Scene) -> None:
    client = confirmed(scene.users["anna"])
    assert client.get(reverse("my_close")).status_code == 200
    assert client.post(reverse("my_close"))["Location"] == reverse("home")
    assert client.get(reverse("my")).status_code == 302
    assert not found()


def test_the_only_owner_is_told_why_not(scene: Scene) -> None:
    answer = confirmed(scene.users["olive"]).post(reverse("my_close"))
    assert answer.status_code == 409
    assert scene.club.name in answer.text


def test_cells_of_an_import_go_however_the_name_was_written_in_them(scene: Scene) -> None:
    text = "first name,last name,email\nAnna,Berg,old@example.org\nAnnah,Berg,slip@example.org\nNora,Nye,\n"
    batch = imports.preview(
        actor=scene.users["dora"], club=scene.club, kind="players", upload=ContentFile(text.encode(), "a.csv")
    )
    for row in batch.rows[:2]:
        for question in row["questions"]:
            (candidate,) = (each for each in question["candidates"] if each["player"] == scene.players[0].pk)
            said = {row["line"]: {question["place"]: candidate["key"]}}
            batch = imports.mend(
                actor=scene.users["dora"], batch=batch, changes={}, left_out=(), answers=said
            )
    imports.commit(actor=scene.users["dora"], batch=batch)
    withheld = imports.preview(
        actor=scene.users["dora"],
        club=scene.club,
        kind="players",
        upload=ContentFile(b"name,number\nAnnah Berg,\n", "b.csv"),
    )
    assert withheld.rows[0]["questions"]

    erasing.erase(actor=scene.users["olive"], player=scene.players[0], at=timezone.now())
    batch.refresh_from_db()
    withheld.refresh_from_db()
    said_of_her = json.dumps(batch.rows[:2])
    for word in ("Anna", "Berg", "old@", "slip@"):
        assert word not in said_of_her
    assert batch.rows[2]["values"]["last"] == "Nye", "other lines stay"
    assert withheld.rows[0]["questions"] == []
    page = Client()
    page.force_login(scene.users["dora"])
    for each in (batch, withheld):
        assert page.get(reverse("desk_import_batch", args=[scene.club.slug, each.pk])).status_code == 200


def test_the_name_from_before_a_marriage_goes_too(scene: Scene) -> None:
    player, dora = scene.players[0], scene.users["dora"]
    players.edit(actor=dora, player=player, name="Anna Smith", email="anna@example.org", number="17")
    User.objects.filter(pk=scene.users["anna"].pk).update(name="Anna Smith")
    player.refresh_from_db()
    assert found()
    erasing.erase(actor=scene.users["olive"], player=player, at=timezone.now())
    assert found() == set()
