"""Devices are told that something is waiting: encrypted for them alone, as their person chose, until they log out."""

import json
from datetime import time, timedelta
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.test import Client
from django.utils import timezone

from league.errors import Invalid
from league.models import Notice, NoticeSettings, OutboxMessage, PushDelivery, PushSubscription, User
from league.notices import events
from league.notices.events import Channel
from league.notices.services import notices, pushes
from league.outgoing import push_messages
from league.outgoing.push_messages import CURVE, decoded, encoded
from tests.outgoing import servers
from tests.outgoing.servers import NAME, server
from tests.scenes import Scene, make_scene

TAKEN = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
CONTEXT = {"club": "Riverside Club", "player": "Anna Berg", "path": "/players/1/"}


class Device:
    """A browser: its key, its secret, and what it reads of a push."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint, self.key, self.secret = endpoint, ec.generate_private_key(CURVE), b"s" * 16

    @property
    def given(self) -> dict[str, str]:
        """What it tells the site."""
        point = push_messages._point(self.key)
        return {"endpoint": self.endpoint, "p256dh": encoded(point), "auth": encoded(self.secret)}

    def read(self, request: bytes) -> dict[str, Any]:
        """By the standard, with the library's own derivation of keys."""
        body = request.split(b"\r\n\r\n", 1)[1]
        salt, length = body[:16], body[20]
        theirs, text = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        info = b"WebPush: info\0" + push_messages._point(self.key) + theirs
        key = HKDF(hashes.SHA256(), 32, self.secret, info).derive(shared)
        content = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(key)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(key)
        plain = AESGCM(content).decrypt(nonce, text, None)
        assert plain.endswith(b"\x02")
        found: dict[str, Any] = json.loads(plain[:-1])
        return found


@pytest.fixture
def scene(db: None, here: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr("league.background.announce._send", lambda _task, _keys: None)
    return make_scene()


def turn_on(
    user: User, device: Device, *, is_detailed: bool = False, session: str = "session"
) -> PushSubscription:
    return pushes.turn_on(
        actor=user, **device.given, session_key=session, is_detailed=is_detailed, at=timezone.now()
    )


def tell(user: User, **more: Any) -> None:
    notices.notify(events.LINKED_YOU, [user], context=CONTEXT, **more)


def test_the_published_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    own = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), CURVE
    )
    made = push_messages.encrypted_with(
        b"When I grow up, I want to be a watermelon",
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        own=own,
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru"
        "3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_device_is_told_that_something_is_waiting_and_no_more(scene: Scene) -> None:
    with server(servers.says(TAKEN)) as target:
        device = Device(target.url)
        turn_on(scene.users["anna"], device)
        tell(scene.users["anna"])
        assert pushes.deliver(at=timezone.now()) == 1
        assert pushes.deliver(at=timezone.now()) == 0
    (request,) = target.asked
    assert device.read(request) == {
        "title": "Concertmaster",
        "path": "/my/notices/",
        "tag": "concertmaster",
        "body": "Something is waiting for you.",
    }
    assert b"Anna" not in request


def test_with_details_it_says_what_in_the_persons_language(scene: Scene) -> None:
    scene.users["anna"].language = "de"
    scene.users["anna"].save()
    with server(servers.says(TAKEN)) as target:
        device = Device(target.url)
        turn_on(scene.users["anna"], device, is_detailed=True)
        tell(scene.users["anna"])
        pushes.deliver(at=timezone.now())
    told = device.read(target.asked[0])
    assert "Anna Berg" in told["title"]
    assert "Sie" in told["title"]
    assert told["path"] == "/players/1/"
    assert PushDelivery.objects.get().contents == ""


def test_the_site_signs_for_itself(scene: Scene) -> None:
    with server(servers.says(TAKEN)) as target:
        turn_on(scene.users["anna"], Device(target.url))
        tell(scene.users["anna"])
        at = timezone.now()
        pushes.deliver(at=at)
    head = target.asked[0].split(b"\r\n\r\n")[0].decode()
    line = next(each for each in head.split("\r\n") if each.startswith("Authorization: vapid t="))
    token, key = line.removeprefix("Authorization: vapid t=").split(", k=")
    signed, _, signature = token.rpartition(".")
    raw = decoded(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(key))
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point.verify(pair, signed.encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        point.verify(pair, signed.encode() + b"x", ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decoded(signed.split(".")[1]))
    assert claims["aud"] == f"https://{NAME}:{target.port}"
    assert at.timestamp() < claims["exp"] <= at.timestamp() + 24 * 3600


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(scene: Scene, status: int) -> None:
    with server(servers.says(f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode())) as target:
        turn_on(scene.users["anna"], Device(target.url))
        tell(scene.users["anna"])
        pushes.deliver(at=timezone.now())
    assert not PushSubscription.objects.exists()
    assert Notice.objects.of(scene.users["anna"]).exists()


def test_a_push_service_that_is_down_is_asked_again_until_the_person_has_read(scene: Scene) -> None:
    with server(servers.says(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")) as target:
        turn_on(scene.users["anna"], Device(target.url))
        tell(scene.users["anna"])
        at = timezone.now()
        pushes.deliver(at=at)
        pushes.deliver(at=at + timedelta(minutes=2))
        assert len(target.asked) == 2
        notices.mark_read(actor=scene.users["anna"], at=at)
        pushes.deliver(at=at + timedelta(hours=1))
        assert len(target.asked) == 2
    assert not PushDelivery.objects.exists()


@pytest.mark.parametrize(
    ("channel", "mails", "pushed"),
    [
        (Channel.MAIL, 1, 1),
        (Channel.POST, 1, 0),
        (Channel.PUSH, 0, 1),
        (Channel.INBOX, 0, 0),
        (Channel.NONE, 0, 0),
    ],
)
def test_each_event_goes_the_ways_that_were_chosen(
    scene: Scene, channel: str, mails: int, pushed: int
) -> None:
    anna = scene.users["anna"]
    turn_on(anna, Device("https://push.example.org/1"))
    notices.choose(actor=anna, channels={"linked_you": channel})
    tell(anna)
    assert OutboxMessage.objects.filter(notice__user=anna).count() == mails
    assert PushDelivery.objects.count() == pushed
    assert Notice.objects.of(anna).count() == (channel != Channel.NONE)


def test_no_more_mails_leaves_the_pushes(scene: Scene) -> None:
    anna = scene.users["anna"]
    notices.unsubscribe(user=anna, event=events.LINKED_YOU)
    assert notices.chosen(user=anna)["linked_you"] == Channel.PUSH
    notices.choose(actor=anna, channels={"linked_you": Channel.POST})
    notices.unsubscribe(user=anna, event=events.LINKED_YOU)
    assert notices.chosen(user=anna)["linked_you"] == Channel.INBOX


def test_quiet_hours_hold_for_pushes_and_a_bounced_address_does_not(scene: Scene) -> None:
    anna = scene.users["anna"]
    turn_on(anna, Device("https://push.example.org/1"))
    notices.be_quiet(actor=anna, begins=time(22), ends=time(7), zone="UTC")
    NoticeSettings.objects.filter(user=anna).update(bounced=anna.email)
    night = timezone.now().replace(hour=23, minute=0)
    tell(anna, at=night)
    delivery = PushDelivery.objects.get()
    assert delivery.next_try_at == (night + timedelta(days=1)).replace(
        hour=7, minute=0, second=0, microsecond=0
    )
    assert not OutboxMessage.objects.filter(notice__user=anna).exists()
    notices.notify(events.TABLE_CALLED, [anna], context={"path": "/"}, at=night)
    assert PushDelivery.objects.count() == 1


def test_logging_out_ends_the_device_and_no_other(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.post("/my/notices/device/", Device("https://push.example.org/1").given).status_code == 302
    turn_on(scene.users["anna"], Device("https://push.example.org/2"), session="elsewhere")
    assert "data-device" in client.get("/my/notices/choices/").text
    client.post("/accounts/logout/")
    assert [each.session for each in PushSubscription.objects.all()] == [pushes.digest_of("elsewhere")]


def test_somebody_else_who_logs_in_on_the_device_gets_nothing_for_the_person_before(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["anna"])
    client.post("/my/notices/device/", Device("https://push.example.org/1").given)
    client.post("/accounts/login/", {"login": "eva@example.org", "password": "concerto-13-cards"})
    client.post("/accounts/logout/")
    assert not PushSubscription.objects.exists()


def test_a_device_that_turns_to_somebody_else_is_told_nothing_of_the_one_before(scene: Scene) -> None:
    device = Device("https://push.example.org/1")
    turn_on(scene.users["anna"], device)
    tell(scene.users["anna"])
    turn_on(scene.users["eva"], device)
    assert PushSubscription.objects.get().user == scene.users["eva"]
    assert not PushDelivery.objects.exists()


def test_another_password_ends_it(scene: Scene) -> None:
    anna = scene.users["anna"]
    with server(servers.says(TAKEN)) as target:
        turn_on(anna, Device(target.url))
        tell(anna)
        anna.set_password("something-else-13")
        anna.save()
        pushes.deliver(at=timezone.now())
    assert not target.asked
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example.org/"},
        {"endpoint": "https://10.0.0.1/"},
        {"endpoint": "https://me:you@push.example.org/"},
        {"p256dh": "AAAA"},
        {"p256dh": "é"},
        {"auth": "short"},
        {"auth": ""},
    ],
)
def test_what_no_browser_gives_is_refused(scene: Scene, wrong: dict[str, str]) -> None:
    given = {**Device("https://push.example.org/1").given, **wrong}
    with pytest.raises(Invalid):
        pushes.turn_on(
            actor=scene.users["anna"], **given, session_key="x", is_detailed=False, at=timezone.now()
        )
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.post("/my/notices/device/", given).status_code == 302
    assert not PushSubscription.objects.exists()


def test_address_and_keys_are_not_in_the_clear_and_devices_have_an_end(scene: Scene) -> None:
    anna = scene.users["anna"]
    for number in range(pushes.MOST + 2):
        turn_on(anna, Device(f"https://push.example.org/hidden-{number}"))
    assert anna.push_subscriptions.count() == pushes.MOST
    assert "hidden" not in str(list(PushSubscription.objects.values()))


def test_nobody_turns_off_somebody_elses_device(scene: Scene) -> None:
    made = turn_on(scene.users["anna"], Device("https://push.example.org/1"))
    client = Client()
    client.force_login(scene.users["eva"])
    client.post("/my/notices/choices/", {"off": made.pk})
    assert PushSubscription.objects.exists()
    client.force_login(scene.users["anna"])
    client.post("/my/notices/choices/", {"off": made.pk})
    assert not PushSubscription.objects.exists()
