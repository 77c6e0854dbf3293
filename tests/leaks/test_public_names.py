"""Whose name is hidden from people outside the club: it is in no answer of any address that they can ask."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.tables.services import opening, seats
from games.tables.state import facts as reading
from games.tables.state.reader import Reader, standing_of
from games.tables.state.seat_view import view_for
from league.errors import Conflict, LeagueError
from league.fixtures import feeds
from league.models import AuditEntry, Lineup, Player, User
from league.people.services import claims, public_names, tokens
from league.words.public_names import NOBODY, Shown, to_strangers
from tests.every_page import furnish
from tests.permissions.walking import Stage, address_of, addresses
from tests.scenes import Scene, make_scene, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OUTSIDE = ("visitor", "stranger")
#: An invitation’s link and a calendar’s are their person’s own, a paper’s code that of those who played the match.
OWN = {"player_invitation", "sheet_link", "calendar_my"}


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def answers(stage: Stage, role: str) -> Iterator[tuple[str, str]]:
    """What each address gives to this role; whatever a request did is taken back."""
    client = Client(raise_request_exception=False)
    if role != "visitor":
        client.force_login(stage.scene.users[role])
    for name, pattern in addresses():
        if name in OWN:
            continue
        cache.clear()
        with transaction.atomic():
            answer = client.get(address_of(stage, name, pattern), follow=True)
            content = b"".join(answer)
            transaction.set_rollback(True)
        yield name, content.decode(errors="replace")


def hide_everybody(stage: Stage) -> set[str]:
    """All names of the club's players and accounts, which nobody outside is to read."""
    club = stage.scene.club
    Player.objects.filter(club=club).update(public_name=Shown.HIDDEN)
    people = User.objects.filter(players__club=club) | User.objects.filter(memberships__club=club)
    User.objects.filter(pk__in=people.values("pk")).update(public_name=Shown.HIDDEN)
    names = {player.name for player in club.players.all()} | {user.name for user in people}
    return names | {player.surname for player in stage.scene.players}


def found_in(stage: Stage, role: str, names: set[str]) -> dict[str, set[str]]:
    wanted = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names))
    return {name: set(found) for name, text in answers(stage, role) if (found := wanted.findall(text))}


@pytest.mark.parametrize("role", OUTSIDE)
def test_nobody_outside_reads_a_hidden_name_anywhere(role: str) -> None:
    stage = furnish()
    names = hide_everybody(stage)
    assert found_in(stage, role, names) == {}


def test_the_walk_finds_the_names_for_a_member_and_for_a_visitor_where_they_are_not_hidden() -> None:
    stage = furnish()
    open_to_all = found_in(stage, "visitor", {player.name for player in stage.scene.players})
    assert {"player", "match", "api_player"} <= set(open_to_all)
    names = hide_everybody(stage)
    assert {"player", "match", "api_player"} <= set(found_in(stage, "iris", names))


# One person


def hidden(scene: Scene, how: str = Shown.HIDDEN) -> Player:
    """Anna, as she chose to be shown."""
    public_names.choose(actor=scene.users["anna"], public_name=how)
    return Player.objects.get(pk=scene.players[0].pk)


@pytest.mark.parametrize(("how", "told"), [("", "Anna Berg"), ("full", "Anna Berg"), ("initials", "A. B.")])
def test_a_person_is_shown_outside_as_they_chose(scene: Scene, how: str, told: str) -> None:
    anna = hidden(scene, how)
    with to_strangers():
        assert anna.name == told
        assert str(scene.users["anna"]) == told
    assert anna.name == "Anna Berg"


def test_a_pair_tells_no_hidden_name_even_if_it_gave_itself_one(scene: Scene) -> None:
    hidden(scene)
    Lineup.objects.filter(pk=scene.entries[0].lineup_id).update(name="Anna and friends")
    pair = Lineup.objects.with_players().get(pk=scene.entries[0].lineup_id)
    assert str(pair) == "Anna and friends"
    with to_strangers():
        assert str(pair) == f"{NOBODY} & Okafor"


def test_what_is_stored_stays_whoever_reads(scene: Scene) -> None:
    anna = hidden(scene)
    with to_strangers():
        anna.number = "17"
        anna.save()
    anna.refresh_from_db()
    assert anna.name == "Anna Berg"


def test_young_people_are_not_named_unless_it_is_chosen(scene: Scene) -> None:
    child = Player.objects.create(club=scene.club, name="Mia Winter")
    dora = scene.users["dora"]
    public_names.decide(actor=dora, player=child, public_name="", is_young=True)
    child.refresh_from_db()
    with to_strangers():
        assert child.name == NOBODY
    public_names.decide(actor=dora, player=child, public_name="initials", is_young=True)
    child.refresh_from_db()
    with to_strangers():
        assert child.name == "M. W."
    entry = AuditEntry.objects.filter(action="player.public_name").first()
    assert entry is not None
    assert entry.after == {"public_name": "initials", "is_young": True}


def test_an_account_of_a_young_player_is_not_named_either_and_its_choice_holds_for_later_players(
    scene: Scene,
) -> None:
    dora, at = scene.users["dora"], timezone.now()
    child, user = Player.objects.create(club=scene.club, name="Mia Winter"), make_user("Mia Winter")
    public_names.decide(actor=dora, player=child, public_name="", is_young=True)
    claims.link(actor=dora, player=child, user=user, at=at)
    with to_strangers():
        assert str(User.objects.get(pk=user.pk)) == NOBODY


def test_a_director_does_not_decide_for_who_has_an_account(scene: Scene) -> None:
    with pytest.raises(Conflict, match="themselves"):
        public_names.decide(
            actor=scene.users["dora"], player=scene.players[0], public_name="full", is_young=False
        )


def test_only_directors_mark_people_as_young_and_only_known_ways_are_taken(scene: Scene) -> None:
    with pytest.raises(LeagueError):
        public_names.decide(actor=scene.users["iris"], player=scene.players[0], public_name="", is_young=True)
    with pytest.raises(LeagueError):
        public_names.choose(actor=scene.users["anna"], public_name="backwards")


def test_a_search_from_outside_does_not_tell_who_is_hidden(scene: Scene) -> None:
    anna = hidden(scene)
    page = reverse("club_players", args=[scene.club.slug])
    assert anna.get_absolute_url() in Client().get(page).text
    assert anna.get_absolute_url() not in Client().get(page, {"q": "berg"}).text
    member = Client()
    member.force_login(scene.users["iris"])
    assert "Anna Berg" in member.get(page, {"q": "berg"}).text


def test_a_claim_from_outside_tells_the_club_the_full_name(scene: Scene) -> None:
    free = Player.objects.create(club=scene.club, name="Mia Winter", public_name=Shown.HIDDEN)
    outsider = make_user("Outside Person")
    with to_strangers():
        claims.claim(actor=outsider, player=free, at=timezone.now())
    assert free.claims.count() == 1
    assert not [
        each for each in AuditEntry.objects.all() if NOBODY in f"{each.summary} {each.said} {each.after}"
    ]


def test_a_calendar_reads_as_its_owner_and_the_public_one_as_a_visitor(scene: Scene) -> None:
    hidden(scene)
    chidi, pk = scene.users["chidi"], scene.competition.pk
    own = reverse("calendar_of", args=[feeds.token_of(chidi), "competitions", pk])
    public = reverse("calendar_of", args=["public", "competitions", pk])
    assert "Berg" in Client().get(own).text
    found = Client().get(public).text
    assert "Okafor" in found
    assert "Berg" not in found


def test_a_program_with_a_members_token_reads_full_names(scene: Scene) -> None:
    anna = hidden(scene)
    address = reverse("api_player", args=[anna.pk])
    assert "Berg" not in Client().get(address).text
    _token, text = tokens.make(actor=scene.users["iris"], at=timezone.now(), scope="read", days=3)
    assert "Berg" in Client().get(address, headers={"authorization": f"Token {text}"}).text


def test_a_table_tells_who_looks_on_from_outside_no_hidden_name(scene: Scene) -> None:
    hidden(scene)
    anna = scene.users["anna"]
    table = opening.open_casual(actor=anna, club=scene.club, terms={}, options={})
    if not table.seats.exists():
        seats.sit(actor=anna, table_id=table.pk, seat="N")
    with to_strangers():
        facts = reading.fresh(table.pk)

    def told(reader: Reader) -> set[str]:
        return {each["name"] for each in view_for(facts=facts, reader=reader, at=timezone.now())["seats"]}

    assert "Anna Berg" in told(Reader(is_inside=True)), "whoever asked first"
    assert told(Reader()) & {"Anna Berg", NOBODY} == {NOBODY}
    assert standing_of(scene.users["iris"], table).is_inside
    assert not standing_of(make_user("Outside Person"), table).is_inside
