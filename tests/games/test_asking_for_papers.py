"""Asking for papers: who may, what is written down of it, and how a worker makes them."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from structlog.testing import capture_logs

from engine.seats import SEATS
from games.boards.services import boards
from games.models import BoardDraw, BoardSet, Paper
from games.papers import deals
from games.papers.kinds import KINDS
from games.papers.services import papers
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.models import AuditEntry, User
from league.storage import board_keys
from tests.games.evening_papers import Room, ask, content, made, make_room
from tests.scenes import make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SEALED = ("files", "slips", "records_to_deal")
OF_THE_END = ("certificates", "prize_list")
OPEN = ("wall_list", "table_cards", "guide_cards", "scoresheets", "records", "results")
#: tests/games/test_pairing_papers.py asks for these.
OF_ROUNDS = ("pairings", "seating", "bracket")
#: tests/games/test_team_pages.py asks for these.
OF_TEAMS = ("team_cards",)
#: tests/league/test_ladders.py asks for it.
OF_LADDERS = ("ladder",)


@pytest.fixture
def room() -> Room:
    return make_room()


def browser(user: User) -> Client:
    found = Client()
    found.force_login(user)
    return found


def address(room: Room, name: str = "papers", *more: Any) -> str:
    return reverse(name, args=[room.club.slug, room.competition.slug, *more])


# Who may


def test_every_kind_is_held_by_a_test() -> None:
    assert set(KINDS) == {*SEALED, *OPEN, *OF_THE_END, *OF_TEAMS, *OF_ROUNDS, *OF_LADDERS}


@pytest.mark.parametrize("kind", SEALED)
def test_sealed_cards_are_for_directors_who_do_not_play(room: Room, kind: str) -> None:
    for actor in (room.scorer, room.playing_director, room.player):
        with pytest.raises(NotAllowed):
            ask(room, kind, actor=actor)
    assert not BoardDraw.objects.exists()
    assert not Paper.objects.exists()


@pytest.mark.parametrize("kind", SEALED)
def test_to_ask_for_sealed_cards_is_to_draw_them_out(room: Room, kind: str) -> None:
    paper = ask(room, kind, reason="For the machine in the hall")
    drawn = BoardDraw.objects.get(board_set=room.board_set)
    assert (drawn.reason, drawn.drawn_by, drawn.kind) == (
        "For the machine in the hall",
        room.director,
        "files" if kind == "files" else "paper",
    )
    assert AuditEntry.objects.filter(action="boards.drawn_out", competition=room.competition).count() == 1
    assert AuditEntry.objects.filter(action="paper.asked", competition=room.competition).count() == 1
    assert paper.parameters["sealed"] is True


@pytest.mark.parametrize("reason", ["", "   ", "\n"])
def test_without_a_reason_nothing_is_drawn_out(room: Room, reason: str) -> None:
    with pytest.raises(Invalid):
        ask(room, "files", reason=reason)
    assert not BoardDraw.objects.exists()
    assert not Paper.objects.exists()


@pytest.mark.parametrize("kind", OPEN)
def test_scorers_ask_for_all_other_papers_and_players_for_none(room: Room, kind: str) -> None:
    assert ask(room, kind, actor=room.scorer).parameters["sealed"] is False
    with pytest.raises(NotAllowed):
        ask(room, kind, actor=room.player)
    assert not BoardDraw.objects.exists()


def test_sealed_cards_are_handed_to_nobody_but_who_drew_them_out(room: Room) -> None:
    paper = made(room, "records_to_deal")
    other = room.playing_director
    assert papers.content_of(actor=room.director, paper=paper).startswith(b"%PDF")
    for actor in (other, room.scorer, room.player):
        with pytest.raises(NotAllowed):
            papers.content_of(actor=actor, paper=paper)
    boss = User.objects.create_superuser("root@example.org", "concerto-13-cards")
    with pytest.raises(NotAllowed):
        papers.content_of(actor=boss, paper=paper)
    boards.release(actor=room.director, board_set=room.board_set, reason="Over")
    assert papers.content_of(actor=other, paper=paper).startswith(b"%PDF")


def test_who_has_come_to_play_since_cannot_fetch_the_cards_any_more(room: Room) -> None:
    paper = made(room, "slips")
    player = room.competition.entries.get(number=3).lineup.players[1]
    player.user = room.director
    player.save()
    with pytest.raises(NotAllowed):
        papers.content_of(actor=room.director, paper=paper)


def test_a_paper_without_cards_is_fetched_by_who_asked_and_by_directors(room: Room) -> None:
    paper = made(room, "wall_list", actor=room.scorer)
    for actor in (room.scorer, room.director, room.playing_director):
        assert papers.content_of(actor=actor, paper=paper).startswith(b"%PDF")
    with pytest.raises(NotAllowed):
        papers.content_of(actor=room.player, paper=paper)


# What can be asked


def test_the_same_asked_twice_is_one_paper_and_one_mark(room: Room) -> None:
    first, second = ask(room, "files"), ask(room, "files")
    assert first == second
    assert BoardDraw.objects.count() == 1
    assert ask(room, "files", size="us-letter") != first


def test_what_cannot_be_asked_is_refused_in_words(room: Room) -> None:
    other = make_room(names=("A", "B", "C", "D", "E", "F"))
    foreign = {"set": other.board_set.pk}
    for kind, parameters in (
        ("nonsense", {}),
        ("", {}),
        ("files", {"set": "0"}),
        ("files", {"set": "9" * 300}),
        ("files", {"set": "²"}),
        ("files", {"set": None}),
        ("files", foreign),
        ("slips", {"set": "1; DROP TABLE"}),
        ("scoresheets", {"round": "99999999"}),
        ("scoresheets", {"round": other.competition.stage.rounds.get(number=1).pk}),
        ("scoresheets", {"size": "../../etc/passwd"}),
        ("wall_list", {"size": "a3"}),
    ):
        with pytest.raises(LeagueError) as refusal:
            ask(room, kind, **parameters)
        assert refusal.value.message
    assert not Paper.objects.exists()
    assert not BoardDraw.objects.exists()


def test_a_league_has_no_papers_of_evenings_or_boards() -> None:
    scene = make_scene()
    for kind in ("wall_list", "guide_cards", "files", "records"):
        with pytest.raises(LeagueError):
            papers.ask(actor=scene.users["dora"], competition=scene.competition, kind=kind, parameters={})


def test_so_many_papers_at_once_and_no_more(room: Room) -> None:
    Paper.objects.bulk_create(
        Paper(competition=room.competition, kind="results", asked_by=room.director, parameters={"n": n})
        for n in range(papers.MOST_WAITING)
    )
    with pytest.raises(Conflict):
        ask(room, "wall_list")


def test_links_on_paper_name_the_site_or_where_it_was_found(room: Room, settings: Any) -> None:
    settings.SITE_URL = "https://cards.example.org"
    assert ask(room, "wall_list", site="http://192.168.1.5:8000/").parameters["site"] == settings.SITE_URL
    settings.SITE_URL = "http://localhost:8000"
    found = ask(room, "table_cards", site="http://192.168.1.5:8000/").parameters["site"]
    assert found == "http://192.168.1.5:8000"
    assert ask(room, "results", site="javascript:alert(1)").parameters["site"] == settings.SITE_URL


# How it is made


def test_a_finished_paper_is_locked_away_and_its_cards_are_nowhere_else(room: Room) -> None:
    with capture_logs() as logs:
        paper = made(room, "records_to_deal")
    assert paper.content is not None
    assert b"%PDF" not in bytes(paper.content)
    kept = f"{paper.parameters} {paper.failure} {paper.file_name} {paper} {logs}"
    kept += " ".join(f"{e.summary} {e.before} {e.after} {e.reason}" for e in AuditEntry.objects.all())
    for each in deals.all_of(room.board_set):
        assert str(each.deal) not in kept + repr(each)
        assert not any(len(r) > 3 and r in kept for seat in SEATS for r in each.cards(seat).values())


def test_a_worker_tells_how_far_it_is(room: Room) -> None:
    paper = made(room, "scoresheets")
    assert (paper.done, paper.pages) == (21, 21)


def test_a_paper_is_made_once_and_by_one_worker(room: Room) -> None:
    paper, at = ask(room, "wall_list"), timezone.now()
    first = papers._leased(paper.pk, at)
    assert first is not None
    assert papers.make_paper(paper_id=paper.pk, at=at + papers.LEASE / 2) is False
    # The first one has died, or takes too long: the next takes over, and what the first brings is too late.
    assert papers.make_paper(paper_id=paper.pk, at=at + papers.LEASE + timedelta(seconds=1)) is True
    assert papers._finished(first, papers.Product("late.pdf", b"late"), at) is False
    paper.refresh_from_db()
    assert (paper.state, paper.file_name) == ("ready", "wall-list.pdf")
    assert papers.make_paper(paper_id=paper.pk, at=at + timedelta(hours=1)) is False


def test_a_paper_of_which_nothing_is_known_is_no_fault() -> None:
    assert papers.make_paper(paper_id=4711, at=timezone.now()) is False


def test_the_sweep_makes_what_was_lost_and_gives_up_what_never_works(room: Room) -> None:
    lost, hopeless, at = ask(room, "wall_list"), ask(room, "results"), timezone.now()
    Paper.objects.filter(pk=hopeless.pk).update(
        state="working", tries=papers.MOST_TRIES, leased_until=at - timedelta(seconds=1)
    )
    assert papers.sweep(at=at) == 1
    lost.refresh_from_db()
    hopeless.refresh_from_db()
    assert lost.state == "ready"
    assert (hopeless.state, bool(hopeless.failure)) == ("failed", True)


def test_papers_are_thrown_away_after_a_day(room: Room) -> None:
    ready, failed, at = made(room, "wall_list"), made(room, "records"), timezone.now()
    assert failed.state == "failed"
    papers.sweep(at=at + papers.KEPT - timedelta(minutes=1))
    assert Paper.objects.count() == 2
    papers.sweep(at=at + papers.KEPT + timedelta(minutes=1))
    assert not Paper.objects.filter(pk__in=[ready.pk, failed.pk]).exists()


def test_a_failure_explains_itself_and_can_be_asked_again(room: Room) -> None:
    paper = made(room, "records", actor=room.scorer)
    assert "every table" in paper.failure
    boards.release(actor=room.director, board_set=room.board_set, reason="Over")
    papers.ask_again(actor=room.scorer, paper=paper)
    assert papers.make_paper(paper_id=paper.pk, at=timezone.now()) is True
    assert content(Paper.objects.get(pk=paper.pk)).startswith(b"%PDF")
    with pytest.raises(Conflict):
        papers.ask_again(actor=room.scorer, paper=paper)


def test_an_odd_fault_is_told_without_its_words_and_tried_three_times(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = str(deals.all_of(room.board_set)[0].deal)

    def breaks(_order: Any) -> Any:
        raise RuntimeError(secret)

    broken = {**KINDS, "slips": replace(KINDS["slips"], make=breaks)}
    monkeypatch.setattr(papers, "KINDS", broken)
    paper = ask(room, "slips")
    with capture_logs() as logs:
        for _try in range(papers.MOST_TRIES):
            assert papers.make_paper(paper_id=paper.pk, at=timezone.now()) is False
    paper.refresh_from_db()
    assert (paper.state, paper.tries) == ("failed", papers.MOST_TRIES)
    assert len([line for line in logs if line["event"] == "paper_not_made"]) == papers.MOST_TRIES
    assert secret not in f"{logs} {paper.failure}"
    assert re.search(r"test_asking_for_papers\.py:\d+", str(logs))


def test_boards_that_were_discarded_meanwhile_are_not_printed(room: Room) -> None:
    paper = ask(room, "slips")
    BoardSet.objects.filter(pk=room.board_set.pk).update(discarded_at=timezone.now())
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    paper.refresh_from_db()
    assert paper.state == "failed"
    assert "discarded" in paper.failure


# The page


def test_the_page_offers_asks_and_hands_out(room: Room) -> None:
    client = browser(room.director)
    page = client.get(address(room)).content.decode()
    assert all(str(KINDS[kind].title) in page for kind in (*SEALED, *OPEN))
    sent = {"kind": "files", "set": room.board_set.pk, "reason": "For the machine", "size": "a4"}
    assert client.post(address(room), sent).status_code == 302
    paper = Paper.objects.get()
    assert "waiting" in client.get(address(room)).content.decode()
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    page = client.get(address(room)).content.decode()
    file = address(room, "paper_file", paper.pk)
    assert file in page
    answer = client.get(file)
    assert answer["Content-Type"] == "application/zip"
    assert "no-store" in answer["Cache-Control"]
    assert "thursday-duplicate-dealing-files.zip" in answer["Content-Disposition"]
    assert answer.content == content(Paper.objects.get())
    assert browser(room.playing_director).get(file).status_code == 403
    assert file not in browser(room.playing_director).get(address(room)).content.decode()


def test_the_page_says_why_somebody_cannot_take_the_cards(room: Room) -> None:
    assert "Another director" in browser(room.playing_director).get(address(room)).content.decode()
    scorer = browser(room.scorer).get(address(room)).content.decode()
    assert "Only a director" in scorer
    assert 'name="reason"' not in scorer


def test_the_list_keeps_itself_up_to_date(room: Room) -> None:
    client = browser(room.scorer)
    paper = ask(room, "wall_list", actor=room.scorer)
    first = client.get(address(room, "papers_live"))
    assert first.status_code == 200
    following = first["X-Live-Url"]
    assert client.get(following).status_code == 204
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    news = client.get(following)
    assert news.status_code == 200
    assert "ready" in news["X-Live-Announce"]
    assert "Download" in news.content.decode()


def test_what_is_sent_oddly_is_answered_on_the_page(room: Room) -> None:
    client = browser(room.director)
    for sent in (
        {},
        {"kind": "\x00"},
        {"kind": ["files", "slips"], "set": "-1"},
        {"kind": "files", "set": SimpleUploadedFile("a", b"b")},
        {"kind": "scoresheets", "round": "1e9", "size": "a4"},
    ):
        assert client.post(address(room), sent).status_code in {302, 400}
    assert not Paper.objects.exists()
    assert client.get(address(room) + "?size=%00").status_code in {200, 400}
    assert client.get(address(room, "paper_file", 999999)).status_code == 404


def test_a_paper_of_another_event_is_not_found_here(room: Room) -> None:
    other = make_room(names=("A", "B", "C", "D", "E", "F"))
    paper = made(other, "wall_list")
    assert browser(room.director).get(address(room, "paper_file", paper.pk)).status_code == 404
    assert browser(room.director).get(address(other, "paper_file", paper.pk)).status_code == 403


def test_the_page_costs_as_many_queries_with_ten_papers_as_with_one(
    room: Room, django_assert_max_num_queries: Any
) -> None:
    client = browser(room.director)
    for number in range(10):
        Paper.objects.create(
            competition=room.competition,
            kind="files",
            asked_by=room.director,
            parameters={"set": room.board_set.pk, "n": number},
            state="ready",
            content=board_keys.encrypt(b"x"),
            ready_at=timezone.now(),
        )
    with django_assert_max_num_queries(26):
        client.get(address(room))
