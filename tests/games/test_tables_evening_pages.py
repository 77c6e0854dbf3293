"""The pages of an evening at tables: a few presses to set it up, who is there, the draw, the room, the wall."""

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.models import Competition, Fixture, IdempotencyKey, Notice, Role, RoundDraw
from league.standings.services import standings
from tests.league import factories
from tests.league.draws.test_tables import Evening

pytestmark = pytest.mark.django_db


def client_of(user=None):
    made = Client()
    if user is not None:
        made.force_login(user)
    return made


def directed(evening):
    """A director of the evening's club, in a browser; and where the evening is."""
    dora = factories.member(evening.club, Role.DIRECTOR)
    return client_of(dora), f"/clubs/{evening.club.slug}/{evening.competition.slug}/"


def test_a_few_presses_from_the_desk_to_the_first_tables():
    club = factories.club()
    desk = client_of(factories.member(club, Role.DIRECTOR))
    players = [factories.player(club) for _each in range(7)]
    address = f"/clubs/{club.slug}/desk/tables/new/"
    assert address in desk.get(f"/clubs/{club.slug}/desk/").text
    form = desk.get(address).context["form"]
    sent = {field.html_name: field.value() for field in form} | {"game": "tien-len"}
    here = desk.post(address, sent).headers["Location"]
    assert desk.get(f"{here.removesuffix('here/')}").headers["Location"] == here
    draw = desk.post(here, {"here": [each.pk for each in players], "begin": "1"}).headers["Location"]
    proposal = desk.get(draw).context["proposal"]
    published = desk.post(
        draw, {"publish": "1", "seen": proposal.digest, "tables": proposal.written}, follow=True
    )
    assert "Drawn: Round 1" in published.text
    assert Fixture.objects.count() == 2
    # People are in the room: nobody gets a mail.
    assert not mail.outbox
    assert not Notice.objects.exists()


def test_the_page_says_what_changed_on_it_and_no_more():
    """A director whose page is old takes nobody out whom another has ticked meanwhile."""
    evening = Evening(players=4)
    desk, base = directed(evening)
    seen = desk.get(f"{base}manage/here/").context["form"]["known"].value()
    late, later = (factories.player(evening.club) for _each in range(2))
    evening.register(came=[late])
    kept = [player.pk for player in evening.players[1:]]
    desk.post(f"{base}manage/here/", {"known": seen, "here": [*kept, later.pk], "save": "1"})
    there = set(evening.competition.entries.active().values_list("lineup__members__player", flat=True))
    assert there == {*kept, late.pk, later.pk}


@pytest.mark.parametrize(
    "sent",
    [
        {"here": ["x"]},
        {"here": ["9" * 30]},
        {"known": ["999999"]},
        {"typed": "x" * 50_000},
        {"typed": "\n".join(f"Player {number}" for number in range(200))},
    ],
)
def test_a_list_that_makes_no_sense_is_refused(sent):
    evening = Evening(players=4)
    desk, base = directed(evening)
    assert desk.post(f"{base}manage/here/", sent).status_code == 422
    assert evening.competition.entries.active().count() == 4


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"game": "concerto"}, "game"),
        ({"rounds": "99"}, "rounds"),
        ({"starts_on": "3026-01-01"}, "starts_on"),
        ({"name": ""}, "name"),
    ],
)
def test_an_evening_that_cannot_be_is_refused(sent, said):
    club = factories.club()
    desk = client_of(factories.member(club, Role.DIRECTOR))
    whole = {
        "name": "X",
        "game": "tien-len",
        "starts_on": timezone.localdate(),
        "play_time": "19:30",
        "rounds": 4,
    }
    answer = desk.post(f"/clubs/{club.slug}/desk/tables/new/", {**whole, **sent})
    assert answer.status_code == 422
    assert said in answer.context["form"].errors
    assert not Competition.objects.exists()


def test_the_room_the_wall_and_who_met_whom():
    evening = Evening()
    _desk, base = directed(evening)
    visitor = client_of()
    assert "Who is here" in visitor.get(f"{base}room/").text
    evening.draw(1)
    first, second = evening.fixtures(1)
    room = visitor.get(f"{base}room/")
    assert "results in from 0 of 2" in room.text
    assert "Round 1 of 4" in visitor.get(f"{base}screen/").text
    live = room.context["room"]
    assert visitor.get(live.url).status_code == 204

    user = factories.user()
    player = first.entries[0].lineup.players[0]
    player.user = user
    player.save()
    mine = client_of(user).get(f"{base}room/").text
    assert "You sit at table 1" in mine
    assert f"/matches/{first.pk}/scoresheet/" in mine

    evening.play(1)
    standings.compute(competition_id=evening.competition.pk, at=timezone.now())
    assert visitor.get(live.url).status_code == 200
    wall = visitor.get(f"{base}screen/").text
    assert "All results are in" in wall
    assert "wall-ranking" in wall
    found = visitor.get(f"{base}room/?q={second.entries[0]}").text
    assert "Table 2" in found
    met = visitor.get(f"{base}who-met/")
    ((_division, rows),) = met.context["divisions"]
    one = next(row for row in rows if row.entry in first.entries)
    assert {other for other, _times in one.others} == set(first.entries) - {one.entry}
    assert len(one.not_yet) == 7 - len(first.entries)
    for page in ("", "fixtures/", "progress/", "rounds/1/", "files/standings.csv", "files/results.csv"):
        assert visitor.get(f"{base}{page}").status_code == 200, page
    assert visitor.get(f"{base}cross-table/").status_code == 404


def test_a_draw_says_what_it_cost_and_why_two_others_do_not_meet():
    evening = Evening()
    evening.draw(1)
    evening.play(1)
    evening.draw(2)
    _desk, base = directed(evening)
    visitor, address = client_of(), f"{base}rounds/2/draw/{evening.division.pk}/"
    assert address in visitor.get(f"{base}rounds/2/").text
    (first, *_others) = evening.fixtures(2)
    one = first.entries[0]
    for other in evening.competition.entries.exclude(pk=one.pk):
        page = visitor.get(address, {"who": one.pk, "whom": other.pk})
        sit_together = other.pk in {each.pk for each in first.entries}
        assert (f"{one} and {other} meet:" in page.text) is sit_together
        assert ("They sit at the same table." in page.text) is sit_together
        assert (f"If {one} met {other}:" in page.text) is not sit_together
    assert visitor.get(address, {"who": one.pk, "whom": ""}).context["asked"] is None
    assert visitor.get(address, {"who": "x", "whom": "y"}).context["asked"] is None
    assert visitor.get(f"{base}rounds/3/draw/{evening.division.pk}/").status_code == 404


def test_when_somebody_has_left_since_nothing_is_compared_with_the_draw():
    evening = Evening(players=8)
    evening.draw(1)
    one, other = evening.fixtures(1)[0].entries[:2]
    _desk, base = directed(evening)
    address = f"{base}rounds/1/draw/{evening.division.pk}/"
    assert "Changed since" not in client_of().get(address).text
    evening.register(left=[other])
    page = client_of().get(address, {"who": one.pk, "whom": other.pk})
    assert "The draw stands as it was published." in page.text
    assert page.context["asked"] is None


def test_the_desk_says_which_tables_still_play_and_lets_two_change_places():
    evening = Evening(players=8)
    evening.draw(1)
    desk, base = directed(evening)
    address = f"{base}manage/divisions/{evening.division.pk}/rounds/2/draw/"
    page = desk.get(address)
    assert "Some tables are still playing" in page.text
    proposal = page.context["proposal"]
    one, other = proposal.tables[0].entries[0], proposal.tables[1].entries[0]
    changed = desk.post(address, {"tables": proposal.written, "one": one.pk, "other": other.pk})
    assert changed.context["proposal"].is_changed
    assert changed.context["bent"]
    assert desk.post(address, {"tables": "1-2", "one": "", "other": ""}).status_code == 422
    assert not RoundDraw.objects.filter(round__number=2).exists()


def test_a_program_reads_the_proposal_and_draws_once():
    evening = Evening()
    dora = factories.member(evening.club, Role.DIRECTOR)
    desk, address = client_of(dora), f"/api/v1/divisions/{evening.division.pk}/rounds/1/draw/"
    proposed = desk.get(address).json()
    assert proposed["state"] == "proposed"
    assert sorted(len(table["entries"]) for table in proposed["tables"]) == [3, 4]
    assert {table["home"] for table in proposed["tables"]} == {None}
    assert client_of().get(address).status_code == 404
    sent = {"seen": proposed["seen"]}
    how = {"content_type": "application/json", "headers": {"Idempotency-Key": "one"}}
    first = desk.post(address, sent, **how)
    assert first.json() == desk.post(address, sent, **how).json()
    assert IdempotencyKey.objects.count() == 1
    assert first.json()["cost"] == first.json()["least_cost"] == [0, 1, 0, 0, 0]
    assert client_of().get(address).json()["state"] == "drawn"
    again = desk.post(address, sent, content_type="application/json", headers={"Idempotency-Key": "two"})
    assert again.status_code == 409
    for tables in ("1-2-3", "x", "1-" * 7_000):
        assert desk.get(address.replace("/1/draw", "/2/draw"), {"tables": tables}).status_code == 422


def test_a_hidden_evening_is_in_no_answer():
    evening = Evening(players=4)
    evening.draw(1)
    Competition.objects.filter(pk=evening.competition.pk).update(visibility="members")
    _desk, base = directed(evening)
    for page in ("room/", "screen/", "who-met/", f"rounds/1/draw/{evening.division.pk}/", "rounds/1/"):
        answer = client_of().get(f"{base}{page}")
        assert answer.status_code in {302, 404}, page
        assert "Player 01" not in answer.text
    assert client_of().get(f"/api/v1/divisions/{evening.division.pk}/rounds/1/draw/").status_code == 404
