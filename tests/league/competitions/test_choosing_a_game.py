"""A game is chosen in set-up and for a casual table where there is more than one; one alone is not asked for."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils.timezone import now

from engine.game import Game, forget, get, register
from games.models import Duplicate, Table
from games.options import port_of
from league import extension
from league.entries.services import entries
from league.errors import Invalid
from league.manage.queries import manage
from league.manage.services import setups
from league.models import Competition, Fixture
from tests.engine.conformance.adapters import Adapter, registered
from tests.engine.duet import DUET
from tests.engine.test_conformance import each_game
from tests.engine.trio import TRIO
from tests.league import factories
from tests.league.setting_up import COMPETITION, draft, enter, send, step
from tests.live.test_any_game import usual_rules
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
NEW = "/clubs/riverside/desk/competitions/new/"
RULES = {"rules_deals": "2"}
PLAIN = {name: value for name, value in COMPETITION.items() if not name.startswith("rules_")}


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene) -> Client:
    client = Client()
    client.force_login(scene.users["dora"])
    return client


@pytest.fixture
def further_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    register(DUET)
    register(TRIO)
    games = {**extension.layer().games, "duet": port_of(DUET), "trio": port_of(TRIO)}
    monkeypatch.setattr(extension.layer(), "games", games)
    yield
    forget("duet")
    forget("trio")


def test_one_game_is_not_asked_for(director: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extension.layer(), "games", {"concerto": port_of(get("concerto"))})
    form = director.get(NEW).context["form"]
    assert form["game"].is_hidden
    assert form["game"].value() == "concerto"


@pytest.mark.usefixtures("further_games")
def test_the_rules_of_another_game_are_shown_before_anything_is_kept(director: Client) -> None:
    assert not director.get(NEW).context["form"]["game"].is_hidden
    shown = director.post(NEW, {**COMPETITION, "game": "trio", "rules_of": "concerto"})
    form = shown.context["form"]
    assert shown.status_code == 422
    assert [field.name for field in form.rule_fields] == [f"rules_{each.name}" for each in TRIO.options()]
    assert "boards_together" not in form.fields
    assert form["rules_deals"].value() == TRIO.read_options({})["deals"]
    assert not Competition.objects.filter(name=COMPETITION["name"]).exists()

    rules = {"rules_deals": "5", "rules_target": "0"}
    director.post(NEW, {**PLAIN, **rules, "game": "trio", "rules_of": "trio", "boards_together": "on"})
    made = Competition.objects.get(name=COMPETITION["name"])
    assert (made.game, made.rules) == ("trio", {"deals": 5, "target": 0})
    assert not Duplicate.objects.filter(competition=made).exists()


@pytest.mark.usefixtures("further_games")
def test_a_casual_table_of_another_game(director: Client, scene: Scene) -> None:
    page = director.get("/tables/", {"game": "duet"})
    ((_club, form),) = page.context["clubs"]
    assert [name for name in form.fields if name.startswith("rules_")] == ["rules_deals"]
    assert '<option value="duet" selected>' in page.content.decode()
    terms = {
        "rules_deals": 2, "clock_seconds": 0, "on_timeout": "robot", "absence_seconds": 180, "spectators": "nobody",
        "delay_seconds": 0,
    }  # fmt: skip
    address = "/clubs/riverside/tables/"
    refused = director.post(address, {**terms, "game": "duet", "rules_deals": 99}, follow=True)
    assert not Table.objects.exists()
    assert f"{form['rules_deals'].label}: Ensure this value is less" in refused.content.decode()
    opened = director.post(address, {**terms, "game": "duet"})
    assert opened.status_code == 302, opened.content.decode()[:500]
    assert Table.objects.get().game == "duet"


@pytest.mark.usefixtures("further_games")
def test_players_enter_alone_where_nobody_has_a_partner(director: Client, scene: Scene) -> None:
    sent = {**PLAIN, **RULES, "game": "duet", "rules_of": "duet"}
    assert director.post(NEW, sent).status_code == 302
    made = Competition.objects.get(name=COMPETITION["name"])
    where, division = step(made, "pairs"), made.stage.divisions.get()
    page = director.get(where)
    offered = [label for _key, label in page.context["form"]["lineups"].field.choices]
    assert offered == sorted(player.name for player in scene.players)
    assert "One player per line" in page.content.decode()

    ticked = [scene.players[0].pk, scene.players[1].pk]
    typed = f"Nora Nye\n{scene.players[2].name}\n"
    assert send(director, made, "pairs", division=division.pk, lineups=ticked, typed=typed).status_code == 302
    wanted = [scene.players[0].name, scene.players[1].name, "Nora Nye", scene.players[2].name]
    entries = made.entries.with_pairs().order_by("number")
    assert [str(entry) for entry in entries] == wanted
    assert [len(entry.lineup.players) for entry in entries] == [1, 1, 1, 1]
    left = [label for _key, label in director.get(where).context["form"]["lineups"].field.choices]
    assert not set(wanted) & set(left)

    again = send(director, made, "pairs", division=division.pk, typed="Ole Ost\nOle Ost\n")
    assert again.status_code == 422
    # What plays alone is no pair: neither in the club's list nor among the pairs that could enter elsewhere.
    listed = director.get("/clubs/riverside/desk/pairs/").context["page"].object_list
    assert not {entry.lineup for entry in entries} & set(listed)
    assert not {entry.lineup_id for entry in entries} & set(
        manage.free_pairs(scene.competition).values_list("pk", flat=True)
    )
    nora = entries[2].lineup.players[0]
    shown = director.get(nora.get_absolute_url()).content.decode()
    assert "alone" in shown
    assert COMPETITION["name"] in shown


@pytest.mark.usefixtures("further_games")
def test_a_game_whose_sides_have_another_size_is_not_drawn_with_what_was_entered(
    director: Client, scene: Scene
) -> None:
    made = draft(director)
    enter(director, made, scene, 4)
    Competition.objects.filter(pk=made.pk).update(game="duet", rules={"deals": 2})
    made.refresh_from_db()
    with pytest.raises(Invalid, match="everyone plays alone: Berg & Okafor can’t take part"):
        setups.publish(actor=scene.users["dora"], competition=made)
    pair = factories.pair(scene.club)
    with pytest.raises(Invalid, match="everyone plays alone"):
        entries.enter(actor=scene.users["dora"], division=made.stage.divisions.get(), lineup=pair, at=now())


@each_game
def test_every_game_is_set_up_from_the_pages_to_its_matches(
    adapter: Adapter, director: Client, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the options as the form shows them; six sides typed in, of as many players as the game has on a side."""
    offered = adapter.game
    monkeypatch.setattr(
        extension.layer(), "games", {**extension.layer().games, offered.key: port_of(offered)}
    )
    with registered(offered):
        sent = {**PLAIN, **usual_rules(offered), "game": offered.key, "rules_of": offered.key}
        answer = director.post(NEW, sent)
        assert answer.status_code == 302, answer.context["form"].errors
        made = Competition.objects.get(name=COMPETITION["name"])
        assert made.game == offered.key
        size = len(next(iter(offered.sides(adapter.players).values())))
        typed = "\n".join(
            " & ".join(f"{name} {letter}" for name in ("Nora", "Ole")[:size]) for letter in "ABCDEF"
        )
        division = made.stage.divisions.get()
        assert send(director, made, "pairs", division=division.pk, typed=typed).status_code == 302
        for name in ("divisions", "calendar", "points", "preview"):
            assert director.get(step(made, name)).status_code == 200, name
        setups.publish(actor=scene.users["dora"], competition=made)
        fixture = Fixture.objects.with_pairs().filter(round__stage=made.stage).first()
        assert fixture is not None
        assert len(fixture.entries) in extension.game(offered.key).sides
        assert director.get(f"/matches/{fixture.pk}/").status_code == 200
        assert director.get(f"/matches/{fixture.pk}/scoresheet/", follow=True).status_code == 200
        assert director.get(made.get_absolute_url()).status_code == 200
        if offered.deals_in_match(made.rules) is None:
            next_deal_and_no_further(director, f"/matches/{fixture.pk}/scoresheet/plain/", offered)


def next_deal_and_no_further(director: Client, where: str, offered: Game) -> None:
    """A match to a target has a page for the next deal, and none for those after it."""
    seats = director.get(f"{where}1/").context["seats"]
    typed = {each.html_name: each.value() for each in seats}
    assert director.get(f"{where}2/").status_code == 404
    # Nothing typed: it stays the next deal.
    assert director.post(f"{where}1/", {**typed, "next": "1"})["Location"] == f"{where}1/"
    totals = dict.fromkeys((f"total-{side}" for side in offered.sides(len(seats.seats))), "1")
    assert director.post(f"{where}1/", {**typed, **totals, "next": "1"})["Location"] == f"{where}2/"
    assert director.get(f"{where}2/").status_code == 200
    assert director.get(f"{where}3/").status_code == 404
