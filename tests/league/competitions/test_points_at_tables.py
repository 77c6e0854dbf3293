"""Setting up a competition in a game whose matches have more than two sides: points by rank and by share."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.contest.points.parsing import read_scheme
from engine.game import forget, register
from games.options import port_of
from league import extension
from league.competitions.services import competitions
from league.draws.services import draws
from league.entries.services import late_entries
from league.errors import Conflict, Invalid
from league.models import Competition, Fixture
from league.standings.services import standings, verification
from league.web.wording import points_in_words
from tests.engine.trio import TRIO
from tests.league import factories
from tests.league.setting_up import COMPETITION, draft, send, step
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
RULES = {name: value for name, value in COMPETITION.items() if not name.startswith("rules_")}
TIES = {f"tie_break_{place}": "" for place in range(1, 7)}


@pytest.fixture(autouse=True)
def trio(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    register(TRIO)
    games = {**extension.layer().games, "trio": port_of(TRIO)}
    monkeypatch.setattr(extension.layer(), "games", games)
    yield
    forget("trio")


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene) -> Client:
    client = Client()
    client.force_login(scene.users["dora"])
    return client


def of_trio(director: Client) -> Competition:
    port = extension.game("trio")
    rules = {f"rules_{option.name}": option.default for option in port.options}
    new = "/clubs/riverside/desk/competitions/new/"
    sent = director.post(new, {**RULES, **rules, "game": "trio", "rules_of": "trio"})
    assert sent.status_code == 302, sent.content.decode()[:500]
    return Competition.objects.select_related("club").get(name=COMPETITION["name"])


def test_the_league_knows_how_many_sides_a_game_has() -> None:
    assert (extension.game("trio").sides, extension.game("trio").is_for_two) == ((3, 4, 5), False)
    assert (extension.game("concerto").sides, extension.game("concerto").is_for_two) == ((2,), True)


def test_a_new_competition_gives_points_by_rank(director: Client) -> None:
    made = of_trio(director)
    assert made.points == {"by": "rank"}
    assert made.tie_breaks == list(competitions.TIE_BREAKS_AT_TABLES)


def test_only_what_fits_is_offered_and_the_example_is_a_table(director: Client) -> None:
    page = director.get(step(of_trio(director), "points"))
    form, example = page.context["form"], page.context["example"]
    assert [key for key, _label in form.fields["scheme"].choices] == [
        "rank",
        "places",
        "scale",
        "share",
        "friendly",
    ]
    assert form["scheme"].value() == "rank"
    offered = {key for key, _label in form.fields["tie_break_1"].choices}
    assert "points_scored" in offered
    assert "points_difference" not in offered
    assert not example.is_for_two
    assert [(row.pair, row.record, row.points, row.parted) for row in example.rows] == [
        ("A", "6 + 0 + 6", "12", ""),
        ("C", "2 + 5 + 4", "11", ""),
        ("B", "4 + 5 + 2", "11", "Points scored 120 : 110"),
        ("D", "0 + 2 + 0", "2", ""),
    ]
    assert b"Three rounds at one table" in page.content
    assert b"For a win" not in page.content


@pytest.mark.parametrize(
    ("sent", "points"),
    [
        ({"scheme": "rank"}, {"by": "rank"}),
        ({"scheme": "places", "places": "5 3; 1"}, {"by": "rank", "places": ["5", "3", "1"]}),
        ({"scheme": "scale", "first": "1"}, {"by": "rank", "first": "1"}),
        ({"scheme": "share", "stake": "20"}, {"by": "share", "stake": "20"}),
    ],
)
def test_each_scheme_is_kept_and_shown_again(director: Client, sent: dict[str, Any], points: Any) -> None:
    made = of_trio(director)
    answer = send(director, made, "points", **{**TIES, **sent, "tie_break_1": "points_scored"})
    assert answer.status_code == 302, answer.content.decode()[:500]
    made.refresh_from_db()
    assert made.points == points
    form = director.get(step(made, "points")).context["form"]
    assert form["scheme"].value() == sent["scheme"]
    assert all(points_in_words(read_scheme(made.points)))
    assert made.tie_breaks == ["league_points", "points_scored"]


def test_what_makes_no_sense_stands_beside_its_field(director: Client) -> None:
    answer = send(director, of_trio(director), "points", **{**TIES, "scheme": "places", "places": "1 2 3"})
    assert answer.status_code == 422
    assert "must not be worth more" in str(answer.context["form"].errors["places"])
    assert answer.context["example"] is None


def test_points_for_a_win_are_refused_where_more_than_two_meet(director: Client, scene: Scene) -> None:
    wanted = competitions.setup_of(of_trio(director))
    with pytest.raises(Invalid) as refused:
        competitions.build(scene.club, replace(wanted, points={"win": 3}, tie_breaks=("points_difference",)))
    assert [each["place"] for each in refused.value.details] == [["points", "by"], ["tie_breaks", 1]]


def test_another_game_brings_its_own_points(director: Client, scene: Scene) -> None:
    made = draft(director)
    rules = {option.name: option.default for option in extension.game("trio").options}
    wanted = replace(competitions.setup_of(made), game="trio", rules=rules)
    built = competitions.build(scene.club, wanted, existing=made)
    assert (built.points, built.tie_breaks) == ({"by": "rank"}, list(competitions.TIE_BREAKS_AT_TABLES))
    by_share = competitions.build(scene.club, replace(wanted, points={"by": "share"}), existing=made)
    assert by_share.points == {"by": "share"}


def played_league(scene: Scene, director: Client) -> Competition:
    """Seven entries at tables of three and four, with one round played."""
    made = of_trio(director)
    division = made.stage.divisions.get()
    for _number in range(7):
        factories.entry(division)
    draws.draw(actor=scene.users["dora"], competition=made)
    competitions.publish(actor=scene.users["dora"], competition=made)
    first = Fixture.objects.of_competition(made.pk).filter(round__number=1).order_by("pk")
    for fixture in first:
        scores = [60, 45, 45, 10][: len(fixture.sides)]
        factories.decided(fixture, scores=scores)
    standings.compute(competition_id=made.pk, at=timezone.now())
    return made


def test_the_draw_seats_everybody_once_a_round(director: Client, scene: Scene) -> None:
    made = played_league(scene, director)
    for each in made.stage.rounds.all():
        sides = [fixture.entries for fixture in Fixture.objects.filter(round=each)]
        assert sorted(map(len, sides)) == [3, 4]
        assert len({entry.pk for entries in sides for entry in entries}) == 7


def test_the_pages_of_the_competition(director: Client, scene: Scene) -> None:
    made = played_league(scene, director)
    page = director.get(made.get_absolute_url())
    text = page.content.decode()
    rows = page.context["divisions"][0].rows
    assert [row.points for row in rows] == ["6", "4", "3", "3", "1", "1", "0"]
    assert rows[0].last_places == "1"
    assert "First places at the table" in text
    assert "Points scored minus points conceded" not in text
    assert re.search(r"Round 1: joint 2nd of 4 with 45 \(.* 60, .* 45, .* 10\), \+3", text)
    assert "cross-table" not in text
    for part in ("fixtures", "progress"):
        assert director.get(f"{made.get_absolute_url()}{part}/").status_code == 200, part
    assert director.get(f"{made.get_absolute_url()}cross-table/").status_code == 404
    assert not list(verification.differences(competition=made))


def test_the_api_says_who_sat_at_the_table(director: Client, scene: Scene) -> None:
    made = played_league(scene, director)
    answer = director.get(f"/api/v1/competitions/{made.pk}/standings/").json()
    line = answer[0]["table"]["rows"][0]["contributions"][0]
    assert (line["sides"], line["place"], line["opponent"]) == (4, 1, None)
    assert [(met["form"], met["score"]) for met in line["opponents"]] == [("W", 45), ("W", 45), ("W", 10)]


def test_too_few_for_a_table(director: Client, scene: Scene) -> None:
    made = of_trio(director)
    for _number in range(2):
        factories.entry(made.stage.divisions.get(), factories.pair(scene.club))
    with pytest.raises(Invalid, match="needs 3 or more"):
        draws.preview(made)


def test_nobody_joins_tables_that_are_drawn(director: Client, scene: Scene) -> None:
    made = played_league(scene, director)
    with pytest.raises(Conflict, match="tables are full"):
        late_entries.plan(made.stage.divisions.get(), at=timezone.now())
