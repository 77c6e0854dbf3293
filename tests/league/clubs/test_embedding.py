"""Standings and fixtures within other websites: for everybody alike, and nothing else of ours is framed."""

import re
from http.cookies import SimpleCookie

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from league.clubs.services import clubs
from league.models import AuditEntry, Club, Competition
from tests.games import evening_rooms
from tests.league.results.test_exports import client_of, play
from tests.scenes import Scene, make_scene

KINDS = ("standings", "fixtures")


@pytest.fixture
def scene(db: None) -> Scene:
    scene = make_scene()
    Club.objects.filter(pk=scene.club.pk).update(may_be_embedded=True)
    return scene


def address(scene: Scene, kind: str = "standings", language: str = "en") -> str:
    return reverse("embedded", args=[language, scene.club.slug, scene.competition.slug, kind])


def test_it_shows_what_a_visitor_sees_and_nothing_to_press(scene: Scene) -> None:
    play(scene)
    standings = Client().get(address(scene)).content.decode()
    assert re.search(r"Berg &amp; Okafor.*\+360.*<td[^>]*>2</td>", standings, re.DOTALL)
    fixtures = Client().get(address(scene, "fixtures")).content.decode()
    assert "410 – 50" in fixtures
    for page in (standings, fixtures):
        assert not re.search(r"<(script|form|button|input|iframe|img)\b", page)
        assert re.findall(r"<a [^>]*>", page) == [
            '<a href="http://localhost:8000/clubs/riverside/winter-league/" target="_blank" rel="noopener">'
        ]


@pytest.mark.parametrize("kind", KINDS)
def test_it_may_be_framed_everything_else_may_not(scene: Scene, kind: str) -> None:
    answer = Client().get(address(scene, kind))
    assert "X-Frame-Options" not in answer
    policy = dict(rule.split(" ", 1) for rule in answer["Content-Security-Policy"].split("; "))
    assert policy["frame-ancestors"] == "*"
    assert (policy["default-src"], policy["form-action"]) == ("'none'", "'none'")
    assert "script-src" not in policy
    for other in ("/", scene.competition.get_absolute_url(), address(scene, "no-such-thing")):
        answer = Client().get(other)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("kind", KINDS)
def test_it_reads_no_cookie_and_sets_none(scene: Scene, kind: str) -> None:
    play(scene)
    plain = Client().get(address(scene, kind))
    known = client_of(scene, "anna")
    known.cookies["django_language"] = "de"
    known.cookies["theme"] = "dark"
    before = SimpleCookie(known.cookies.output(header=""))
    answer = known.get(address(scene, kind), headers={"accept-language": "de"})
    assert answer.content == plain.content
    own = {"Content-Length": "", "X-Request-ID": ""}
    assert {**answer.headers, **own} == {**plain.headers, **own}
    assert not answer.cookies
    assert not plain.cookies
    assert known.cookies.output() == before.output()
    assert answer["Vary"] == "Accept-Encoding"
    assert "X-Person" not in answer
    assert known.get("/my/").status_code == 200, "the login is still there"


def test_a_page_that_is_not_there_sets_no_cookie_either(scene: Scene) -> None:
    assert not client_of(scene, "anna").get(address(scene, "no-such-thing")).cookies


def test_the_address_has_the_language(scene: Scene) -> None:
    german = Client().get(address(scene, "fixtures", "de"), headers={"accept-language": "en"})
    assert 'lang="de"' in german.content.decode()
    assert "Runde 1" in german.content.decode()
    assert german["Content-Language"] == "de"
    assert Client().get(address(scene, "fixtures", "fr")).status_code == 404
    assert Client().get(address(scene, "fixtures", "fr-no")).status_code == 404


def test_it_is_off_until_the_club_says_so(scene: Scene) -> None:
    Club.objects.filter(pk=scene.club.pk).update(may_be_embedded=False)
    for name in ("", "iris", "olive"):
        assert client_of(scene, name).get(address(scene)).status_code == 404
    assert "iframe" not in client_of(scene, "olive").get(scene.club.get_absolute_url()).content.decode()


@pytest.mark.parametrize("hidden", [{"visibility": "members"}, {"state": "draft"}])
def test_what_is_not_public_is_shown_to_nobody_there(scene: Scene, hidden: dict[str, str]) -> None:
    Competition.objects.filter(pk=scene.competition.pk).update(**hidden)
    for name in ("", "iris", "olive"):
        assert client_of(scene, name).get(address(scene)).status_code == 404
    page = client_of(scene, "olive").get(scene.club.get_absolute_url()).content.decode()
    assert "/embed/" not in page


def test_it_takes_readings_alone(scene: Scene) -> None:
    for method in ("post", "put", "patch", "delete"):
        assert getattr(Client(), method)(address(scene)).status_code == 405
    assert Client().head(address(scene)).status_code == 200


def test_of_an_evening_there_are_the_rounds(scene: Scene) -> None:
    evening = evening_rooms.laid_out(scene.club, scene.users["dora"], 3, boards=2)
    Competition.objects.filter(pk=evening.pk).update(state="running")
    for kind, status in (("standings", 404), ("fixtures", 200)):
        where = reverse("embedded", args=["en", scene.club.slug, evening.slug, kind])
        assert Client().get(where).status_code == status


def test_the_owner_switches_it_on_with_a_trace_and_the_page_has_lines_to_paste(scene: Scene) -> None:
    club = Club.objects.get(pk=scene.club.pk)
    clubs.edit(
        actor=scene.users["olive"], club=club, name=club.name, time_zone=club.time_zone, may_be_embedded=False
    )
    client = client_of(scene, "olive")
    form = {"name": club.name, "time_zone": club.time_zone, "is_open": "on", "may_be_embedded": "on"}
    answer = client.post(reverse("desk_club", args=[club.slug]), form)
    assert answer.status_code == 302
    assert list(get_messages(answer.wsgi_request))
    entry = AuditEntry.objects.filter(action="club.edited").latest("pk")
    assert (entry.before["may_be_embedded"], entry.after["may_be_embedded"]) == (False, True)
    page = client.get(club.get_absolute_url()).content.decode()
    (source, *_others) = re.findall(r"&lt;iframe src=&quot;(.*?)&quot;", page)
    assert source == f"http://localhost:8000{address(scene)}"
    assert "iframe" not in client_of(scene, "iris").get(club.get_absolute_url()).content.decode()


def test_a_name_that_is_html_stays_text_in_the_lines_to_paste(scene: Scene) -> None:
    Competition.objects.filter(pk=scene.competition.pk).update(name='"><script>alert(1)</script>')
    page = client_of(scene, "dora").get(scene.club.get_absolute_url()).content.decode()
    assert "<script>alert" not in page
    assert "&amp;lt;script&amp;gt;" in page, "the line itself has it as text, too"
