"""A coalition as an adversary, over HTTP: one pair, any number of members, and in a second case a director who plays.

It tries everything that has opened boards or changed results without play. It learns no card that its members did not
hold before they play it, and changes no result that the other side or a neutral official did not confirm. Who does
not belong to it plays and confirms what was played, no more.
"""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.deals import Deal
from games import board_cards
from games.boards.services import boards, releases
from games.models import (
    Board,
    BoardSet,
    FixtureBoard,
    NeutralInvitation,
    Participation,
    Scoresheet,
    Table,
    Vouch,
)
from games.scoresheets import entry_links
from games.scoresheets.services import scoresheets
from league.fixtures.services import substitutions
from league.models import (
    AuditEntry,
    Fixture,
    Membership,
    Player,
    Role,
    Round,
    Substitution,
    User,
)
from league.people.services import claims, merging
from tests.games.boards import AGREED, SHEET, duplicate_scene, every_card, play, sealed
from tests.kept_scenes import kept
from tests.leaks.needles import Haystack, of_deal
from tests.scenes import Scene, make_user, totals_sheet

# What is answered and counted: the services have tests of their own on each database.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
INVENTED = totals_sheet((120, 0), (120, 0), (120, 0), (120, 0))
OTHER = totals_sheet((90, 0), (90, 0), (90, 0), (90, 0))
COALITION = ("anna", "chidi", "hanna", "igor")


@pytest.fixture
def scene() -> Scene:
    return with_members()


@kept
def with_members() -> Scene:
    """Anna & Chidi are the coalition's pair, Hanna and Igor its members; Eva & Luis their honest opponents."""
    made = duplicate_scene()
    for name in ("Hanna Helper", "Igor Idle"):
        user = make_user(name)
        made.users[name.split()[0].lower()] = user
        Membership.objects.create(user=user, club=made.club, role=Role.MEMBER)
        made.players.append(Player.objects.create(club=made.club, name=name, user=user))
    return made


@pytest.fixture
def with_director(scene: Scene) -> Scene:
    """The second case: Anna is a director, too. Dora is one who plays nowhere."""
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    return scene


def browser(scene: Scene, name: str) -> Client:
    found = Client()
    found.force_login(User.objects.get(pk=scene.users[name].pk))
    return found


def enter(client: Client, fixture: Fixture, content: Any = INVENTED) -> Any:
    """Looks at the preview and sends the sheet, as a browser does."""
    preview = client.post(reverse("scoresheet", args=[fixture.pk]), {"content": json.dumps(content)})
    if preview.status_code != 200:
        return preview
    sent = {key: preview.context[key] for key in ("content", "digest", "key")}
    return client.post(reverse("sheet_send", args=[fixture.pk]), sent)


def confirm(client: Client, fixture: Fixture) -> Any:
    """Confirms the newest version by its digest, which everybody in a coalition may know."""
    sheet = Scoresheet.objects.filter(match=fixture.pk).first()
    assert sheet is not None
    given = {"version": sheet.version, "digest": sheet.digest, "key": ""}
    return client.post(reverse("sheet_confirm", args=[fixture.pk]), given)


def rule(client: Client, fixture: Fixture, ruling: str) -> Any:
    given = {"part": "ruling", "ruling": ruling, "reason": "Nobody came"}
    return client.post(reverse("fixture_ruling", args=[fixture.pk]), given)


def learned(scene: Scene, made: BoardSet, names: Iterable[str] = COALITION) -> set[str]:
    """What any of these people finds of the cards of the set, wherever cards are shown."""
    needles = [
        needle
        for key, deal in board_cards.cards_of(made).items()
        for needle in of_deal(Board.objects.get(pk=key).number, Deal.parse(deal))
    ]
    found = set()
    for name in names:
        client = browser(scene, name)
        for address in addresses(scene, made):
            answer = client.get(address)
            assert answer.status_code < 500, address
            found |= {f"{address}: {needle.what}" for needle in Haystack(answer.content).found(needles)}
    return found


def addresses(scene: Scene, made: BoardSet) -> list[str]:
    club, event = scene.club.slug, scene.competition.slug
    found = [
        reverse("board_set", args=[made.pk]),
        reverse("board_set_check", args=[made.pk]),
        f"/clubs/{club}/desk/",
        f"/clubs/{club}/desk/{event}/boards/{made.pk}/",
    ]
    found += [reverse("board", args=[made.pk, number]) for number in range(1, 5)]
    found += [reverse("api_board_comparison", args=[pk]) for pk in made.boards.values_list("pk", flat=True)]
    for fixture in scene.fixtures[:2]:
        found += [
            reverse("match", args=[fixture.pk]),
            reverse("scoresheet", args=[fixture.pk]),
            reverse("plain_sheet", args=[fixture.pk, 1]),
            reverse("match_boards", args=[fixture.pk]),
            reverse("api_match", args=[fixture.pk]),
            reverse("api_sheets", args=[fixture.pk]),
            reverse("api_sheet", args=[fixture.pk, 1]),
            reverse("api_match_audit", args=[fixture.pk]),
        ]
        found += [
            reverse(name, args=[fixture.pk, number])
            for name in ("match_replay", "deal_analysis")
            for number in range(1, 5)
        ]
    return found


def is_shut(made: BoardSet) -> bool:
    return not Board.objects.filter(board_set=made, released_at__isnull=False).exists()


def result_of(fixture: Fixture) -> tuple[int, int] | None:
    found = Fixture.objects.get(pk=fixture.pk).result
    return (found.home_score, found.away_score) if found else None


# The search finds what there is


def test_the_search_finds_the_cards_once_they_are_public(scene: Scene) -> None:
    made = sealed(scene)
    assert learned(scene, made) == set()
    boards.release(actor=scene.users["dora"], board_set=made, reason="The week is over")
    assert any("/boards/" in each for each in learned(scene, made, ["igor"]))


# A pair and any number of members


def test_the_code_on_the_own_paper_is_a_way_in_and_no_vouch(scene: Scene) -> None:
    made, fixture = sealed(scene), scene.fixture
    hanna = browser(scene, "hanna")
    hanna.get(entry_links.path_of(fixture))
    assert enter(hanna, fixture).status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.entered_as, Vouch.objects.count()) == ("code", 0)
    for name in ("anna", "chidi", "hanna", "igor"):
        confirm(browser(scene, name), fixture)
    sheet.refresh_from_db()
    assert sheet.verdict == "pending"
    assert result_of(fixture) is None
    assert is_shut(made)
    assert learned(scene, made) == set()


def test_a_helper_with_the_code_does_not_put_a_sheet_in_place_of_an_officials(scene: Scene) -> None:
    sealed(scene)
    enter(browser(scene, "sam"), scene.fixture, SHEET)
    hanna = browser(scene, "hanna")
    hanna.get(entry_links.path_of(scene.fixture))
    enter(hanna, scene.fixture)
    assert [each.entered_as for each in Scoresheet.objects.all()] == ["official"]


def test_no_sheet_of_sealed_boards_before_the_round_not_even_of_two_pairs(scene: Scene) -> None:
    later = timezone.now() + timedelta(days=20)
    Round.objects.filter(number=1).update(starts_on=later.date(), closes_at=later + timedelta(days=7))
    made = sealed(scene)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    anna = browser(scene, "anna")
    enter(anna, fixture)
    answer = anna.post(
        reverse("api_sheets", args=[fixture.pk]), json.dumps(INVENTED), content_type="application/json"
    )
    assert answer.status_code in {400, 403, 409}
    anna.post(reverse("match_table", args=[fixture.pk]))
    assert not Scoresheet.objects.exists()
    assert not Table.objects.exists()
    assert learned(scene, made) == set()


def test_a_director_s_public_leave_lets_a_match_be_played_early(scene: Scene) -> None:
    later = timezone.now() + timedelta(days=20)
    Round.objects.filter(number=1).update(starts_on=later.date(), closes_at=later + timedelta(days=7))
    sealed(scene)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    address = reverse("match_boards", args=[fixture.pk])
    given = {"step": "early", "reason": "Anna travels"}
    assert browser(scene, "anna").post(address, given).status_code == 403
    assert browser(scene, "dora").post(address, given).status_code == 302
    assert "Anna travels" in browser(scene, "igor").get(reverse("match", args=[fixture.pk])).content.decode()
    enter(browser(scene, "anna"), fixture)
    assert Scoresheet.objects.get().entered_by == scene.users["anna"]
    assert AuditEntry.objects.filter(action="fixture.early_play").exists()


def test_invented_totals_of_both_sides_show_no_card_before_the_release(scene: Scene) -> None:
    """Two pairs that agree on a result have agreed on it. They have not played the boards by that."""
    made = sealed(scene)
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "eva"), scene.fixture)
    assert result_of(scene.fixture) == (580, 0)
    assert not FixtureBoard.objects.filter(is_proven=True).exists()
    assert learned(scene, made, [*COALITION, "eva"]) == set()


def test_who_confirmed_invented_totals_cannot_correct_them_once_all_cards_are_public(scene: Scene) -> None:
    made = sealed(scene)
    play(scene, scene.fixtures[1])
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "eva"), scene.fixture)
    assert not is_shut(made)
    enter(browser(scene, "anna"), scene.fixture, OTHER)
    confirm(browser(scene, "eva"), scene.fixture)
    assert result_of(scene.fixture) == (580, 0)
    assert Scoresheet.objects.filter(match=scene.fixture.pk, verdict="pending").exists()
    confirm(browser(scene, "dora"), scene.fixture)
    assert result_of(scene.fixture) == (460, 0)
    told = AuditEntry.objects.filter(fixture=scene.fixture, action="sheet.confirmed").first()
    assert told is not None
    assert "its cards were already public" in told.summary


def test_a_match_reopened_after_the_release_takes_no_result_of_its_sides_alone(scene: Scene) -> None:
    sealed(scene)
    play(scene, scene.fixture)
    play(scene, scene.fixtures[1])
    given = {"reason": "Deal 2 was wrong"}
    browser(scene, "dora").post(reverse("match_reopen", args=[scene.fixture.pk]), given)
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "eva"), scene.fixture)
    assert result_of(scene.fixture) is None
    confirm(browser(scene, "olive"), scene.fixture)
    assert result_of(scene.fixture) == (580, 0)


def test_nobody_sits_down_at_boards_played_elsewhere_under_another_name(scene: Scene) -> None:
    """Igor plays a board in one match; his account is taken off and comes back as another player."""
    made = boards.make(actor=scene.users["dora"], competition=scene.competition, count=4, delayed=AGREED)
    rows = list(made.boards.order_by("place"))
    first, later = scene.fixtures[0], scene.fixtures[2]  # Anna - Eva, and Eva - Olga in round 2
    boards.assign(actor=scene.users["dora"], board_set=made, plays={first: rows, later: rows})
    igor = next(each for each in scene.players if each.name == "Igor Idle")
    Substitution.objects.create(
        fixture=first, entry=first.home, absent=scene.players[1], substitute=igor, made_by=None
    )
    play(scene, first)
    claims.unlink(actor=scene.users["dora"], player=igor)
    again = Player.objects.create(club=scene.club, name="Igor the Second")
    claims.link(actor=scene.users["dora"], player=again, user=scene.users["igor"], at=timezone.now())
    olga = browser(scene, "olga")
    given = {"absent": scene.players[5].pk, "substitute": again.pk, "reason": "Kenji is ill"}
    olga.post(reverse("fixture_substitute", args=[later.pk]), given)
    assert not Substitution.objects.filter(fixture=later).exists()
    kept = (
        merging.merge(actor=scene.users["dora"], keep=scene.players[-2], duplicate=igor) and scene.players[-2]
    )
    given["substitute"] = kept.pk
    olga.post(reverse("fixture_substitute", args=[later.pk]), given)
    assert not Substitution.objects.filter(fixture=later).exists()


# A director who plays


def test_a_playing_director_s_rulings_count_and_open_nothing(with_director: Scene) -> None:
    scene = with_director
    made = sealed(scene)
    anna, other = browser(scene, "anna"), scene.fixtures[1]
    assert rule(anna, other, "void").status_code == 302
    enter(anna, scene.fixture)
    confirm(browser(scene, "eva"), scene.fixture)
    assert Fixture.objects.get(pk=other.pk).status == "void"
    assert is_shut(made)
    assert learned(scene, made) == set()
    rule(anna, other, "restore")
    rule(anna, other, "home")
    assert result_of(other) == (0, 0)
    assert is_shut(made)


def test_boards_that_wait_open_by_a_neutral_word_by_consent_or_by_time(with_director: Scene) -> None:
    scene = with_director
    for way in ("neutral", "consent", "time"):
        number = {"neutral": 1, "consent": 2, "time": 3}[way]
        made = sealed(scene, number)
        first, other = scene.fixtures[2 * number - 2 : 2 * number]
        mine, theirs = (
            (first, other) if scene.entries[0].pk in {first.home_id, first.away_id} else (other, first)
        )
        play(scene, mine)
        rule(browser(scene, "anna"), theirs, "void")
        assert is_shut(made)
        address = reverse("match_boards", args=[theirs.pk])
        for name in ("anna", "chidi", "igor"):
            for step in ("vouch", "consent", "name"):
                given = {"step": step, "reason": "So we play on", "name": "Igor"}
                assert browser(scene, name).post(address, given).status_code in {302, 403}
        assert is_shut(made)
        if way == "neutral":
            assert b"boards closed" in browser(scene, "dora").get(f"/clubs/{scene.club.slug}/desk/").content
            browser(scene, "dora").post(address, {"step": "vouch", "reason": "They were ill"})
        elif way == "consent":
            for entry in (theirs.home, theirs.away):
                assert is_shut(made)
                client = Client()
                client.force_login(
                    User.objects.get(players__places__order=1, players__places__lineup__entries=entry)
                )
                client.post(address, {"step": "consent"})
        else:
            closes = theirs.round.closes_at
            assert releases.open_overdue(at=closes + timedelta(days=14)) == 0
            assert releases.open_overdue(at=closes + timedelta(days=15)) == 1
        assert not is_shut(made)
        told = AuditEntry.objects.filter(fixture=theirs, action="boards.settled").get()
        assert told.after == {"settled": way}


def test_a_playing_director_neither_releases_nor_takes_nor_draws_out(with_director: Scene) -> None:
    scene = with_director
    made = sealed(scene)
    anna = browser(scene, "anna")
    base = f"/clubs/{scene.club.slug}/desk/{scene.competition.slug}/boards/{made.pk}"
    for act in ("release", "release-board", "draw-out", "files", "paper", "discard"):
        answer = anna.post(
            f"{base}/{act}/", {"reason": "Please", "board": 1, "format": "pbn", "kind": "files"}
        )
        assert answer.status_code < 500
        made.refresh_from_db()
        assert is_shut(made)
        assert not Participation.objects.filter(kind="drew").exists()
        if made.discarded_at is not None:
            break
    assert learned(scene, made) == set()


def test_a_playing_director_decides_no_sheet_of_others_and_reads_none(with_director: Scene) -> None:
    scene = with_director
    sealed(scene)
    fixture = scene.fixtures[1]
    iris = browser(scene, "iris")
    enter(iris, Fixture.objects.with_pairs().get(pk=fixture.pk), SHEET)
    anna = browser(scene, "anna")
    confirm(anna, fixture)
    version = Scoresheet.objects.get(match=fixture.pk)
    anna.post(reverse("sheet_reject", args=[fixture.pk]), {"version": 1, "reason": "No"})
    anna.post(
        reverse("api_sheet_confirm", args=[fixture.pk, 1]),
        json.dumps({"digest": version.digest}),
        content_type="application/json",
    )
    version.refresh_from_db()
    assert version.verdict == "pending"
    assert anna.get(reverse("scoresheet", args=[fixture.pk])).status_code == 403


def test_a_superuser_who_plays_is_a_player(with_director: Scene) -> None:
    scene = with_director
    made = sealed(scene)
    User.objects.filter(pk=scene.users["anna"].pk).update(is_superuser=True, is_staff=True)
    sheet = scoresheets.submit(
        actor=scene.users["iris"],
        fixture=Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk),
        content=every_card(scene, made),
        origin="page",
    )
    assert learned(scene, made, ["anna"]) == set()
    confirm(browser(scene, "anna"), scene.fixtures[1])
    sheet.refresh_from_db()
    assert (sheet.verdict, is_shut(made)) == ("pending", True)
    boards_page = f"/clubs/{scene.club.slug}/desk/{scene.competition.slug}/boards/{made.pk}/release/"
    browser(scene, "anna").post(boards_page, {"reason": "Please"})
    assert is_shut(made)


def test_who_took_the_cards_out_is_no_substitute_but_by_a_neutral_reason_that_all_can_read(
    scene: Scene,
) -> None:
    Membership.objects.filter(user=scene.users["hanna"]).update(role=Role.DIRECTOR)
    made = sealed(scene)
    boards.draw_out(actor=scene.users["hanna"], board_set=made, kind="files", reason="To deal them")
    hanna = next(each for each in scene.players if each.name == "Hanna Helper")
    address = reverse("fixture_substitute", args=[scene.fixture.pk])
    given = {"absent": scene.players[1].pk, "substitute": hanna.pk, "reason": "Chidi is ill"}
    for name in ("anna", "hanna"):
        browser(scene, name).post(address, given)
    assert not Substitution.objects.filter(substitute=hanna).exclude(made_by=scene.users["hanna"]).exists()


def test_a_member_who_read_sheets_as_an_official_is_no_substitute_for_these_boards(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["hanna"]).update(role=Role.SCORER)
    made = boards.make(actor=scene.users["dora"], competition=scene.competition, count=4, delayed=AGREED)
    rows = list(made.boards.order_by("place"))
    first, later = scene.fixtures[0], scene.fixtures[2]
    boards.assign(actor=scene.users["dora"], board_set=made, plays={first: rows})
    enter(browser(scene, "anna"), first, SHEET)
    assert browser(scene, "hanna").get(reverse("match", args=[first.pk])).status_code == 200
    boards.assign(actor=scene.users["dora"], board_set=made, plays={later: rows})
    hanna = next(each for each in scene.players if each.name == "Hanna Helper")
    given = {"absent": scene.players[5].pk, "substitute": hanna.pk, "reason": "Kenji is ill"}
    browser(scene, "olga").post(reverse("fixture_substitute", args=[later.pk]), given)
    assert not Substitution.objects.exists()
    substitutions.appoint(
        actor=scene.users["dora"],
        fixture=later,
        absent=scene.players[5],
        substitute=hanna,
        reason="Nobody else is here",
    )
    page = browser(scene, "igor").get(reverse("match", args=[later.pk])).content.decode()
    assert "Nobody else is here" in page


# A club without anybody neutral


def lonely(scene: Scene) -> Scene:
    """Olive, the owner, plays for Eva's pair; nobody else is a director but Anna."""
    Membership.objects.filter(user=scene.users["dora"]).update(role=Role.MEMBER)
    Membership.objects.filter(user=scene.users["eva"]).update(role=Role.OWNER)
    Membership.objects.filter(user=scene.users["olive"]).update(role=Role.MEMBER)
    return scene


def test_an_owner_names_somebody_for_one_decision_by_a_link_that_works_once(with_director: Scene) -> None:
    made = sealed(with_director)
    scene, other = lonely(with_director), with_director.fixtures[1]
    play(scene, scene.fixture)
    rule(browser(scene, "anna"), other, "void")
    assert is_shut(made)
    address = reverse("match_boards", args=[other.pk])
    assert browser(scene, "anna").post(address, {"step": "name", "name": "Igor"}).status_code == 403
    page = browser(scene, "eva").post(address, {"step": "name", "name": "Dora"})
    link = page.context["link"].removeprefix("http://testserver")
    kept = NeutralInvitation.objects.get()
    assert kept.digest not in link
    given = {"step": "open", "reason": "Both sides were ill"}
    for name in ("anna", "chidi", "eva", "iris"):
        assert browser(scene, name).post(link, given).status_code == 403
    assert is_shut(made)
    assert browser(scene, "dora").post(link, given).status_code == 302
    assert not is_shut(made)
    assert browser(scene, "dora").post(link, given).status_code == 404


def test_a_link_that_is_old_decides_nothing(with_director: Scene) -> None:
    made = sealed(with_director)
    scene, other = lonely(with_director), with_director.fixtures[1]
    play(scene, scene.fixture)
    rule(browser(scene, "anna"), other, "void")
    page = browser(scene, "eva").post(
        reverse("match_boards", args=[other.pk]), {"step": "name", "name": "Dora"}
    )
    link = page.context["link"].removeprefix("http://testserver")
    NeutralInvitation.objects.update(expires_at=timezone.now())
    late = browser(scene, "dora").post(link, {"step": "open", "reason": "x"})
    assert late.status_code == 404
    assert "ask the club’s owner for a new link" in late.content.decode()
    assert is_shut(made)
