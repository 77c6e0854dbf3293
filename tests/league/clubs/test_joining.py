"""Invitations to be a player: used once, by their person, and telling nobody who has an account."""

import html
import io
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from league.clubs.services import invitations
from league.errors import Conflict, NotAllowed
from league.imports.services import imports
from league.models import AuditEntry, Club, Invitation, Membership, Notice, OutboxMessage, Player, Role, User
from league.notices import events
from league.notices.forms import ChoicesForm
from league.notices.services import notices, outbox
from league.people.services import claims, joining, merging, players
from tests.league import factories

pytestmark = pytest.mark.django_db
AT = timezone.now()
STRONG = "seven green teapots"
NEW = {"new_password1": STRONG, "new_password2": STRONG}


@pytest.fixture
def club() -> Club:
    return factories.club("Riverside")


@pytest.fixture
def dora(club: Club) -> User:
    return factories.member(club, Role.DIRECTOR, factories.user(name="Dora Director"))


@pytest.fixture
def eva(club: Club, dora: User) -> Player:
    return players.add(actor=dora, club=club, name="Eva Novak", email="eva@example.org")


def account(email: str, name: str = "", *, verified: bool = True) -> User:
    user = factories.user(email, name)
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def mailed(dora: User, player: Player, at: datetime = AT) -> str:
    """Invites the player; gives the link's path as it stands in the mail."""
    joining.invite(actor=dora, club=player.club, players=[player.pk], at=at)
    mail.outbox.clear()
    outbox.deliver(at=timezone.now())
    found = re.search(r"/invited/[\w-]+/", str(mail.outbox[-1].body))
    assert found
    return found.group()


def slip(dora: User, player: Player, at: datetime = AT) -> str:
    (made,) = joining.make_slips(actor=dora, club=player.club, players=[player.pk], at=at)
    found = re.search(r"/invited/[\w-]+/", made.address)
    assert found
    return found.group()


def desk(club: Club) -> str:
    return reverse("desk_invitations", args=[club.slug])


# The way in


def test_a_password_makes_the_account_the_player_and_a_member(dora: User, eva: Player) -> None:
    path, client = mailed(dora, eva), Client(headers={"accept-language": "de"})
    assert "Eva Novak" in client.get(path).text
    answer = client.post(path, NEW)
    assert (answer.status_code, answer["Location"]) == (302, "/my/")
    eva.refresh_from_db()
    made = eva.user
    assert made
    assert (made.email, made.name, made.language) == ("eva@example.org", "Eva Novak", "de")
    assert made.check_password(STRONG)
    assert claims.has_verified(user=made, email=eva.email)
    assert Membership.objects.get(user=made, club=eva.club).role == Role.MEMBER
    assert client.get("/my/").wsgi_request.user == made
    assert (eva.linked_by, eva.linked_at) == (dora, eva.email_at), "on the word of who wrote the address"
    told = {each.action: each for each in AuditEntry.objects.filter(player=eva)}
    assert told["player.invited"].actor == dora
    assert told["player.joined"].actor == made
    assert told["player.joined"].after == {"user": made.pk, "issued_by": dora.pk}


def test_the_link_is_of_the_configured_site_and_kept_as_a_digest(
    dora: User, eva: Player, settings: Any
) -> None:
    settings.SITE_URL = "https://cards.example.org"
    path = mailed(dora, eva)
    assert f"https://cards.example.org{path}" in mail.outbox[0].body
    token = path.split("/")[2]
    made = Invitation.objects.get()
    assert made.digest == joining.digest_of(token)
    kept = [
        *Invitation.objects.values_list(),
        *OutboxMessage.objects.values_list(),
        *AuditEntry.objects.values_list(),
    ]
    assert token not in repr(kept)


@pytest.mark.parametrize("has_account", [True, False])
def test_the_mail_looks_like_a_notice_is_signed_and_speaks_the_inviting_persons_language(
    dora: User, eva: Player, *, has_account: bool
) -> None:
    User.objects.filter(pk=dora.pk).update(language="de")
    dora.refresh_from_db()
    if has_account:
        account(eva.email)
    path = mailed(dora, eva)
    message: Any = mail.outbox[0]
    ((html, kind),) = message.alternatives
    assert kind == "text/html"
    assert html.startswith('<!DOCTYPE html>\n<html lang="de"')
    for text in (str(message.body), html):
        assert "Guten Tag, Eva Novak!" in text
        assert "Der Link ist nur für Sie." in text
        assert "Die Einladung kommt von Dora Director." in text
        assert text.count(path) == 1
        assert "/my/notices/choices/" not in text, "there need not be an account yet"
    assert str(message.body).rstrip().endswith("Viele Grüße\nRiverside")
    assert "Viele Grüße<br>Riverside</p>" in html
    assert "List-Unsubscribe" not in message.extra_headers


def test_looking_uses_nothing_up(dora: User, eva: Player) -> None:
    path, scanner = mailed(dora, eva), Client()
    for _each in range(3):
        assert scanner.head(path).status_code == 200
    assert Invitation.objects.get().opened_at is None
    assert scanner.get(path).status_code == 200
    assert Invitation.objects.get().opened_at is not None
    assert Client().post(path, NEW).status_code == 302


@pytest.mark.parametrize(("kind", "days"), [(mailed, 14), (slip, 60)])
def test_a_link_ends(dora: User, eva: Player, kind: Any, days: int) -> None:
    day = timedelta(days=1)
    assert Client().get(kind(dora, eva, AT - days * day + timedelta(hours=1))).status_code == 200
    path = kind(dora, eva, AT - days * day - timedelta(hours=1))
    assert Client().get(path).status_code == 404
    assert Client().post(path, NEW).status_code == 404
    assert not User.objects.filter(email=eva.email).exists()


def test_a_link_works_once(dora: User, eva: Player) -> None:
    path, first = mailed(dora, eva), Client()
    first.post(path, NEW)
    assert first.get(path)["Location"] == "/my/", "in another tab of the same person"
    other = {"new_password1": "another one entirely", "new_password2": "another one entirely"}
    assert Client().post(path, other).status_code == 404
    assert User.objects.get(email=eva.email).check_password(STRONG)


def test_a_weak_password_is_refused_and_the_link_stays(dora: User, eva: Player) -> None:
    path = mailed(dora, eva)
    for weak in ("evanovak", "12345678", "short"):
        assert Client().post(path, {"new_password1": weak, "new_password2": weak}).status_code == 422
    assert Client().post(path, {}).status_code == 422
    assert Client().post(path, NEW).status_code == 302


# For whom it is


def test_an_address_with_an_account_is_asked_for_its_login(dora: User, eva: Player) -> None:
    user = account(eva.email)
    path, stranger = mailed(dora, eva), Client()
    page = stranger.get(path).text
    assert "new_password1" not in page
    assert f"/accounts/login/?next={path}" in page
    assert "new_password1" not in stranger.post(path, NEW).text
    user.refresh_from_db()
    assert user.check_password("password"), "no password is ever set by a link"
    entered = stranger.post(f"/accounts/login/?next={path}", {"login": user.email, "password": "password"})
    assert entered["Location"] == path
    assert stranger.post(path)["Location"] == "/my/"
    eva.refresh_from_db()
    assert eva.user == user


def test_an_address_that_somebody_added_without_confirming_it_sets_no_password(
    dora: User, eva: Player
) -> None:
    squatter = account("other@example.org")
    EmailAddress.objects.create(user=squatter, email="Eva@Example.org", verified=False)
    path = mailed(dora, eva)
    assert "new_password1" not in Client().get(path).text
    with pytest.raises(Conflict):
        joining.join_anew(token=path.split("/")[2], password=STRONG, language="", at=AT)
    assert client_of(squatter).post(path).status_code == 403
    assert User.objects.filter(email__iexact=eva.email).count() == 0


def test_a_forwarded_mail_makes_nobody_else_the_player(dora: User, eva: Player) -> None:
    friend, path = account("friend@example.org"), mailed(dora, eva)
    client = client_of(friend)
    assert "another e-mail address" in client.get(path).text
    assert client.post(path, NEW).status_code == 403
    with pytest.raises(NotAllowed):
        joining.join(actor=friend, token=path.split("/")[2], at=AT)
    eva.refresh_from_db()
    assert eva.user is None
    assert Client().post(path, NEW).status_code == 302, "it is still its person's"


def test_who_is_another_player_of_the_club_keeps_the_link_for_the_right_one(dora: User, eva: Player) -> None:
    user = account(eva.email)
    factories.player(eva.club, "Eva Novak-Berg", user=user)
    path = mailed(dora, eva)
    with pytest.raises(Conflict):
        joining.join(actor=user, token=path.split("/")[2], at=AT)
    assert Client().get(path).status_code == 200


def test_guesses_and_withdrawn_links_open_nothing(dora: User, eva: Player) -> None:
    path = mailed(dora, eva)
    open_tab = Client()
    open_tab.get(path)
    joining.withdraw(actor=dora, player=eva, at=timezone.now())
    assert open_tab.post(path, NEW).status_code == 404
    assert Client().get("/invited/" + "A" * 32 + "/").status_code == 404
    assert Client().get(f"/invited/{Invitation.objects.get().digest}/").status_code == 404
    assert AuditEntry.objects.filter(action="player.invitation_withdrawn").count() == 1


def test_a_new_link_ends_the_older_ones(dora: User, eva: Player) -> None:
    first, second = mailed(dora, eva), slip(dora, eva)
    third = mailed(dora, eva)
    assert [Client().get(each).status_code for each in (first, second, third)] == [404, 404, 200]


def test_another_address_of_the_player_ends_the_link_to_the_old_one(dora: User, eva: Player) -> None:
    path = mailed(dora, eva)
    players.edit(actor=dora, player=eva, name=eva.name, email="eva@new.example.org")
    assert Client().post(path, NEW).status_code == 404


def test_a_player_merged_meanwhile_is_joined_as_the_one_that_stays(dora: User, eva: Player) -> None:
    path = mailed(dora, eva)
    kept = factories.player(eva.club, "Eva Nowak")
    merging.merge(actor=dora, keep=kept, duplicate=eva)
    assert Client().post(path, NEW).status_code == 302
    kept.refresh_from_db()
    assert kept.user
    assert kept.user.email == "eva@example.org"


# Slips


def test_a_slip_asks_for_an_account_and_leads_back(dora: User, club: Club, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    luis = players.add(actor=dora, club=club, name="Luis Reyes")
    path, client = slip(dora, luis), Client()
    page = client.get(path).text
    assert "new_password1" not in page
    assert "Luis Reyes" in page
    assert client.post(path, {"new": "1"})["Location"] == "/accounts/signup/"
    fields = {"name": "Luis Reyes", "email": "luis@example.org", "password1": STRONG, "password2": STRONG}
    assert client.post("/accounts/signup/", fields)["Location"] == path
    assert "Yes, I’m Luis Reyes" in client.get(path).text
    assert client.post(path)["Location"] == "/my/"
    luis.refresh_from_db()
    assert luis.user
    assert luis.user.email == "luis@example.org"
    assert luis.linked_by == dora, "a slip proves nothing but that its issuer gave it away"
    assert luis.linked_at
    assert luis.linked_at >= AT


def test_a_slip_makes_no_account_by_itself(dora: User, eva: Player) -> None:
    path = slip(dora, eva)
    assert Client().post(path, {**NEW, "email": "x@example.org"})["Location"] == "/accounts/login/"
    with pytest.raises(NotAllowed):
        joining.join_anew(token=path.split("/")[2], password=STRONG, language="", at=AT)


def test_slips_are_printed_for_those_without_an_address(dora: User, eva: Player, settings: Any) -> None:
    settings.SITE_URL = "https://cards.example.org"
    players.add(actor=dora, club=eva.club, name="Luis Reyes")
    answer = client_of(dora).post(reverse("player_slips", args=[eva.club.slug]))
    assert answer["Content-Type"] == "application/pdf"
    assert "no-store" in answer["Cache-Control"]
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    assert "Luis Reyes" in text
    assert "Eva Novak" not in text
    found = re.search(r"cards\.example\.org(/invited/[\w-]+/)", text.replace("\n", ""))
    assert found
    assert Client().get(found.group(1)).status_code == 200
    again = client_of(dora).post(reverse("player_slips", args=[eva.club.slug]))
    assert again.status_code == 302, "everyone has one"


# The director's table


def test_the_table_says_who_was_invited_opened_joined_and_bounced(dora: User, club: Club) -> None:
    rows = {
        name: players.add(actor=dora, club=club, name=name, email=f"{name.split()[0].lower()}@example.org")
        for name in ("Ada Invited", "Ben Opened", "Cara Joined", "Dan Bounced", "Edda Expired")
    }
    paths = {name: mailed(dora, row, AT) for name, row in rows.items()}
    Client().get(paths["Ben Opened"])
    Client().post(paths["Cara Joined"], NEW)
    OutboxMessage.objects.filter(to="dan@example.org").update(given_up_at=AT)
    Invitation.objects.filter(player=rows["Edda Expired"]).update(expires_at=AT)
    page = client_of(dora).get(desk(club)).text
    words = ("invited", "opened", "joined", "not delivered", "expired")
    for (name, _row), word in zip(rows.items(), words, strict=True):
        row = page[page.index(f">{name}<") :]
        assert f">{word}</span>" in row[: row.index("</tr>")]


def test_an_invitation_that_comes_back_later_is_marked(dora: User, club: Club, eva: Player) -> None:
    ben = players.add(actor=dora, club=club, name="Ben Berg", email="ben@example.org")
    for each in (eva, ben):
        mailed(dora, each)
    call_command("bounced", "EVA@example.org")
    now = timezone.now()
    assert Invitation.objects.get(player=eva).stage(now) == "bounced"
    assert Invitation.objects.get(player=ben).stage(now) == "invited"
    assert ">not delivered</span>" in client_of(dora).get(desk(club)).text
    call_command("bounced", "eva@example.org")
    assert AuditEntry.objects.filter(action="mail.bounced", player=eva).count() == 1
    assert not OutboxMessage.objects.given_up().exists(), "it was handed over: nobody sends it again"


def test_all_with_an_address_are_invited_at_once_and_nobody_twice(dora: User, eva: Player) -> None:
    for name in ("Ada Berg", "Ben Berg"):
        players.add(actor=dora, club=eva.club, name=name, email=f"{name[:3].lower()}@example.org")
    players.add(actor=dora, club=eva.club, name="Nora No-Mail")
    client = client_of(dora)
    assert "Invite the 3 players with an address" in client.get(desk(eva.club)).text
    answer = client.post(desk(eva.club), {"what": "all"}, follow=True)
    assert "3 invitations are on their way." in answer.text
    client.post(desk(eva.club), {"what": "all"})
    assert OutboxMessage.objects.filter(template=joining.TEMPLATE).count() == 3
    client.post(desk(eva.club), {"what": "send", "key": eva.pk})
    assert OutboxMessage.objects.filter(template=joining.TEMPLATE, to=eva.email).count() == 2
    client.post(desk(eva.club), {"what": "withdraw", "key": eva.pk})
    assert "withdrawn" in client.get(desk(eva.club)).text


def test_one_address_gets_few_invitations_in_a_day(dora: User, eva: Player) -> None:
    for _each in range(joining.MOST_TO_ONE):
        assert joining.invite(actor=dora, club=eva.club, players=[eva.pk], at=AT).invited
    refused = joining.invite(actor=dora, club=eva.club, players=[eva.pk], at=AT)
    assert not refused.invited
    assert refused.left_out[0][0] == eva


@pytest.mark.parametrize("key", ["", "0", "x", "9" * 40, "٣"])
def test_strange_keys_are_not_found(dora: User, club: Club, key: str) -> None:
    for what in ("send", "withdraw", "import"):
        assert client_of(dora).post(desk(club), {"what": what, "key": key}).status_code == 404


def test_only_directors_invite(club: Club, eva: Player) -> None:
    for role in (Role.SCORER, Role.MEMBER):
        user = factories.member(club, role)
        assert client_of(user).get(desk(club)).status_code == 403
        for call in (joining.invite, joining.make_slips):
            with pytest.raises(NotAllowed):
                call(actor=user, club=club, players=[eva.pk], at=AT)
        with pytest.raises(NotAllowed):
            joining.withdraw(actor=user, player=eva, at=AT)


# No oracle


def test_the_club_sees_the_same_whether_the_address_has_an_account(dora: User, club: Club) -> None:
    known = account("known@example.org")
    rows = [
        players.add(actor=dora, club=club, name=name, email=email)
        for name, email in (("Kim Aaaa", known.email), ("Kim Bbbb", "other@example.org"))
    ]
    client = client_of(dora)
    said = []
    for row in rows:
        client.post(desk(club), {"what": "send", "key": row.pk})
        page = client.get(desk(club)).text
        line = page[page.index(f">{row.name}<") :]
        edit = client.get(reverse("desk_player", args=[club.slug, row.pk])).text
        texts = [line[: line.index("</tr>")], edit]
        said.append([_same(text, row) for text in texts])
    assert said[0] == said[1]
    outbox.deliver(at=timezone.now())
    first, second = (_same(str(each.body), row) for each, row in zip(mail.outbox[-2:], rows, strict=True))
    assert first == second


def test_an_invitation_asks_the_database_the_same_for_every_address(dora: User, club: Club) -> None:
    account("known@example.org")
    asked = []
    for email in ("known@example.org", "other@example.org"):
        row = players.add(actor=dora, club=club, name="Kim Berg", email=email)
        with CaptureQueriesContext(connection) as queries:
            joining.invite(actor=dora, club=club, players=[row.pk], at=AT)
        asked.append(len(queries))
        assert not [each for each in queries.captured_queries if "account_emailaddress" in each["sql"]]
    assert asked[0] == asked[1]


def _same(text: str, row: Player) -> str:
    """The text without what differs between any two players."""
    plain = text.replace(row.name, "NAME").replace(row.email, "MAIL")
    plain = re.sub(rf'(value="|/players/){row.pk}\b', "KEY", plain)
    return re.sub(r'/invited/[\w-]+/|name="csrfmiddlewaretoken" value="\w+"', "", plain)


# Passkeys (with a device that makes them: tests/browser/test_passkeys.py)


@pytest.mark.parametrize(
    "credential",
    ["x", "{}", "[]", "0", '"text"', '{"id": "AA", "rawId": "BB"}', '{"rawId": "AA", "response": {}}']
    + ["[" * 5000, "1" * 5000, "NaN", '{"response": {"userHandle": "\\u0000"}}', f'{{"a": "{"A" * 20_000}"}}']
    + [
        f'{{"rawId": "AA", "response": {{"clientDataJSON": "{one}", "attestationObject": "{two}"}}}}'
        for one, two in (("e30", "oA"), ("AA", "AA"), ("W10", ""), ("e30", "v2E"), ("e30", "gYGB" * 1000))
    ],
)
def test_what_is_no_passkey_makes_no_account(dora: User, eva: Player, credential: str) -> None:
    cache.clear()
    path, client = mailed(dora, eva), Client()
    for is_asked in (False, True):
        if is_asked:
            asked = client.post("/invited/passkey/", {"email": eva.email, "name": eva.name})
            assert asked.json()["publicKey"]["authenticatorSelection"]["userVerification"] == "required"
        for fields in ({}, NEW):
            answer = client.post(path, {**fields, "credential": credential})
            assert answer.status_code == 422, "not even with a password beside it"
            assert "(Hidden field" not in answer.text
        form = {"name": "Eva", "email": "eva@new.example.org", "credential": credential}
        refused = client.post("/accounts/signup/", form)
        assert refused.status_code == 200
        assert "(Hidden field" not in refused.text
        assert client.post("/accounts/2fa/webauthn/login/", {"credential": credential}).status_code == 302
    assert not User.objects.filter(email__startswith="eva@").exists()
    assert Client().post(path, NEW).status_code == 302, "the link stays"


def test_a_browser_sends_the_field_of_the_passkey_with_a_password(dora: User, eva: Player) -> None:
    path, client = mailed(dora, eva), Client()
    for page in (path, "/accounts/signup/"):
        (field,) = re.findall(r'<input[^>]*name="credential"[^>]*>', client.get(page).text)
        sent = html.unescape("".join(re.findall(r'value="([^"]*)"', field)))
        fields = {"name": "Ina", "email": "ina@example.org", "password1": STRONG, "password2": STRONG, **NEW}
        assert client.post(page, {**fields, "credential": sent}).status_code == 302
        client.logout()
    assert User.objects.get(email="ina@example.org").check_password(STRONG)


def test_the_question_for_a_passkey_tells_nothing_of_accounts(dora: User) -> None:
    account("known@example.org")
    said = []
    for email in ("known@example.org", "other@example.org"):
        answer = Client().post("/invited/passkey/", {"email": email, "name": "Kim"}).json()["publicKey"]
        assert len(answer.pop("challenge")) > 20
        assert answer["user"].pop("name") == email
        assert len(answer["user"].pop("id")) > 40
        said.append(answer)
    assert said[0] == said[1]
    assert Client().get("/invited/passkey/").status_code == 405


def test_who_was_imported_is_invited_from_the_page_of_the_import(club: Club, dora: User) -> None:
    """Those of the file who have an address and no account; nobody who was in the club before."""
    factories.player(club, "Olga Old", email="olga@example.org")
    lines = "name,email\nAnna New,anna@example.org\nNo Address,\nCarl New,carl@example.org\n"
    upload = SimpleUploadedFile("new.csv", lines.encode())
    batch = imports.preview(actor=dora, club=club, kind="players", upload=upload)
    client = Client()
    client.force_login(dora)
    page = f"/clubs/{club.slug}/desk/import/{batch.pk}/"
    assert "Invite the" not in client.get(page).text, "nothing is imported yet"
    imports.commit(actor=dora, batch=batch)
    assert "Invite the 2 players with an address" in client.get(page).text
    desk = reverse("desk_invitations", args=[club.slug])
    answer = client.post(desk, {"what": "import", "key": batch.pk}, follow=True)
    assert "2 invitations are on their way" in answer.text
    invited = Invitation.objects.values_list("player__name", flat=True)
    assert set(invited) == {"Anna New", "Carl New"}
    assert "Invite the" not in client.get(page).text, "all are invited"
    other = factories.club("Elsewhere")
    foreign = imports.preview(
        actor=factories.member(other, Role.DIRECTOR),
        club=other,
        kind="players",
        upload=SimpleUploadedFile("new.csv", lines.encode()),
    )
    assert client.post(desk, {"what": "import", "key": foreign.pk}).status_code == 404


def invited(user: User) -> list[Notice]:
    return list(Notice.objects.of(user).filter(event=events.INVITED.key))


def test_an_invitation_is_a_notice_to_the_account_of_the_address_told_once(dora: User, eva: Player) -> None:
    person, unproven = account("Eva@example.org"), account("tom@example.org", verified=False)
    players.add(actor=dora, club=eva.club, name="Tom Reed", email="tom@example.org")
    path = mailed(dora, eva)
    assert joining.tell_invited(at=AT) == 1
    assert joining.tell_invited(at=AT) == 0, "told once"
    assert invited(unproven) == []
    (told,) = invited(person)
    assert path not in str(told.context), "a link that joins stands in the mail alone"
    assert OutboxMessage.objects.filter(template=events.INVITED.key).count() == 0, (
        "the invitation is the mail"
    )
    page = client_of(person).get("/my/notices/").text
    assert "Riverside has invited you" in page
    assert "Riverside lists you as Eva Novak" in page
    assert "Yes, that’s me" in client_of(person).get(told.context["path"]).text


def test_an_invitation_that_is_over_answered_or_old_is_told_to_nobody(dora: User, eva: Player) -> None:
    person = account(eva.email)
    joining.invite(actor=dora, club=eva.club, players=[eva.pk], at=AT)
    assert joining.tell_invited(at=AT + timedelta(days=2)) == 0
    with transaction.atomic():
        joining.withdraw(actor=dora, player=eva, at=AT)
        assert joining.tell_invited(at=AT) == 0
        transaction.set_rollback(True)
    claims.answer(actor=person, player=eva, is_me=False, at=timezone.now())
    assert joining.tell_invited(at=AT) == 0
    assert invited(person) == []


def test_an_invitation_to_a_role_is_a_notice_that_leads_to_the_answer(dora: User, club: Club) -> None:
    owner, person = factories.member(club, Role.OWNER), account("sally@example.org")
    made = invitations.invite(actor=owner, club=club, email=person.email, role=Role.SCORER, at=AT)
    joining.tell_invited(at=AT)
    (told,) = invited(person)
    assert told.context["path"] == reverse("invitation", args=[made.pk])
    assert "has invited you to join as scorer" in client_of(person).get("/my/notices/").text
    assert client_of(person).get(told.context["path"]).status_code == 200


def test_who_is_invited_chooses_devices_and_not_the_mail_that_always_comes(dora: User, eva: Player) -> None:
    person = account(eva.email)
    offered = dict(ChoicesForm(user=person).fields["invited"].choices)  # type: ignore[attr-defined]
    assert list(offered.values()) == ["by mail and here"]
    notices.choose(actor=person, channels={"invited": "none"})
    joining.invite(actor=dora, club=eva.club, players=[eva.pk], at=AT)
    assert joining.tell_invited(at=AT) == 0
    assert OutboxMessage.objects.filter(to=eva.email).count() == 1
