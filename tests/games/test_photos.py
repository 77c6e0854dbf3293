"""Photos of the paper: what is taken in, what becomes of it, who sees it, and when it goes."""

import io
import struct
import subprocess
import sys
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from games.models import Board, Match, Participation, SheetPhoto
from games.scoresheets import photo_encoder
from games.scoresheets.picture_files import Picture, picture_of
from games.scoresheets.services import matches, photos, scoresheets
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Membership, Player, Role
from league.people.services import erasing
from tests.games.boards import duplicate_scene, sealed
from tests.scenes import Scene, make_scene, make_user, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
AT = datetime(2026, 10, 2, 12, tzinfo=UTC)
KINDS = ("JPEG", "PNG", "WEBP")


def picture(kind: str = "JPEG", size: tuple[int, int] = (64, 48), **options: Any) -> bytes:
    """A picture of a sheet: left half red, right half blue."""
    image = Image.new("RGB", size, "blue")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def png_of(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is so large, all of one colour."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packer = zlib.compressobj(9)
    row = b"\x00" + b"\x00" * width
    rows = b"".join(packer.compress(row) for _each in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def added(scene: Scene, content: bytes | None = None, *, who: str = "anna", at: datetime = AT) -> SheetPhoto:
    data = picture() if content is None else content
    return photos.add(actor=scene.users[who], fixture=scene.fixture, picture=data, at=at)


def ready(scene: Scene, content: bytes | None = None) -> SheetPhoto:
    photo = added(scene, content)
    assert photos.prepare(photo_id=photo.pk, at=AT)
    photo.refresh_from_db()
    return photo


def url_of(photo: SheetPhoto) -> str:
    return f"/matches/{photo.fixture_id}/photos/{photo.pk}/"


def client_of(scene: Scene, name: str = "") -> Client:
    client = Client()
    if name:
        client.force_login(scene.users[name])
    return client


# What the first bytes say


@pytest.mark.parametrize("kind", KINDS)
def test_kind_and_size_are_read_without_decoding(kind: str) -> None:
    found = picture_of(picture(kind, (321, 123)))
    assert found is not None
    assert (found.kind.upper(), found.width, found.height) == (kind, 321, 123)


@pytest.mark.parametrize(
    "options",
    [{"lossless": True}, {"exif": Image.Exif()}, {"quality": 10}],
    ids=["lossless", "extended", "simple"],
)
def test_each_form_of_webp_says_how_large_it_is(options: dict[str, Any]) -> None:
    assert picture_of(picture("WEBP", (33, 44), **options)) == Picture("WebP", 33, 44)


def test_what_is_no_picture_is_none() -> None:
    jpeg = picture()
    for data in (
        b"",
        b"\xff\xd8\xff",
        b"GIF89a" + jpeg,
        b"%PDF-1.4" + jpeg,
        b"<svg/>",
        b"RIFF0000WEBPVP8X",
        b"BM",
    ):
        assert picture_of(data) is None, data[:12]
    for length in range(60):
        picture_of(jpeg[:length])  # never raises
        picture_of(picture("PNG")[:length])
        picture_of(picture("WEBP")[:length])


# The child process


def test_a_photo_becomes_a_small_upright_jpeg_without_anything_else() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lying on its side: to be turned a quarter clockwise
    exif[0x010E] = "a secret place"
    sent = picture(
        "JPEG", (3000, 1200), exif=exif, comment=b"a secret comment", icc_profile=b"a secret profile"
    )
    sent += b"<script>a secret tail</script>"
    made = photo_encoder.encode(sent)
    image = Image.open(io.BytesIO(made))
    assert (image.format, image.size) == ("JPEG", (800, 2000))
    assert b"secret" not in made
    assert not image.getexif()
    assert "comment" not in image.info
    # Red was on the left, so it is on top now.
    top, bottom = image.convert("RGB").getpixel((400, 200)), image.convert("RGB").getpixel((400, 1800))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[0] > 200 > bottom[0]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "1", "L", "CMYK", "I;16"])
def test_pictures_of_every_mode_are_taken(mode: str) -> None:
    file = io.BytesIO()
    kind = "JPEG" if mode == "CMYK" else "PNG"
    Image.new("RGBA" if mode == "P" else mode, (10, 10)).convert(mode).save(file, kind)
    assert Image.open(io.BytesIO(photo_encoder.encode(file.getvalue()))).mode == "RGB"


def test_greys_of_16_bits_keep_their_shades() -> None:
    file = io.BytesIO()
    Image.new("I;16", (3000, 10), 0x8000).save(file, "PNG")
    made = Image.open(io.BytesIO(photo_encoder.encode(file.getvalue())))
    shade = made.getpixel((1000, 3))
    assert made.size == (2000, 7)
    assert isinstance(shade, tuple)
    assert all(126 <= value <= 130 for value in shade)


def run(data: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", photo_encoder.__file__], input=data, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    "data", [b"", b"no picture", picture()[:400], picture("PNG")[:90], picture("WEBP")[:60]]
)
def test_what_cannot_be_read_ends_with_a_refusal_and_nothing_else(data: bytes) -> None:
    done = run(data)
    assert (done.returncode, done.stdout) == (photo_encoder.REFUSED, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a process within its address space")
def test_the_child_has_so_much_memory_and_no_more() -> None:
    greedy = (
        "import runpy, sys; m = runpy.run_path(sys.argv[1]); m['limit_resources']();"
        "\ntry:\n bytearray(2 * m['MEMORY'])\nexcept MemoryError:\n print('refused')"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", greedy, photo_encoder.__file__],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stdout == "refused\n"


def test_the_largest_picture_fits_into_the_childs_memory() -> None:
    done = run(png_of(8000, 5000))
    assert done.returncode == 0
    assert Image.open(io.BytesIO(done.stdout)).size == (2000, 1250)


# Taking in


def test_a_photo_is_kept_encrypted_and_said_in_the_trail(scene: Scene) -> None:
    photo = added(scene)
    assert b"JFIF" not in bytes(photo.content)
    assert AuditEntry.objects.get(action="photo.added").fixture == scene.fixture
    assert photos.prepare(photo_id=photo.pk, at=AT)
    assert not photos.prepare(photo_id=photo.pk, at=AT)
    photo.refresh_from_db()
    assert b"JFIF" not in bytes(photo.content)
    assert b"JFIF" in photos.content_of(photo=photo)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"GIF89a" + b"0" * 100, "cannot|JPEG, PNG or WebP"),
        (b"", "JPEG, PNG or WebP"),
        (png_of(10_000, 5_000), "too many pixels"),
        (b"\xff\xd8\xff" + b"0" * settings.PHOTO_MAX_SIZE, "too large"),
    ],
    ids=["gif", "empty", "bomb", "large"],
)
def test_what_is_no_photo_is_refused_in_words(scene: Scene, data: bytes, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        added(scene, data)
    assert not SheetPhoto.objects.exists()


def test_a_bomb_that_lies_about_its_size_is_not_read(scene: Scene) -> None:
    # The header says 100 × 100, the data are those of a large picture.
    honest = png_of(6000, 6000)
    head = struct.pack(">IIBBBBB", 100, 100, 8, 0, 0, 0, 0)
    lie = honest[:16] + head + struct.pack(">I", zlib.crc32(b"IHDR" + head)) + honest[33:]
    photo = added(scene, lie)
    photos.prepare(photo_id=photo.pk, at=AT)
    photo.refresh_from_db()
    assert photo.size < 100_000


def test_a_truncated_photo_fails_in_words_and_makes_room(scene: Scene) -> None:
    photo = added(scene, picture("JPEG", (400, 300))[:-900])
    assert not photos.prepare(photo_id=photo.pk, at=AT)
    photo.refresh_from_db()
    assert (photo.state, photo.size, bytes(photo.content)) == ("failed", 0, b"")
    assert (
        "We couldn’t read this photo"
        in client_of(scene, "anna").get(f"/matches/{scene.fixture.pk}/").content.decode()
    )
    added(scene)
    assert SheetPhoto.objects.count() == 1


def test_a_match_has_two_photos(scene: Scene) -> None:
    added(scene)
    added(scene, who="eva")
    with pytest.raises(Conflict, match="already has two photos"):
        added(scene)


def test_a_club_has_a_quota(scene: Scene, settings: Any) -> None:
    first = added(scene)
    settings.PHOTO_QUOTA = first.size + 10
    with pytest.raises(Conflict, match="no room for more"):
        added(scene)
    photos.remove(actor=scene.users["anna"], photo=first, at=AT)
    added(scene)


def test_who_may_enter_the_sheet_may_add_a_photo(scene: Scene) -> None:
    for who in ("anna", "sam"):
        photos.remove(actor=scene.users[who], photo=added(scene, who=who), at=AT)
    with pytest.raises(NotAllowed):
        added(scene, who="iris")


def test_who_added_it_or_an_official_removes_it(scene: Scene) -> None:
    photo = added(scene)
    with pytest.raises(NotAllowed):
        photos.remove(actor=scene.users["eva"], photo=photo, at=AT)
    photos.remove(actor=scene.users["sam"], photo=photo, at=AT)
    photos.remove(actor=scene.users["sam"], photo=photo, at=AT)
    assert AuditEntry.objects.filter(action="photo.removed").count() == 1


def confirmed(scene: Scene) -> datetime:
    """Enters and confirms a sheet; gives the end of the correction window."""
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=FOUR, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    locks_at = Match.objects.get(pk=scene.fixture.pk).locks_at
    assert locks_at is not None
    return locks_at


def test_who_added_it_removes_it_no_more_once_a_sheet_has_counted(scene: Scene) -> None:
    photo = added(scene)
    confirmed(scene)
    with pytest.raises(NotAllowed):
        photos.remove(actor=scene.users["anna"], photo=photo, at=timezone.now())
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Deal 2 was wrong")
    with pytest.raises(NotAllowed):
        photos.remove(actor=scene.users["anna"], photo=photo, at=timezone.now())
    photos.remove(actor=scene.users["dora"], photo=photo, at=timezone.now())
    told = AuditEntry.objects.get(action="photo.removed")
    assert (told.actor, told.fixture) == (scene.users["dora"], scene.fixture)
    assert "added by Anna Berg" in told.summary


@pytest.mark.parametrize("role", [Role.SCORER, Role.DIRECTOR, Role.OWNER])
@pytest.mark.parametrize("number", [0, 1], ids=["own match", "another match"])
@pytest.mark.parametrize("is_alone", [False, True])
def test_an_official_who_plays_in_the_event_removes_what_any_player_may(
    scene: Scene, role: str, number: int, *, is_alone: bool
) -> None:
    """The paper that would convict the own pair, or a friend's, is there when a neutral official comes to look."""
    anna, fixture = scene.users["anna"], scene.fixtures[number]
    if is_alone:
        Membership.objects.filter(club=scene.club).update(role=Role.MEMBER)
    Membership.objects.filter(user=anna).update(role=role)
    who = scene.users[("eva", "iris")[number]]
    photo = photos.add(actor=who, fixture=fixture, picture=picture(), at=AT)
    with pytest.raises(NotAllowed):
        photos.remove(actor=anna, photo=photo, at=AT)
    page = client_of(scene, "anna").get(f"/matches/{fixture.pk}/").content.decode()
    assert f"{photo.pk}/remove/" not in page
    assert client_of(scene, "anna").post(f"{url_of(photo)}remove/").status_code == 403
    own = photos.add(actor=anna, fixture=fixture, picture=picture(), at=AT)
    photos.remove(actor=anna, photo=own, at=AT)
    assert SheetPhoto.objects.get() == photo


def test_after_the_correction_window_photos_stay_as_they_are(scene: Scene) -> None:
    photo = added(scene)
    late = confirmed(scene) + timedelta(seconds=1)
    with pytest.raises(Conflict, match="can’t change"):
        added(scene, at=late)
    with pytest.raises(Conflict, match="can’t change"):
        photos.remove(actor=scene.users["dora"], photo=photo, at=late)


# Seeing


def test_a_photo_is_seen_by_those_who_see_the_deals_and_kept_by_nobody(scene: Scene) -> None:
    photo = ready(scene)
    answer = client_of(scene).get(url_of(photo))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "X-Keep-Offline" not in answer
    other = scene.fixtures[1].pk
    assert client_of(scene).get(f"/matches/{other}/photos/{photo.pk}/").status_code == 404
    scene.competition.visibility = "members"
    scene.competition.save()
    assert client_of(scene).get(url_of(photo)).status_code == 404
    assert client_of(scene, "anna").get(url_of(photo)).status_code == 200


def test_a_photo_is_not_shown_before_it_is_prepared(scene: Scene) -> None:
    photo = added(scene)
    assert client_of(scene, "anna").get(url_of(photo)).status_code == 404
    page = client_of(scene, "anna").get(f"/matches/{scene.fixture.pk}/").content.decode()
    assert "We’re preparing this photo" in page


def test_a_photo_is_uploaded_on_the_match_page(scene: Scene) -> None:
    client, url = client_of(scene, "anna"), f"/matches/{scene.fixture.pk}/photos/"
    assert "Add a photo" in client.get(f"/matches/{scene.fixture.pk}/").content.decode()
    answer = client.post(url, {"photo": SimpleUploadedFile("x.exe", picture("WEBP"))}, follow=True)
    assert "You have added the photo" in answer.content.decode()
    answer = client.post(url, {"photo": SimpleUploadedFile("x.jpg", b"MZ not a photo")}, follow=True)
    assert "We can’t read this photo" in answer.content.decode()
    assert "Choose a photo" in client.post(url, follow=True).content.decode()
    assert "Choose a photo" in client.post(url, {"photo": "words"}, follow=True).content.decode()
    assert (
        client_of(scene, "iris").post(url, {"photo": SimpleUploadedFile("x.jpg", picture())}).status_code
        == 403
    )
    assert SheetPhoto.objects.count() == 1


def test_a_request_may_weigh_a_photo_there_and_nowhere_else(scene: Scene) -> None:
    large = picture() + b"0" * (7 * 1024 * 1024)
    sent = {"photo": SimpleUploadedFile("x.jpg", large)}
    assert client_of(scene, "anna").post(f"/matches/{scene.fixture.pk}/photos/", sent).status_code == 302
    assert SheetPhoto.objects.count() == 1
    sent = {"photo": SimpleUploadedFile("x.jpg", large)}
    assert client_of(scene, "anna").post(f"/matches/{scene.fixture.pk}/reject/", sent).status_code == 413
    sent = {"photo": SimpleUploadedFile("x.jpg", large + b"0" * 2 * 1024 * 1024)}
    assert client_of(scene, "anna").post(f"/matches/{scene.fixture.pk}/photos/", sent).status_code == 413


@pytest.mark.django_db
def test_the_paper_of_sealed_boards_is_shown_to_those_who_see_its_deals() -> None:
    scene = duplicate_scene()
    sealed(scene)
    photo = ready(scene)
    seen = {
        who: client_of(scene, who).get(url_of(photo)).status_code
        for who in ("", "anna", "eva", "dora", "iris")
    }
    assert seen == {"": 404, "anna": 200, "eva": 200, "dora": 200, "iris": 404}
    page = client_of(scene, "iris").get(f"/matches/{scene.fixture.pk}/").content.decode()
    assert url_of(photo) not in page
    Board.objects.update(released_at=AT)
    assert client_of(scene, "iris").get(url_of(photo)).status_code == 200


# Going


def test_a_photo_goes_90_days_after_the_correction_window(scene: Scene) -> None:
    photo = ready(scene)
    ends = confirmed(scene) + timedelta(days=90)
    at = AT
    while at < ends - timedelta(days=1):
        at = min(at + timedelta(days=45), ends - timedelta(seconds=1))
        photos.sweep(at=at)
    assert SheetPhoto.objects.filter(pk=photo.pk).exists()
    photos.sweep(at=ends)
    assert not SheetPhoto.objects.exists()


def test_the_paper_of_an_undecided_match_is_kept_for_a_year(scene: Scene) -> None:
    ready(scene)
    for days in range(0, 365, 73):
        photos.sweep(at=AT + timedelta(days=days))
    assert SheetPhoto.objects.exists()
    photos.sweep(at=AT + timedelta(days=366))
    assert not SheetPhoto.objects.exists()


def test_the_sweep_prepares_what_was_left_lying_three_times_at_most(scene: Scene, monkeypatch: Any) -> None:
    photo = added(scene)
    SheetPhoto.objects.update(tries=1, due_at=AT + photos.LEASE)  # a worker died with it
    assert photos.sweep(at=AT) == 0
    assert photos.sweep(at=AT + photos.LEASE) == 1
    photo.refresh_from_db()
    assert photo.state == "ready"
    SheetPhoto.objects.update(tries=photos.MOST_TRIES, state="waiting", due_at=AT)
    photos.sweep(at=AT)
    photo.refresh_from_db()
    assert photo.state == "failed"


def test_who_is_erased_takes_the_photos_along(scene: Scene) -> None:
    ready(scene)
    leaving = make_user("Nora Newcomer")
    SheetPhoto.objects.update(added_by=leaving)
    leaving.delete()
    assert not SheetPhoto.objects.exists()


@pytest.mark.parametrize("who", ["a player", "a substitute"])
def test_a_photo_goes_when_a_name_on_it_is_erased(scene: Scene, who: str) -> None:
    gone = scene.players[0]
    if who == "a substitute":
        gone = Player.objects.create(club=scene.club, name="Nora Newcomer")
        scene.fixture.substitutions.create(entry=scene.entries[0], absent=scene.players[0], substitute=gone)
    ready(scene)
    erasing.erase(actor=scene.users["olive"], player=gone, at=timezone.now())
    assert not SheetPhoto.objects.exists()


def test_an_official_who_is_shown_a_photo_of_sealed_boards_has_seen_their_cards(db: None) -> None:
    scene = duplicate_scene()
    sealed(scene)
    photo = ready(scene)
    for name in ("dora", "dora", "anna"):
        assert client_of(scene, name).get(url_of(photo)).status_code == 200
    rows = Participation.objects.filter(kind="shown", fixture=scene.fixture)
    # Anna has not played her match yet. What she saw of its boards is written down, and keeps her from no seat in it.
    seen_by = [scene.users[name].pk for name in ("dora", "anna") for _board in range(4)]
    assert list(rows.order_by("pk").values_list("user", flat=True)) == seen_by


# Programs


def test_programs_add_read_and_remove_photos_by_the_same_rules(scene: Scene) -> None:
    address = f"/api/v1/matches/{scene.fixture.pk}/photos/"
    anna, iris, visitor = client_of(scene, "anna"), client_of(scene, "iris"), client_of(scene)

    def sent(content: bytes = b"") -> dict[str, Any]:
        return {"photo": SimpleUploadedFile("sheet.jpg", content or picture(), "image/jpeg")}

    assert iris.post(address, sent()).status_code == 403
    assert visitor.post(address, sent()).status_code in {401, 403}
    assert anna.post(address).status_code == 400
    assert anna.post(address, {"photo": "a word"}).status_code == 400
    assert anna.post(address, sent(b"no picture at all")).status_code == 422
    assert not SheetPhoto.objects.exists()
    made = anna.post(address, sent())
    assert made.status_code == 201
    photo = SheetPhoto.objects.get()
    if photo.state == SheetPhoto.State.WAITING:
        assert anna.get(f"{address}{photo.pk}/").status_code == 404
        assert photos.prepare(photo_id=photo.pk, at=timezone.now())
    (told,) = anna.get(address).json()
    assert (told["id"], told["may_see"], told["is_failed"]) == (photo.pk, True, False)
    shown = anna.get(f"{address}{photo.pk}/")
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/jpeg")
    assert shown["Cache-Control"] == "private, no-store"
    assert shown.content == photos.content_of(photo=SheetPhoto.objects.get())
    assert anna.get(f"/api/v1/matches/{scene.fixtures[1].pk}/photos/{photo.pk}/").status_code == 404
    assert iris.delete(f"{address}{photo.pk}/").status_code == 403
    assert anna.delete(f"{address}{photo.pk}/").status_code == 204
    assert not SheetPhoto.objects.exists()
    assert AuditEntry.objects.filter(action="photo.removed", actor=scene.users["anna"]).exists()


def test_programs_see_no_photo_of_boards_that_are_sealed(db: None) -> None:
    scene = duplicate_scene()
    sealed(scene)
    photo = ready(scene)
    address = f"/api/v1/matches/{photo.fixture_id}/photos/"
    for name in ("iris", "stranger", ""):
        client = client_of(scene, name)
        assert client.get(f"{address}{photo.pk}/").status_code == 404, name
        assert client.get(address).json() == [], name
    assert client_of(scene, "anna").get(f"{address}{photo.pk}/").status_code == 200
