"""An official who plays gains accounts that speak for other sides: by claims, links, addresses, merges and substitutes.

The club has nobody neutral: Anna directs and plays, Hanna and Igor are her helpers. Where somebody neutral is, the ways
that are still open (an address, a substitute without an account) are tried as well.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from games import embargo
from games.boards.services import releases
from games.models import BoardConsent, BoardSet, FixtureBoard
from league.entries.services import typed_entries
from league.fixtures.services import substitutions
from league.imports.services import imports
from league.models import (
    AuditEntry,
    Fixture,
    Membership,
    Player,
    PlayerClaim,
    PlayerMerge,
    Role,
    Substitution,
    User,
)
from league.people.services import claims, merging, players
from tests.attacks.test_coalition import OTHER, browser, confirm, enter, is_shut, result_of, rule
from tests.games import boards, evening_rooms
from tests.games.boards import duplicate_scene, every_card, sealed
from tests.kept_scenes import kept
from tests.league import factories
from tests.live.tables import all_ready, laid_in, play_deal
from tests.scenes import Scene, make_user
from tests.thorough import IS_THOROUGH, TURN

# What is answered and counted: the services have tests of their own on each database.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
play = kept(boards.play)


@pytest.fixture
def scene() -> Scene:
    return lone_director()


@kept
def lone_director() -> Scene:
    """Anna alone directs, and plays. Luis has no account; nor has Gina, who is in no pair."""
    made = duplicate_scene()
    for name in ("Hanna Helper", "Igor Idle"):
        user = make_user(name)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        made.users[name.split()[0].lower()] = user
        Membership.objects.create(user=user, club=made.club, role=Role.MEMBER)
    made.players.append(Player.objects.create(club=made.club, name="Gina Ghost"))
    Player.objects.filter(name="Luis Reyes").update(user=None)
    alone(made)
    return made


def alone(scene: Scene) -> None:
    Membership.objects.filter(club=scene.club).update(role=Role.MEMBER)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.OWNER)


def with_neutral(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["dora"]).update(role=Role.DIRECTOR)


def player(scene: Scene, name: str) -> Player:
    return Player.objects.get(club=scene.club, name__startswith=name)


def desk(scene: Scene, page: str) -> str:
    return f"/clubs/{scene.club.slug}/desk/{page}"


@kept
def made_by_dora(scene: Scene, number: int = 1) -> BoardSet:
    """A round's boards, made by somebody who plays nowhere."""
    with_neutral(scene)
    made = sealed(scene, number)
    alone(scene)
    return made


# The ways to an account that speaks for Eva & Luis


def by_claim(scene: Scene, helper: str) -> None:
    """The helper says that Luis is them, and Anna agrees: on the pages."""
    luis = player(scene, "Luis")
    browser(scene, helper).post(reverse("player_claim", args=[luis.pk]), {"message": "It is me"})
    asked = PlayerClaim.objects.get(player=luis, state="open")
    browser(scene, "anna").post(desk(scene, "claims/"), {"claim": asked.pk, "answer": "accept"})


def by_link(scene: Scene, helper: str) -> None:
    claims.link(
        actor=scene.users["anna"],
        player=player(scene, "Luis"),
        user=scene.users[helper],
        at=timezone.now(),
    )


def by_address(scene: Scene, helper: str) -> None:
    """Luis gets the helper's address: the claim is accepted at once, by nobody's decision."""
    luis, email = player(scene, "Luis"), scene.users[helper].email
    players.edit(actor=scene.users["anna"], player=luis, name=luis.name, email=email)
    browser(scene, helper).post(reverse("player_claim", args=[luis.pk]), {})


def by_merge(scene: Scene, helper: str) -> None:
    """A player made up with the helper's account becomes Luis: the account, or the pair, is the other's."""
    made_up = Player.objects.create(club=scene.club, name="Someone New", user=scene.users[helper])
    merging.merge(actor=scene.users["anna"], keep=player(scene, "Luis"), duplicate=made_up)


def by_merge_into_the_helper(scene: Scene, helper: str) -> None:
    made_up = Player.objects.create(club=scene.club, name="Someone New", user=scene.users[helper])
    merging.merge(actor=scene.users["anna"], keep=made_up, duplicate=player(scene, "Luis"))


def by_undone_merge(scene: Scene, helper: str) -> None:
    """Before the boards were made the pair's player was merged away from the helper's; that is taken back now."""
    merge = PlayerMerge.objects.get()
    merging.undo(actor=scene.users["anna"], merge=merge)
    assert player(scene, "Luis").user == scene.users[helper]


def by_new_player_as_substitute(scene: Scene, helper: str) -> None:
    """A player is added with the helper's address and named, without an account, in Luis' place; then claimed."""
    email = scene.users[helper].email
    made_up = players.add(actor=scene.users["anna"], club=scene.club, name="Someone New", email=email)
    _named_and_claimed(scene, helper, made_up)


def by_imported_player_as_substitute(scene: Scene, helper: str) -> None:
    upload = SimpleUploadedFile("new.csv", f"name,email\nSomeone New,{scene.users[helper].email}\n".encode())
    batch = imports.preview(actor=scene.users["anna"], club=scene.club, kind="players", upload=upload)
    imports.commit(actor=scene.users["anna"], batch=batch)
    _named_and_claimed(scene, helper, player(scene, "Someone New"))


def by_typed_player_as_substitute(scene: Scene, helper: str) -> None:
    """A name that was typed has no account, stands in for Luis, and is then said to be the helper's."""
    typed_entries.make(
        actor=scene.users["anna"], club=scene.club, text="Someone New & Another New", name="Friday"
    )
    _substitute(scene, player(scene, "Someone New"))
    claims.link(
        actor=scene.users["anna"],
        player=player(scene, "Someone New"),
        user=scene.users[helper],
        at=timezone.now(),
    )


def _named_and_claimed(scene: Scene, helper: str, made_up: Player) -> None:
    _substitute(scene, made_up)
    browser(scene, helper).post(reverse("player_claim", args=[made_up.pk]), {})


def _substitute(scene: Scene, who: Player) -> None:
    given = {"absent": player(scene, "Luis").pk, "substitute": who.pk, "reason": "Ill"}
    browser(scene, "anna").post(reverse("fixture_substitute", args=[scene.fixture.pk]), given)
    assert Substitution.objects.filter(fixture=scene.fixture, substitute=who).exists()


WAYS: tuple[Callable[[Scene, str], None], ...] = (
    by_claim,
    by_link,
    by_address,
    by_merge,
    by_merge_into_the_helper,
    by_undone_merge,
    by_new_player_as_substitute,
    by_imported_player_as_substitute,
    by_typed_player_as_substitute,
)
#: What is open also where the club has somebody neutral: nobody decides about an account.
WAYS_PAST_A_NEUTRAL = (by_new_player_as_substitute, by_imported_player_as_substitute)


def ways(test: int) -> pytest.MarkDecorator:
    """Every way goes to one of three tests, by turns to another."""
    given = [way for place, way in enumerate(WAYS) if IS_THOROUGH or (place + test + TURN) % 3 == 0]
    return pytest.mark.parametrize("way", given, ids=lambda each: each.__name__)


def merged_before(scene: Scene) -> None:
    """What has to be there before the boards are made."""
    luis = player(scene, "Luis")
    Player.objects.filter(pk=luis.pk).update(user=scene.users["hanna"])
    other = Player.objects.create(club=scene.club, name="Someone New")
    merging.merge(actor=scene.users["dora"], keep=other, duplicate=luis)


def begin(scene: Scene, way: Callable[..., None], number: int = 1) -> BoardSet:
    return begun(scene, number, with_merge=way is by_undone_merge)


@kept
def begun(scene: Scene, number: int, *, with_merge: bool) -> BoardSet:
    with_neutral(scene)
    if with_merge:
        merged_before(scene)
    made = sealed(scene, number)
    alone(scene)
    return made


def speaks_for_eva(scene: Scene, name: str) -> None:
    assert scene.users[name].pk in {
        *(each.user_id for each in scene.fixture.away.lineup.players),
        *(each.substitute.user_id for each in scene.fixture.substitutions.all()),
    }


@ways(1)
def test_a_sheet_that_a_helper_confirms_for_the_other_side_counts_and_opens_nothing(
    scene: Scene, way: Callable[[Scene, str], None]
) -> None:
    made = begin(scene, way)
    play(scene, scene.fixtures[1])
    way(scene, "hanna")
    speaks_for_eva(scene, "hanna")
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert result_of(scene.fixture) == (580, 0)
    assert is_shut(made)
    assert not FixtureBoard.objects.filter(fixture=scene.fixture, is_proven=True).exists()
    # Why stands in the trail, and on the page of the match's boards.
    told = AuditEntry.objects.get(fixture=scene.fixture, action="boards.kept_shut")
    assert "Anna Berg" in told.summary
    assert "Hanna Helper" in told.summary
    page = browser(scene, "eva").get(reverse("match_boards", args=[scene.fixture.pk]))
    assert "Hanna Helper" in page.content.decode()


@ways(2)
def test_nor_does_one_that_the_helper_enters_and_the_director_confirms(
    scene: Scene, way: Callable[[Scene, str], None]
) -> None:
    made = begin(scene, way)
    play(scene, scene.fixtures[1])
    way(scene, "hanna")
    enter(browser(scene, "hanna"), scene.fixture, every_card(scene, made))
    confirm(browser(scene, "anna"), scene.fixture)
    assert result_of(scene.fixture) is not None
    assert is_shut(made)
    assert not FixtureBoard.objects.filter(fixture=scene.fixture, is_proven=True).exists()


@ways(3)
def test_a_helper_does_not_agree_for_the_other_side_that_boards_open(
    scene: Scene, way: Callable[[Scene, str], None]
) -> None:
    made = begin(scene, way)
    play(scene, scene.fixtures[1])
    way(scene, "hanna")
    rule(browser(scene, "anna"), scene.fixture, "void")
    address = reverse("match_boards", args=[scene.fixture.pk])
    for name in ("hanna", "anna"):
        browser(scene, name).post(address, {"step": "consent"})
    assert is_shut(made)
    assert not BoardConsent.objects.filter(entry=scene.fixture.away).exists()
    # The other player of the pair, whose account is her own, may.
    browser(scene, "eva").post(address, {"step": "consent"})
    assert not is_shut(made)


@pytest.mark.parametrize("way", WAYS_PAST_A_NEUTRAL, ids=lambda each: each.__name__)
def test_the_same_where_the_club_has_a_neutral_director_who_is_asked_then(
    scene: Scene, way: Callable[[Scene, str], None]
) -> None:
    with_neutral(scene)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    made = sealed(scene)
    play(scene, scene.fixtures[1])
    way(scene, "hanna")
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert is_shut(made)
    assert b"boards closed" in browser(scene, "dora").get(desk(scene, "")).content
    releases.vouch(actor=scene.users["dora"], fixture=scene.fixture, reason="Eva told me that it is right")
    assert not is_shut(made)


def test_an_imported_or_added_player_of_a_neutral_director_speaks(scene: Scene) -> None:
    """The control of the ways past a neutral: the same things, done by Dora."""
    with_neutral(scene)
    made = sealed(scene)
    play(scene, scene.fixtures[1])
    hanna = scene.users["hanna"]
    new = players.add(actor=scene.users["dora"], club=scene.club, name="Someone New", email=hanna.email)
    substitutions.appoint(
        actor=scene.users["dora"], fixture=scene.fixture, absent=player(scene, "Luis"), substitute=new
    )
    browser(scene, "hanna").post(reverse("player_claim", args=[new.pk]), {})
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert not is_shut(made)


def test_two_helpers_give_a_match_of_others_a_result_and_open_nothing(scene: Scene) -> None:
    """Anna takes no part in it: neither side has a word of its own."""
    made, other = made_by_dora(scene), scene.fixtures[1]
    play(scene, scene.fixture)
    for name, helper in (("Tom", "hanna"), ("Kenji", "igor")):
        there = player(scene, name)
        claims.unlink(actor=scene.users["anna"], player=there)
        claims.link(actor=scene.users["anna"], player=there, user=scene.users[helper], at=timezone.now())
    enter(browser(scene, "hanna"), Fixture.objects.with_pairs().get(pk=other.pk))
    confirm(browser(scene, "igor"), other)
    assert result_of(other) == (580, 0)
    assert is_shut(made)


def test_nor_do_substitutes_whom_a_lone_director_names_in_both_pairs_of_others(scene: Scene) -> None:
    """Their accounts are old and their own; that they speak for these pairs is the director's word."""
    for name, helper in (("Hanna Helper", "hanna"), ("Igor Idle", "igor")):
        Player.objects.create(club=scene.club, name=name, user=scene.users[helper])
    made, other = made_by_dora(scene), Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk)
    play(scene, scene.fixture)
    for absent, name in ((other.home, "Hanna"), (other.away, "Igor")):
        substitutions.appoint(
            actor=scene.users["anna"],
            fixture=other,
            absent=absent.lineup.players[1],
            substitute=player(scene, name),
        )
    enter(browser(scene, "hanna"), Fixture.objects.with_pairs().get(pk=other.pk))
    confirm(browser(scene, "igor"), other)
    assert is_shut(made)


def test_a_helper_in_a_pair_names_nobody_whose_word_is_its_own(scene: Scene) -> None:
    """Hanna, put in Luis' place, names Igor in Eva's: his account is old, and hers is not."""
    Player.objects.create(club=scene.club, name="Igor Idle", user=scene.users["igor"])
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    by_link(scene, "hanna")
    given = {"absent": player(scene, "Eva").pk, "substitute": player(scene, "Igor").pk, "reason": "Ill"}
    browser(scene, "hanna").post(reverse("fixture_substitute", args=[scene.fixture.pk]), given)
    assert Substitution.objects.exists()
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "igor"), scene.fixture)
    assert is_shut(made)


def test_an_account_that_is_taken_off_again_leaves_no_word_behind(scene: Scene) -> None:
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    by_link(scene, "hanna")
    enter(browser(scene, "hanna"), scene.fixture)
    claims.unlink(actor=scene.users["anna"], player=player(scene, "Luis"))
    confirm(browser(scene, "anna"), scene.fixture)
    assert is_shut(made)


def test_a_helper_changes_no_result_once_all_cards_are_public(scene: Scene) -> None:
    """Where nobody is neutral it takes all sides and an owner: Anna is one, and the other side is not Hanna."""
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "eva"), scene.fixture)
    assert not is_shut(made)
    by_link(scene, "hanna")
    enter(browser(scene, "anna"), scene.fixture, OTHER)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert result_of(scene.fixture) == (580, 0)


@pytest.mark.django_db(transaction=True)
def test_a_helper_in_a_seat_makes_no_table_proof(scene: Scene) -> None:
    """Hanna sits down as Luis in the browser, Eva's seat is a robot's: the site saw it played, but not by whom."""
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    by_link(scene, "hanna")
    scene.users["luis"] = scene.users["hanna"]
    with_neutral(scene)
    laid = laid_in(scene, robots={"E": "novice"})
    while play_deal(laid).state == "between":
        all_ready(laid)
    assert result_of(scene.fixture) is not None
    assert is_shut(made)
    assert not FixtureBoard.objects.filter(fixture=scene.fixture, is_proven=True).exists()


@pytest.mark.parametrize("way", WAYS[:5], ids=lambda each: each.__name__)
def test_a_helper_reads_nothing_of_what_the_player_has_played_before(
    scene: Scene, way: Callable[[Scene, str], None]
) -> None:
    """Luis has played; Anna, who may still meet these boards, makes a helper's account his."""
    made = begin(scene, way)
    play(scene, scene.fixture, **every_card(scene, made))
    assert FixtureBoard.objects.filter(fixture=scene.fixture, is_proven=True).count() == 4
    way(scene, "hanna")
    fixture = scene.fixture
    hanna = User.objects.get(pk=scene.users["hanna"].pk)
    plays = list(FixtureBoard.objects.filter(fixture=fixture))
    assert set(embargo.sight(visitor=hanna, plays=plays).values()) == {embargo.Sight.NOTHING}
    assert not embargo.sees_sheets(visitor=hanna, fixture=fixture)
    assert not embargo.sees_sheets_of(visitor=hanna, fixtures=[fixture])[fixture.pk]
    assert set(embargo.sight(visitor=scene.users["eva"], plays=plays).values()) == {embargo.Sight.OWN}


# What stays as it is


@pytest.mark.parametrize(
    "way", [each for each in WAYS if "substitute" not in each.__name__], ids=lambda each: each.__name__
)
def test_a_new_account_is_believed_where_the_other_side_is_nobody_s_but_its_own(
    scene: Scene, way: Callable[[Scene, str], None]
) -> None:
    """Luis gets an account in the middle of the season, not of one match alone. Against Olga & Kenji it is good."""
    made = begin(scene, way, 2)
    way(scene, "hanna")
    theirs = Fixture.objects.with_pairs().get(pk=scene.fixtures[2].pk)
    assert {theirs.home, theirs.away} == {scene.entries[3], scene.entries[2]}
    enter(browser(scene, "hanna"), theirs)
    confirm(browser(scene, "olga"), theirs)
    assert FixtureBoard.objects.filter(fixture=theirs, settled="sides").count() == 4
    play(scene, scene.fixtures[3])
    assert not is_shut(made)


def test_an_account_that_is_older_than_the_first_boards_is_believed(scene: Scene) -> None:
    by_claim(scene, "hanna")
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert not is_shut(made)


def test_an_address_that_is_older_than_the_first_boards_is_believed_whenever_it_is_claimed(
    scene: Scene,
) -> None:
    """Members were imported with their addresses, and log in for the first time at the door."""
    luis, hanna = player(scene, "Luis"), scene.users["hanna"]
    players.edit(actor=scene.users["anna"], player=luis, name=luis.name, email=hanna.email)
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    browser(scene, "hanna").post(reverse("player_claim", args=[luis.pk]), {})
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert not is_shut(made)


def test_a_pair_names_its_own_substitute_and_a_director_links_the_own_partner(scene: Scene) -> None:
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    claims.unlink(actor=scene.users["anna"], player=player(scene, "Chidi"))
    claims.link(
        actor=scene.users["anna"],
        player=player(scene, "Chidi"),
        user=scene.users["chidi"],
        at=timezone.now(),
    )
    stand_in = Player.objects.create(club=scene.club, name="Igor Idle", user=scene.users["igor"])
    asked = substitutions.appoint(
        actor=scene.users["eva"], fixture=scene.fixture, absent=player(scene, "Luis"), substitute=stand_in
    )
    enter(browser(scene, "chidi"), scene.fixture)
    confirm(browser(scene, "igor"), scene.fixture)
    assert is_shut(made), "who has not said yes confirms nothing"
    substitutions.answer(actor=scene.users["igor"], substitution=asked, accept=True)
    confirm(browser(scene, "igor"), scene.fixture)
    assert not is_shut(made)


def test_what_waits_opens_by_time(scene: Scene) -> None:
    made = made_by_dora(scene)
    play(scene, scene.fixtures[1])
    by_link(scene, "hanna")
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert is_shut(made)
    assert releases.open_overdue(at=scene.fixture.round.closes_at + timedelta(days=15)) == 1
    assert not is_shut(made)


@pytest.mark.one_database
def test_an_evening_of_eleven_pairs_with_a_lone_director_who_plays_notices_nothing() -> None:
    """He founded the club, agreed to every claim in the weeks before, deals the boards and plays in the first pair."""
    club = factories.club(time_zone="Europe/Dublin")
    lone = factories.member(club, Role.OWNER)
    evening = evening_rooms.draft(club, lone, pairs=11)
    at = timezone.now()
    for entry in evening.entries.with_pairs().order_by("pk"):
        for each in entry.lineup.players:
            if each == evening.entries.order_by("pk")[0].lineup.players[0]:
                claims.link(actor=lone, player=each, user=lone, at=at)
                continue
            user = factories.user(name=each.name)
            asked = claims.claim(actor=user, player=each, at=at)
            claims.decide(actor=lone, claim=asked, accept=True, at=at)
    evening = evening_rooms.evenings.start(actor=lone, competition=evening, at=evening_rooms.AT)
    for number in range(1, evening.stage.rounds.count() + 1):
        evening_rooms.begin(evening, lone, number)
        evening_rooms.play_round(evening, number)
        assert not FixtureBoard.objects.filter(
            fixture__round__number=number, fixture__status="confirmed", settled=""
        ).exists()
    assert not FixtureBoard.objects.filter(board__released_at=None).exists()
    assert not AuditEntry.objects.filter(action="boards.kept_shut").exists()
