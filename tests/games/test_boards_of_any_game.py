"""Boards of every game that has them: sealed, dealt to two tables, played, released, shown, printed and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from pypdf import PdfReader

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.concerto.game import CONCERTO
from engine.contest import exact
from engine.game import Game
from games import board_cards, seating
from games.boards.services import boards
from games.boards.services.duplicate_leagues import supply
from games.boards.setup_part import BoardsPart
from games.comparisons.services import comparisons
from games.models import Board, BoardSet, Comparison, Duplicate, Scoresheet
from games.options import has_boards, port_of
from games.papers import records, slips
from games.papers.orders import Order
from games.scoresheets.services import scoresheets
from league import extension
from league.errors import Invalid
from league.models import Competition, Entry, Fixture, Round, User
from league.people.services import lineups
from tests.engine import duet, quartet, trio
from tests.engine.conformance.adapters import registered
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
AGREED = DelayedInformation(DelayedKind.AGREED_TEXT, "the club's motto", value="Play the hand you are dealt")
#: Each game with what two tables make of its two boards, side by side.
GAMES = {
    "concerto": (CONCERTO, (((60, 20), (50, 30)), ((40, 40), (30, 20)))),
    "duet": (duet.DUET, (((5, 3), (2, 6)), ((4, 4), (3, 5)))),
    "quartet": (quartet.QUARTET, (((7, 5), (4, 8)), ((6, 6), (5, 7)))),
}


class Event:
    """A duplicate league of one round with two tables, each side with an account."""

    def __init__(self, scene: Scene, offered: Game, tables: tuple[tuple[tuple[int, int], ...], ...]) -> None:
        self.scene, self.game, self.tables = scene, offered, tables
        assert offered.boards is not None
        rules = offered.boards.options_for({"deals": 2}, together=True, is_new=True)
        self.competition = factories.competition(
            scene.club,
            0,
            game=offered.key,
            rules=offered.read_options(rules),
            state=Competition.State.RUNNING,
        )
        Duplicate.objects.create(competition=self.competition)
        division, people = self.competition.stage.divisions.get(), iter(scene.players)
        self.entries: list[Entry] = []
        for number in range(1, 5):
            team = [next(people) for _seat in next(iter(offered.sides().values()))]
            keys = [each.pk for each in team]
            lineup = lineups.find(scene.club, keys) or lineups.make(scene.club, [(keys, "")])[0]
            self.entries.append(
                Entry.objects.create(
                    competition=self.competition, division=division, lineup=lineup, number=number
                )
            )
        at = timezone.now()
        round_ = Round.objects.create(
            stage=self.competition.stage,
            number=1,
            starts_on=at.date() - timedelta(days=1),
            closes_at=at + timedelta(days=7),
        )
        self.fixtures = [factories.meet(round_, *self.entries[:2]), factories.meet(round_, *self.entries[2:])]
        self.board_set = boards.make(
            actor=scene.users["dora"],
            competition=self.competition,
            round=round_,
            count=2,
            reserve=1,
            delayed=AGREED,
        )

    def play(self, table: int) -> None:
        """Enters and confirms what the table made."""
        sides = tuple(self.game.sides())
        deals = [{"total": dict(zip(sides, points, strict=True))} for points in self.tables[table]]
        fixture = self.fixtures[table]
        sheet = scoresheets.submit(
            actor=self.user(fixture.home),
            fixture=fixture,
            content={"deals": deals},
            origin=Scoresheet.Origin.PAGE,
        )
        scoresheets.confirm(actor=self.user(fixture.away), sheet=sheet, digest=sheet.digest)

    def user(self, entry: Entry) -> User:
        user = next(player.user for player in entry.lineup.players if player.user is not None)
        assert user is not None
        return user

    def client(self, user: User | None = None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    def order(self) -> Order:
        return Order(self.competition, "a4", "en", "https://cards.example.org", lambda _done, _of: None)

    @property
    def boards(self) -> list[Board]:
        return list(Board.objects.filter(board_set=self.board_set, purpose="original"))


@pytest.fixture(params=GAMES.values(), ids=tuple(GAMES))
def event(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    offered, tables = request.param
    with registered(offered):
        games: Mapping[str, Any] = {**extension.layer().games, offered.key: port_of(offered)}
        monkeypatch.setattr(extension.layer(), "games", games)
        yield Event(make_scene(), offered, tables)


def test_two_tables_play_the_boards_of_a_set(event: Event) -> None:
    """From the seal to the comparison, on the pages that everybody reads and in the API."""
    numbering = board_cards.numbering_of(event.game.key)
    dealt = board_cards.cards_of(event.board_set)
    assert len(set(dealt.values())) == 3
    packs = {
        tuple(
            sorted(
                (*(card for hand in numbering.hands(deal).values() for card in hand), *numbering.stock(deal))
            )
        )
        for deal in dealt.values()
    }
    if event.game is not duet.DUET:
        assert len(packs) == 1, "the same pack each time"
    first = event.boards[0]
    for number in (0, 1):
        sealed = event.client().get(first.get_absolute_url()).content.decode()
        assert "cards sealed" in sealed
        assert 'class="suit-rows"' not in sealed
        event.play(number)
    event.board_set.refresh_from_db()
    assert event.board_set.released_at is not None
    first, second = event.boards
    assert first.deal == dealt[first.pk]
    assert event.game.read_deal(second.deal) == second.deal

    page = event.client().get(first.get_absolute_url()).content.decode()
    assert page.count('class="suit-rows"') == len(event.game.seats())
    for title in (
        *seating.side_titles(event.game.key).values(),
        *seating.seat_titles(event.game.key).values(),
    ):
        assert escape(title) in page
    for entry in event.entries:
        assert escape(str(entry)) in page

    for each in (first, second):
        comparisons.compute(board_id=each.pk, at=timezone.now())
    figures = Comparison.objects.get(board=first).content["plays"].values()
    assert sorted(exact.restore(play["home"]["percent"]) for play in figures) == [0, 100]
    compared = event.client().get(
        f"{reverse('compare_tables', args=[event.scene.club.slug, event.competition.slug])}?board={first.pk}"
    )
    assert compared.status_code == 200
    for letters in seating.side_letters(event.game.key).values():
        assert letters in compared.content.decode()
    told = event.client().get(f"/api/v1/board-sets/{event.board_set.pk}/").json()
    assert [each["deal"] for each in told["boards"] if each["purpose"] == "original"] == [
        first.deal,
        second.deal,
    ]
    checked = event.client().get(f"{event.board_set.get_absolute_url()}check/").content.decode()
    assert "This is what was sealed" in checked
    assert first.deal in checked


def test_its_hands_are_printed(event: Event) -> None:
    for number in (0, 1):
        event.play(number)
    hands = board_cards.numbering_of(event.game.key).hands(event.boards[0].deal)
    for make in (records.after_play, slips.make):
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(make(event.order()).content)).pages)
        assert "Board 1" in text or make is slips.make
        held = Counter(card[0] for hand in hands.values() for card in hand)
        printed = Counter(text)
        for rank in "KQ":
            assert printed[rank] >= held[rank]
        if len(event.game.sides()) == len(event.game.seats()):
            assert all(title in text for title in seating.seat_titles(event.game.key).values())


def test_a_director_sees_what_can_be_done_with_them(event: Event) -> None:
    desk = f"/clubs/{event.scene.club.slug}/desk/{event.competition.slug}/boards/"
    papers = reverse("papers", args=[event.scene.club.slug, event.competition.slug])
    client = event.client(event.scene.users["dora"])
    for page in (desk, f"{desk}{event.board_set.pk}/", papers):
        shown = client.get(page)
        assert shown.status_code == 200, page
        has_files = event.game.boards is not None and event.game.boards.has_files
        if page == papers:
            assert ("dealing machine" in shown.content.decode()) == has_files
    taken = client.get(f"{desk}import/?round=1")
    assert taken.status_code == (200 if has_files else 404)


def test_a_league_of_it_is_supplied_with_boards(event: Event) -> None:
    """The set-up asks the game what follows for its options; publishing seals a set for each round."""
    port = port_of(event.game)
    assert has_boards(port)
    part = BoardsPart()
    given = part.check({"together": True})
    rules = part.rules(port, part.read(None), given, {"deals": 2})
    assert event.game.read_options(rules)["deals"] == 2
    with pytest.raises(Invalid):
        part.rules(port, part.read(None), given, {"deals": 1})
    boards.discard(actor=event.scene.users["dora"], board_set=event.board_set, reason="Torn cards.")
    supply(actor=event.scene.users["dora"], competition=event.competition)
    (made,) = BoardSet.objects.filter(competition=event.competition, discarded_at=None)
    assert made.count == 2
    fixture = Fixture.objects.get(pk=event.fixtures[0].pk)
    assert [play.board.board_set_id for play in fixture.boards.order_by("position")] == [made.pk] * 2


def test_more_than_two_sides_do_not_play_boards() -> None:
    with registered(trio.TRIO):
        assert not has_boards(port_of(trio.TRIO))
