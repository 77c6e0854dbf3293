"""Board sets: made and sealed, dealt to matches, drawn out, discarded, replaced, released."""

import hashlib
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from engine.boards.sealing import (
    DelayedInformation,
    DelayedKind,
    Purpose,
    sealed_deals,
)
from games import tasks
from games.boards.services import boards
from games.models import Board, BoardDraw, BoardSet, FixtureBoard, Table, TableDeal
from games.scoresheets.services import matches
from league.actors import System
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Competition, Membership, Player, Role
from league.storage import board_keys
from tests.games.boards import AGREED, board, duplicate_scene, play, plays_of, sealed, stand_in
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db
LATER = DelayedInformation(DelayedKind.LOTTERY, "6 of 49, ascending, with spaces", timezone.localdate())


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


# Making


def test_a_set_is_sealed_with_a_commitment_and_dealt_to_every_match_of_its_round(scene: Scene) -> None:
    made = sealed(scene, first_number=5, reserve=2)

    key = board_keys.decrypt(made.secret)
    assert made.commitment == hashlib.sha256(key.encode()).hexdigest()
    assert made.opened == ""
    rows = list(
        Board.objects.filter(board_set=made).values_list("purpose", "place", "number", "dealer", "deal")
    )
    assert rows == [
        ("original", 1, 5, "N", ""),
        ("original", 2, 6, "E", ""),
        ("original", 3, 7, "S", ""),
        ("original", 4, 8, "W", ""),
        ("reserve", 1, 9, "N", ""),
        ("reserve", 2, 10, "E", ""),
    ]
    for fixture in scene.fixtures[:2]:
        dealt = [(each.position, each.board.number, each.version) for each in plays_of(made, fixture)]
        assert dealt == [(1, 5, ""), (2, 6, ""), (3, 7, ""), (4, 8, "")]
    assert not FixtureBoard.objects.filter(fixture__in=scene.fixtures[2:]).exists()


def test_its_cards_are_those_of_the_published_scheme(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    key = board_keys.decrypt(made.secret)
    assert AGREED.value is not None
    original = sealed_deals(key, AGREED.value, 4)
    spare = sealed_deals(key, AGREED.value, 1, Purpose.RESERVE)

    cards = boards.cards_of(made)
    by_row = {(row.purpose, row.place): cards[row.pk] for row in made.boards.all()}
    assert by_row == {
        **{("original", n): str(deal) for n, deal in enumerate(original, start=1)},
        ("reserve", 1): str(spare[0]),
    }
    assert len(set(cards.values())) == 5


def test_two_sets_have_keys_of_their_own(scene: Scene) -> None:
    one, other = sealed(scene, 1), sealed(scene, 2)

    assert one.commitment != other.commitment
    assert set(boards.cards_of(one).values()).isdisjoint(boards.cards_of(other).values())


def test_an_evening_has_one_set_and_its_tables_get_what_the_movement_says(scene: Scene) -> None:
    made = boards.make(
        actor=scene.users["dora"], competition=scene.competition, count=8, first_number=1, delayed=AGREED
    )
    assert not FixtureBoard.objects.exists()

    rows = list(made.boards.order_by("place"))
    boards.assign(
        actor=scene.users["dora"],
        board_set=made,
        plays={scene.fixtures[0]: rows[4:], scene.fixtures[1]: rows[:4]},
    )
    assert [each.board.number for each in plays_of(made, scene.fixtures[0])] == [5, 6, 7, 8]
    with pytest.raises(Conflict, match="already"):
        boards.make(actor=scene.users["dora"], competition=scene.competition, count=8, delayed=AGREED)


def test_a_match_that_is_added_gets_the_boards_of_its_round_and_the_others_keep_theirs(scene: Scene) -> None:
    made = sealed(scene)
    before = set(FixtureBoard.objects.values_list("pk", flat=True))
    FixtureBoard.objects.filter(fixture=scene.fixtures[1]).delete()

    boards.assign(actor=scene.users["dora"], board_set=made)
    boards.assign(actor=scene.users["dora"], board_set=made)

    assert len(plays_of(made, scene.fixtures[1])) == 4
    assert len(before & set(FixtureBoard.objects.values_list("pk", flat=True))) == 4


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"count": 3}, "4 deals"),
        ({"count": 5}, "4 deals"),
        ({"reserve": 21}, "reserve"),
        ({"reserve": -1}, "reserve"),
        ({"first_number": 0}, "numbered from 1"),
        ({"first_number": 998}, "numbered from 1"),
    ],
)
def test_what_does_not_fit_the_round_is_refused(scene: Scene, more: dict[str, int], words: str) -> None:
    with pytest.raises(Invalid, match=words):
        sealed(scene, **more)
    assert not BoardSet.objects.exists()


def test_a_round_has_one_set_and_a_draft_none(scene: Scene) -> None:
    sealed(scene)
    with pytest.raises(Conflict, match="already"):
        sealed(scene)
    Competition.objects.update(state=Competition.State.DRAFT)
    with pytest.raises(Conflict, match="publish the competition"):
        sealed(scene, 2)


def test_a_competition_whose_tables_play_boards_of_their_own_has_no_set(scene: Scene) -> None:
    scene.competition.duplicate.delete()

    with pytest.raises(Conflict, match="don’t play the same boards"):
        sealed(scene)


@pytest.mark.parametrize("who", ["sam", "anna", "stranger"])
def test_only_a_director_makes_boards(scene: Scene, who: str) -> None:
    with pytest.raises(NotAllowed):
        sealed(scene, actor=scene.users[who])


# The delayed value


def test_there_are_no_cards_before_the_delayed_value_is_known(scene: Scene) -> None:
    made = sealed(scene, delayed=LATER)
    with pytest.raises(Conflict, match="isn’t filled in"):
        boards.cards_of(made)

    filled = boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="1 2 3 4 5 6")

    expected = sealed_deals(board_keys.decrypt(made.secret), "1 2 3 4 5 6", 4)
    found = [boards.cards_of(filled)[row.pk] for row in filled.boards.order_by("place")]
    assert found == [str(deal) for deal in expected]


def test_the_delayed_value_is_filled_in_once_and_not_before_its_day(scene: Scene) -> None:
    made = sealed(scene, delayed=LATER)
    boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="1 2 3")
    with pytest.raises(Invalid, match="can’t change it"):
        boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="1 2 4")
    with pytest.raises(Invalid, match="on one line"):
        boards.fill_delayed(actor=scene.users["dora"], board_set=sealed(scene, 2, delayed=LATER), value=" ")

    tomorrow = timezone.localdate() + timedelta(days=1)
    early = sealed(scene, 3, delayed=DelayedInformation(DelayedKind.WEATHER, "noon", tomorrow))
    with pytest.raises(Conflict, match="Nobody can know this before"):
        boards.fill_delayed(actor=scene.users["dora"], board_set=early, value="21")


@pytest.mark.parametrize(
    ("zone", "now", "is_accepted"),
    [
        # Already the 5th in Auckland, while it is the 4th in London; still the 4th in Los Angeles.
        ("Pacific/Auckland", datetime(2026, 11, 4, 11, 30, tzinfo=UTC), True),
        ("Pacific/Auckland", datetime(2026, 11, 4, 10, 30, tzinfo=UTC), False),
        ("America/Los_Angeles", datetime(2026, 11, 5, 7, 30, tzinfo=UTC), False),
        ("America/Los_Angeles", datetime(2026, 11, 5, 8, 30, tzinfo=UTC), True),
    ],
)
def test_the_day_of_the_delayed_value_is_the_clubs(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, zone: str, now: datetime, is_accepted: bool
) -> None:
    scene.club.time_zone = zone
    scene.club.save()
    lottery = DelayedInformation(DelayedKind.LOTTERY, "6 of 49", date(2026, 11, 5))
    made = sealed(scene, delayed=lottery)
    monkeypatch.setattr(timezone, "now", lambda: now)

    if is_accepted:
        boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="1 2 3 4 5 6")
    else:
        with pytest.raises(Conflict, match="Nobody can know this before"):
            boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="1 2 3 4 5 6")
    assert BoardSet.objects.get(pk=made.pk).delayed["value"] == ("1 2 3 4 5 6" if is_accepted else None)


# Discarding, reserve boards


def test_a_set_that_nobody_has_played_is_discarded_and_stays_with_its_reason(scene: Scene) -> None:
    made = sealed(scene)
    boards.discard(actor=scene.users["dora"], board_set=made, reason="The parcel was opened")

    assert not FixtureBoard.objects.exists()
    entry = AuditEntry.objects.get(action="boards.discarded")
    assert entry.reason == "The parcel was opened"
    assert entry.after is not None
    assert entry.after["board_set"] == made.pk
    again = sealed(scene)
    assert again.commitment != made.commitment
    with pytest.raises(Conflict, match="were discarded"):
        boards.draw_out(actor=scene.users["dora"], board_set=made, kind="files", reason="To deal")


def test_a_set_with_an_entered_sheet_or_without_a_reason_is_not_discarded(scene: Scene) -> None:
    made = sealed(scene)
    with pytest.raises(Invalid, match="reason"):
        boards.discard(actor=scene.users["dora"], board_set=made, reason=" ")
    play(scene, scene.fixtures[0])
    with pytest.raises(Conflict, match="already been played"):
        boards.discard(actor=scene.users["dora"], board_set=made, reason="Too late")


def test_a_table_that_plays_a_board_online_has_seen_it(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    first = board(made, 1)
    table = Table.objects.create(
        club=scene.club,
        kind=Table.Kind.MATCH,
        fixture=scene.fixtures[0],
        game="concerto",
        first_dealer="N",
        opened_by=scene.users["anna"],
    )
    TableDeal.objects.create(table=table, number=1, dealer="N", board=first, started_at=timezone.now())

    with pytest.raises(Conflict, match="already been played"):
        boards.discard(actor=scene.users["dora"], board_set=made, reason="Too late")
    boards.substitute_reserve(actor=scene.users["dora"], board=first, reason="Two aces")
    assert [each.board_id == first.pk for each in plays_of(made, scene.fixtures[0])] == [
        True,
        False,
        False,
        False,
    ]
    assert first.pk not in [each.board_id for each in plays_of(made, scene.fixtures[1])]


def test_a_reserve_board_stands_in_where_the_mis_dealt_one_was_not_played_yet(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    play(scene, scene.fixtures[0])
    wrong = board(made, 2)

    spare = boards.substitute_reserve(actor=scene.users["dora"], board=wrong, reason="Two aces of spades")

    assert (spare.purpose, spare.number, spare.dealer, spare.stands_for) == (
        "reserve",
        2,
        wrong.dealer,
        wrong,
    )
    assert [each.board_id for each in plays_of(made, scene.fixtures[0])][1] == wrong.pk
    assert [each.board_id for each in plays_of(made, scene.fixtures[1])][1] == spare.pk
    wrong.refresh_from_db()
    assert wrong.released_at is None or wrong.deal, "played by all who will ever play it"
    with pytest.raises(Conflict, match="no reserve boards left"):
        boards.substitute_reserve(actor=scene.users["dora"], board=board(made, 3), reason="Again")


# Drawing out


def test_drawing_out_leaves_a_public_mark_and_a_line_in_the_trail(scene: Scene) -> None:
    made = sealed(scene)
    drawn = boards.draw_out(
        actor=scene.users["dora"], board_set=made, kind=BoardDraw.Kind.FILES, reason="For the machine"
    )

    assert (drawn.drawn_name, drawn.reason, drawn.kind) == ("Dora Director", "For the machine", "files")
    entry = AuditEntry.objects.get(action="boards.drawn_out")
    assert (entry.actor, entry.reason) == (scene.users["dora"], "For the machine")
    with pytest.raises(Invalid, match="reason"):
        boards.draw_out(actor=scene.users["dora"], board_set=made, kind="files", reason="")
    with pytest.raises(Invalid, match="files or printouts"):
        boards.draw_out(actor=scene.users["dora"], board_set=made, kind="other", reason="To see")


def _director_who_plays(scene: Scene) -> str:
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    return "anna"


def test_a_director_who_plays_cannot_draw_out_nor_release_and_a_superuser_who_plays_neither(
    scene: Scene,
) -> None:
    made = sealed(scene)
    scene.club.lone_director_deals = True
    scene.club.save()
    who = scene.users[_director_who_plays(scene)]
    for is_superuser in (False, True):
        who.is_superuser = is_superuser
        who.save()
        with pytest.raises(NotAllowed):
            boards.draw_out(actor=who, board_set=made, kind="files", reason="To deal")
        with pytest.raises(NotAllowed):
            boards.release(actor=who, board_set=made, reason="To see")
    assert not BoardDraw.objects.exists()


def test_a_director_who_stands_in_once_plays_in_the_event(scene: Scene) -> None:
    made = sealed(scene)
    scene.players.append(Player.objects.create(club=scene.club, name="Dora", user=scene.users["dora"]))
    stand_in(scene, scene.fixtures[5], 0, 8)

    with pytest.raises(NotAllowed):
        boards.draw_out(actor=scene.users["dora"], board_set=made, kind="files", reason="To deal")
    boards.draw_out(actor=scene.users["olive"], board_set=made, kind="files", reason="To deal")


def test_the_only_director_of_a_club_may_where_its_settings_allow_it(scene: Scene) -> None:
    made = sealed(scene)
    who = scene.users[_director_who_plays(scene)]
    Membership.objects.filter(user__in=[scene.users["dora"], scene.users["olive"]]).update(role=Role.MEMBER)
    with pytest.raises(NotAllowed):
        boards.draw_out(actor=who, board_set=made, kind="files", reason="To deal")

    scene.club.lone_director_deals = True
    scene.club.save()
    boards.draw_out(actor=who, board_set=made, kind="files", reason="To deal")

    Membership.objects.create(user=make_user("Second Director"), club=scene.club, role=Role.DIRECTOR)
    with pytest.raises(NotAllowed):
        boards.draw_out(actor=who, board_set=made, kind="files", reason="Again")


# Release


def _released(board_set: BoardSet) -> set[int]:
    return set(board_set.boards.filter(released_at__isnull=False).values_list("number", flat=True))


def test_the_last_table_releases_the_boards_and_the_key(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    cards = boards.cards_of(made)
    key = board_keys.decrypt(made.secret)
    play(scene, scene.fixtures[0])
    made.refresh_from_db()
    assert (_released(made), made.opened) == (set(), "")

    play(scene, scene.fixtures[1])

    made.refresh_from_db()
    assert _released(made) == {1, 2, 3, 4, 5}
    assert made.opened == key
    assert {row.pk: row.deal for row in made.boards.all()} == {pk: str(deal) for pk, deal in cards.items()}
    assert boards.cards_of(made) == cards
    assert AuditEntry.objects.filter(action="boards.opened", actor=None).count() == 1


@pytest.mark.parametrize("ruling", ["walkover", "void"])
def test_a_match_decided_without_play_keeps_no_board_waiting(scene: Scene, ruling: str) -> None:
    made = sealed(scene)
    play(scene, scene.fixtures[0])
    dora, fixture, reason = scene.users["dora"], scene.fixtures[1], "Nobody came"
    if ruling == "walkover":
        fixtures.award_walkover(actor=dora, fixture=fixture, losing=[fixture.away], reason=reason)
    else:
        fixtures.void(actor=dora, fixture=fixture, reason=reason)

    assert _released(made) == {1, 2, 3, 4}


def test_boards_that_nobody_has_played_are_not_released_by_rulings(scene: Scene) -> None:
    made = sealed(scene)
    for fixture in scene.fixtures[:2]:
        fixtures.void(actor=scene.users["dora"], fixture=fixture, reason="Snow")

    assert _released(made) == set()


def test_an_evenings_boards_are_released_one_by_one(scene: Scene) -> None:
    made = boards.make(actor=scene.users["dora"], competition=scene.competition, count=8, delayed=AGREED)
    rows = list(made.boards.order_by("place"))
    third, second, first = scene.fixtures[:3]
    boards.assign(
        actor=scene.users["dora"],
        board_set=made,
        plays={first: rows[:4], second: rows[4:], third: rows[4:]},
    )
    play(scene, first)
    made.refresh_from_db()
    assert (_released(made), made.opened) == ({1, 2, 3, 4}, "")
    play(scene, second)
    assert _released(made) == {1, 2, 3, 4}
    play(scene, third)
    made.refresh_from_db()
    assert _released(made) == set(range(1, 9))
    assert made.released_at is not None


def test_a_director_releases_one_board_or_all_with_a_reason(scene: Scene) -> None:
    made = sealed(scene)
    with pytest.raises(Invalid, match="reason"):
        boards.release(actor=scene.users["dora"], board_set=made, reason="")
    boards.release(actor=scene.users["dora"], board_set=made, board=board(made, 2), reason="Shown by mistake")
    made.refresh_from_db()
    assert (_released(made), made.opened) == ({2}, "")
    with pytest.raises(Conflict, match="already public"):
        boards.release(actor=scene.users["dora"], board_set=made, board=board(made, 2), reason="Again")

    boards.release(actor=scene.users["dora"], board_set=made, reason="The round is over")
    made.refresh_from_db()
    assert _released(made) == {1, 2, 3, 4}
    assert made.opened == board_keys.decrypt(made.secret)


def test_what_is_public_stays_public_when_a_match_is_reopened(scene: Scene) -> None:
    made = sealed(scene)
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixtures[0], reason="Deal 2 was wrong")

    assert _released(made) == {1, 2, 3, 4}
    assert "its boards stay public" in AuditEntry.objects.get(action="match.reopened").summary
    play(scene, scene.fixtures[0])
    assert AuditEntry.objects.filter(action="boards.opened").count() == 1


def test_a_result_counts_also_while_the_delayed_value_is_missing_and_the_release_is_made_up_for(
    scene: Scene,
) -> None:
    made = sealed(scene, delayed=LATER)
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])
    assert _released(made) == set()

    boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="7 8 9")
    assert _released(made) == {1, 2, 3, 4}


def test_a_result_counts_also_while_the_sites_key_is_missing(scene: Scene, settings: Settings) -> None:
    made = sealed(scene)
    kept = settings.BOARD_KEYS
    settings.BOARD_KEYS = ["another-key-" + "3" * 40]
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])

    assert _released(made) == set()
    assert AuditEntry.objects.filter(action="sheet.confirmed").count() == 2
    # The sheets were written under the other key meanwhile.
    settings.BOARD_KEYS = [*kept, *settings.BOARD_KEYS]
    assert tasks.sweep_boards() == 1
    assert _released(made) == {1, 2, 3, 4}
    assert tasks.sweep_boards() == 0


def test_a_match_that_was_added_later_gets_its_boards_by_the_sweep(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    boards.substitute_reserve(actor=scene.users["dora"], board=board(made, 2), reason="Two aces")
    FixtureBoard.objects.filter(fixture=scene.fixtures[1]).delete()

    assert tasks.sweep_boards() == 1
    assert [each.board_id for each in plays_of(made, scene.fixtures[1])] == [
        each.board_id for each in plays_of(made, scene.fixtures[0])
    ]
    assert tasks.sweep_boards() == 0


# Fouled boards


def test_a_version_is_marked_and_taken_back(scene: Scene) -> None:
    made = sealed(scene)
    one = plays_of(made, scene.fixtures[0])[0]
    version = one.board.results_version

    boards.mark_version(actor=scene.users["dora"], play=one, version="B", reason="Two cards exchanged")
    one.refresh_from_db()
    one.board.refresh_from_db()
    assert (one.version, one.board.results_version) == ("B", version + 1)

    boards.mark_version(actor=scene.users["dora"], play=one, version="", reason="They had not, after all")
    one.refresh_from_db()
    assert one.version == ""
    trail = AuditEntry.objects.filter(action="boards.version_marked").order_by("pk")
    facts = [(each.before or {}, each.after or {}) for each in trail]
    assert [(before["board_version"], after["board_version"]) for before, after in facts] == [
        ("", "B"),
        ("B", ""),
    ]


@pytest.mark.parametrize("version", ["b", "BB", "1", "É", " "])
def test_a_version_has_one_letter(scene: Scene, version: str) -> None:
    one = plays_of(sealed(scene), scene.fixtures[0])[0]

    with pytest.raises(Invalid, match="one letter"):
        boards.mark_version(actor=scene.users["dora"], play=one, version=version, reason="Because")
    with pytest.raises(NotAllowed):
        boards.mark_version(actor=scene.users["sam"], play=one, version="B", reason="Because")


def test_the_service_itself_may_do_it_all(scene: Scene) -> None:
    made = sealed(
        scene, actor=System("demo"), delayed=DelayedInformation(DelayedKind.OTHER, "x", date(2026, 1, 1))
    )
    boards.fill_delayed(actor=System("demo"), board_set=made, value="y")
    boards.draw_out(actor=System("demo"), board_set=made, kind="paper", reason="For the demo")

    assert BoardDraw.objects.get().drawn_name == "demo"
