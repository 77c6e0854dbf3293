"""A sheet of every game of the tests, from its entry to the table: over the pages, by as many sides as the game has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from engine import game
from engine.game import Game
from games.models import Scoresheet
from games.options import port_of
from games.scoresheets.services import scoresheets
from league import extension
from league.errors import Conflict, NotAllowed
from league.models import Competition, Entry, Fixture, Round, User
from league.people.services import lineups
from league.standings.services import standings
from tests.engine import duet, quartet, trio
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
#: Each game with how many play it, and what its deals come to, side by side.
GAMES = {
    "duet": (duet.DUET, 2, ((5, 3), (2, 6))),
    "quartet": (quartet.QUARTET, 4, ((7, 5), (4, 8))),
    "trio of three": (trio.TRIO, 3, ((2, -1, -1), (-1, -1, 2))),
    "trio of five": (trio.TRIO, 5, ((4, -1, -1, -1, -1), (4, -1, -1, -1, -1))),
}
NAMES = ("anna", "eva", "chidi", "iris", "luis")


class Played:
    """A match of the game that is to be played, with an account for each side."""

    def __init__(self, scene: Scene, offered: Game, players: int, deals: tuple[tuple[int, ...], ...]) -> None:
        self.game, self.players, self.deals = offered, players, deals
        self.scene = scene
        competition = factories.competition(
            scene.club, 0, game=offered.key, rules=offered.read_options({"deals": len(deals)}),
            state=Competition.State.RUNNING,
            points={} if len(offered.sides(players)) == 2 else {"by": "rank", "places": ["4", "2", "1"]},
        )  # fmt: skip
        division, self.entries, self.users = competition.stage.divisions.get(), [], []
        people = iter(scene.players)
        for number, seats in enumerate(offered.sides(players).values(), start=1):
            team = [next(people) for _seat in seats]
            keys = [each.pk for each in team]
            lineup = lineups.find(scene.club, keys) or lineups.make(scene.club, [(keys, "")])[0]
            self.entries.append(
                Entry.objects.create(competition=competition, division=division, lineup=lineup, number=number)
            )
            assert team[0].user is not None
            self.users.append(team[0].user)
        at = timezone.now()
        round_ = Round.objects.create(
            stage=competition.stage, number=1, starts_on=at.date() - timedelta(days=1), closes_at=at + timedelta(days=7)
        )  # fmt: skip
        self.fixture = factories.meet(round_, *self.entries)

    @property
    def content(self) -> dict[str, Any]:
        sides = tuple(self.game.sides(self.players))
        return {"deals": [{"total": dict(zip(sides, deal, strict=True))} for deal in self.deals]}

    @property
    def totals(self) -> list[int]:
        return [sum(points) for points in zip(*self.deals, strict=True)]

    def client(self, user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    def submit(self, side: int = 0) -> Scoresheet:
        return scoresheets.submit(
            actor=self.users[side], fixture=self.fixture, content=self.content, origin=Scoresheet.Origin.PAGE
        )

    def fresh(self) -> Fixture:
        return Fixture.objects.with_pairs().get(pk=self.fixture.pk)


@pytest.fixture(params=GAMES.values(), ids=tuple(GAMES))
def played(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Played]:
    offered, players, deals = request.param
    game.register(offered)
    games: Mapping[str, Any] = {**extension.layer().games, offered.key: port_of(offered)}
    monkeypatch.setattr(extension.layer(), "games", games)
    yield Played(make_scene(), offered, players, deals)
    game.forget(offered.key)


def test_it_counts_when_every_other_side_has_confirmed_it(played: Played) -> None:
    sheet = played.submit()
    for number, user in enumerate(played.users[1:], start=2):
        assert played.fresh().status == Fixture.Status.TO_CONFIRM
        page = played.client(user).get(f"/matches/{played.fixture.pk}/").content.decode()
        assert "Confirm" in page
        sheet = scoresheets.confirm(actor=user, sheet=sheet, digest=sheet.digest)
        with pytest.raises(NotAllowed if number < len(played.users) else Conflict):
            scoresheets.confirm(actor=user, sheet=sheet, digest=sheet.digest)
    fixture = played.fresh()
    assert fixture.status == Fixture.Status.CONFIRMED
    assert [side.score for side in fixture.sides] == played.totals
    best = sorted(played.totals, reverse=True)
    assert [side.rank for side in fixture.sides] == [1 + best.index(points) for points in played.totals]
    assert {seat.entry_id for seat in fixture.match.seats.all()} == {entry.pk for entry in played.entries}
    for page in ("", "?version=1"):
        shown = played.client(None).get(f"/matches/{played.fixture.pk}/{page}")
        assert shown.status_code == 200
        for entry in played.entries:
            assert escape(str(entry)) in shown.content.decode()
    told = played.client(None).get(f"/api/v1/matches/{played.fixture.pk}/")
    assert told.status_code == 200
    assert [side["total"] for side in told.json()["made"]] == played.totals
    standings.compute(competition_id=fixture.round.competition.pk, at=timezone.now())
    standings.compute(competition_id=played.scene.competition.pk, at=timezone.now())
    call_command("verify")


def test_each_side_may_reject_it(played: Played) -> None:
    sheet = played.submit()
    for user in played.users[1:-1]:
        sheet = scoresheets.confirm(actor=user, sheet=sheet, digest=sheet.digest)
    rejected = scoresheets.reject(actor=played.users[-1], sheet=sheet, reason="The second deal is wrong.")
    assert rejected.verdict == Scoresheet.Verdict.REJECTED
    assert played.fresh().status == Fixture.Status.DISPUTED
    again = played.submit(1)
    for user in (*played.users[:1], *played.users[2:]):
        again = scoresheets.confirm(actor=user, sheet=again, digest=again.digest)
    assert again.verdict == Scoresheet.Verdict.CONFIRMED
    page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/")
    assert "The second deal is wrong." in page.content.decode()


def test_it_is_typed_into_the_plain_form(played: Played) -> None:
    client, where = played.client(played.users[0]), f"/matches/{played.fixture.pk}/scoresheet/"
    assert client.get(where, follow=True).status_code == 200
    sides = tuple(played.game.sides(played.players))
    for number, deal in enumerate(played.deals, start=1):
        at = f"{where}plain/{number}/"
        assert client.get(at).status_code == 200
        form = client.get(at).context["seats"]
        typed = {name: field.value() for name, field in ((each.html_name, each) for each in form)}
        typed |= {f"total-{side}": str(points) for side, points in zip(sides, deal, strict=True)}
        last = number == len(played.deals)
        answer = client.post(at, {**typed, "check" if last else "next": "1"})
        assert answer.status_code == (200 if last else 302)
    form = answer.context
    sent = client.post(
        f"/matches/{played.fixture.pk}/scoresheet/send/",
        {"content": form["content"], "digest": form["digest"], "key": form["key"]},
    )
    assert sent.status_code == 302, sent.content.decode()[:2000]
    assert Scoresheet.objects.get().totals == played.totals


def test_programs_read_and_write_it(played: Played) -> None:
    client, where = played.client(played.users[0]), f"/api/v1/matches/{played.fixture.pk}/"
    seen = client.get(where).json()
    assert [side["entry"] for side in seen["fixture"]["sides"]] == [entry.pk for entry in played.entries]
    body = json.dumps(played.content)
    preview = client.post(f"{where}sheets/preview/", body, content_type="application/json")
    assert preview.status_code == 200, preview.content
    told = preview.json()
    assert told["accepted"], told["problems"]
    assert [side["total"] for side in told["made"]] == played.totals
    assert (told["total"] is None) == (len(played.entries) != 2)
    made = client.post(f"{where}sheets/", body, content_type="application/json")
    assert made.status_code == 201, made.content
    assert made.json()["totals"] == played.totals
    assert (made.json()["home_total"] is None) == (len(played.entries) != 2)


def test_its_pages_name_every_side(played: Played) -> None:
    """Before, while it waits and after: the lists of matches, the own page, the desk, the pages of those who play."""
    competition, first = played.fixture.round.competition, played.entries[0].lineup
    pages = [
        "/my/",
        competition.get_absolute_url(),
        f"{competition.get_absolute_url()}fixtures/",
        f"{competition.get_absolute_url()}rounds/1/",
        f"{competition.get_absolute_url()}progress/",
        first.get_absolute_url(),
        first.players[0].get_absolute_url(),
        f"/matches/{played.fixture.pk}/",
        f"/api/v1/fixtures/?competition={competition.pk}",
    ]
    desk = [f"/clubs/{played.scene.club.slug}/desk/", f"{competition.get_absolute_url()}manage/"]
    client, director = played.client(played.users[0]), played.client(played.scene.users["dora"])
    sheet: Scoresheet | None = None
    for number in range(len(played.users) + 1):
        if number == 1:
            sheet = played.submit()
        elif number > 1:
            assert sheet is not None
            sheet = scoresheets.confirm(actor=played.users[number - 1], sheet=sheet, digest=sheet.digest)
        standings.compute(competition_id=competition.pk, at=timezone.now())
        for page in pages:
            shown = client.get(page)
            assert shown.status_code == 200, page
            if "fixtures/" in page.removeprefix("/api") and "api" not in page:
                assert all(escape(str(entry)) in shown.content.decode() for entry in played.entries), page
        for page in desk:
            assert director.get(page).status_code == 200, page
