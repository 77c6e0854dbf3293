"""Setting up a competition in a game whose matches have more than two sides: points by rank and by share."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from engine.contest.points.parsing import read_scheme
from engine.game import forget, register
from games.options import port_of
from league import extension
from league.competitions.services import competitions
from league.errors import Invalid
from league.models import Competition
from league.web.wording import points_in_words
from tests.engine.trio import TRIO
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
    assert [key for key, _label in form.fields["scheme"].choices] == ["rank", "places", "scale", "share"]
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
