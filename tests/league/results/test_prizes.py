"""A competition's prizes with their conditions: set up by a director, and who wins them on pages and papers (F151)."""

import csv
import html
import io
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.contest.prizes import Condition, Prize
from games.grades import services as grades
from games.models import GradeStart
from league.competitions.services import competitions, drafts, prizes
from league.competitions.services.prizes import Offered, PrizeList
from league.entries.services import adjustments
from league.errors import Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Competition, DraftChange, Fixture, Notice, Role, Season
from league.results.queries import prizes as reads
from league.seasons.services import finishing
from league.standings.services import standings
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.seasons.test_season_ends import LATER, by_place, season

pytestmark = pytest.mark.django_db
CUP = Offered("Cup", Prize(Condition.PLACE, 1))
WINE = Offered("Wine", Prize(Condition.PLACE, 2))
LOWER = Offered("Book", Prize(Condition.DIVISION, 2))
PROVISIONAL = Offered("Pen", Prize(Condition.PROVISIONAL))
NEW = Offered("Cards", Prize(Condition.NEW))


def with_prizes(*offered: Offered, level: str = "share") -> Competition:
    """Two divisions of four, all played, in which the lower number is always better."""
    competition = season()
    prizes.write(actor=DIRECTOR, competition=competition, wanted=PrizeList(offered, level))
    standings.bump(competition=competition)
    standings.sweep(at=factories.NOW)
    return Competition.objects.get(pk=competition.pk)


def won(competition: Competition) -> list[list[str]]:
    """The names of who wins each prize."""
    return [[each.name for each in line.winners] for line in reads.lines(competition, at=timezone.now())]


def certain(competition: Competition, *entries) -> None:
    """A director knows the grades of these entries' players well."""
    for entry in entries:
        for player in entry.lineup.players:
            GradeStart.objects.create(
                player=player,
                game=competition.game,
                grade=50,
                spread=3,
                day=timezone.localdate(),
                reason="Known",
                made_at=timezone.now(),
            )


def test_f151_each_entry_gets_one_and_what_it_leaves_goes_to_the_next() -> None:
    competition = with_prizes(CUP, WINE, LOWER, PROVISIONAL, NEW, LOWER)
    upper, lower = by_place(competition)
    # All of them are new, and nobody has a grade yet.
    assert won(competition) == [
        [str(entry)] for entry in (upper[0], upper[1], lower[0], upper[2], upper[3], lower[1])
    ]
    certain(competition, *upper)
    assert won(competition)[3:5] == [[str(lower[1])], [str(upper[2])]]


def test_f151_f142_who_hides_the_grade_does_not_win_what_would_tell_it() -> None:
    competition = with_prizes(CUP, PROVISIONAL)
    upper, _lower = by_place(competition)
    assert won(competition)[1] == [str(upper[1])]
    player = upper[1].lineup.players[0]
    player.user = factories.member(competition.club, Role.MEMBER)
    player.save()
    grades.hide(actor=player.user, player=player, is_hidden=True, at=timezone.now())
    assert won(competition) == [[str(upper[0])], [str(upper[2])]]


def test_f151_new_is_who_did_not_play_for_the_club_in_an_earlier_season() -> None:
    competition = with_prizes(NEW)
    upper, _lower = by_place(competition)
    begins = competition.season.starts_on
    earlier = factories.competition(competition.club, pairs=0, name="Before", slug="before")
    old = Season.objects.create(
        club=competition.club,
        name="Old",
        starts_on=begins - timedelta(days=400),
        ends_on=begins - timedelta(days=40),
    )
    Competition.objects.filter(pk=earlier.pk).update(season=old)
    partner = factories.player(competition.club, "Other Partner")
    mixed = factories.pair(competition.club, upper[0].lineup.players[1], partner)
    factories.entry(earlier.stage.divisions.get(), mixed)
    assert won(competition) == [[str(upper[1])]]


@pytest.mark.parametrize(("level", "note"), [("share", "shared by 2"), ("lots", "by lot among 2")])
def test_f151_who_is_level_at_the_end_has_the_prizes_of_both_places(level: str, note: str) -> None:
    competition = with_prizes(CUP, WINE, level=level)
    upper, _lower = by_place(competition)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.end.places.filter(entry__in=[upper[0].pk, upper[1].pk]).update(place=1)
    lines = reads.lines(Competition.objects.get(pk=competition.pk), at=timezone.now())
    both = {str(upper[0]), str(upper[1])}
    assert [({each.name for each in line.winners}, line.note) for line in lines] == [(both, note)] * 2
    assert {each.place for line in lines for each in line.winners} == {"1="}


def test_f151_a_correction_computes_the_winners_again() -> None:
    competition = with_prizes(CUP)
    upper, _lower = by_place(competition)
    assert won(competition) == [[str(upper[0])]]
    adjustments.adjust(actor=DIRECTOR, entry=upper[0], points="-9", reason="A wrong sheet")
    standings.sweep(at=timezone.now())
    assert won(competition) == [[str(upper[1])]]


def test_f151_the_files_name_prizes_and_conditions_and_everybody_reads_them_before() -> None:
    competition = with_prizes(CUP, LOWER)
    upper, lower = by_place(competition)
    address = reverse("competition_file", args=["riverside", competition.slug, "prizes", "csv"])
    content = Client().get(address).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content)))
    told = [(row["Prize"], row["Condition"], row["Pair"]) for row in rows]
    assert told == [
        ("Cup", "Place 1, Division 1", str(upper[0])),
        ("Book", "Best of Division 2", str(lower[0])),
    ]
    page = Client().get(competition.get_absolute_url()).content.decode()
    assert "Book: Best of Division 2." in page
    assert "If some are level, they share the prizes of their places." in page


@pytest.mark.parametrize(
    ("offered", "says"),
    [
        ([Offered(" ", Prize(Condition.PLACE, 1))], "Say what the prize is"),
        ([Offered("x" * 81, Prize(Condition.PLACE, 1))], "at most 80"),
        ([Offered("Cup\u202e", Prize(Condition.PLACE, 1))], "nobody can see"),
        ([Offered("Cup", Prize(Condition.PLACE, 0))], "place from 1 to 20"),
        ([CUP, Offered("Other cup", Prize(Condition.PLACE, 1))], "place 1 already"),
        ([Offered("Cup", Prize(Condition.DIVISION, 3))], "no such division"),
        ([Offered("Cup", Prize(Condition.NEW, 2))], "Only a place or a division"),
        ([NEW] * 31, "at most 30"),
    ],
)
def test_f151_a_list_that_cannot_be_is_refused_and_nothing_changes(offered: list[Offered], says: str) -> None:
    competition = with_prizes(WINE)
    with pytest.raises(Invalid, match=says):
        prizes.write(actor=DIRECTOR, competition=competition, wanted=PrizeList(tuple(offered)))
    competition.refresh_from_db()
    assert prizes.of_competition(competition) == PrizeList((WINE,))


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {"prizes": []},
        {"level": "share", "prizes": [["place", "1", "Cup"]]},
        {"level": "share", "prizes": [["x", 1, "Cup"]]},
        {"level": 7, "prizes": [["place", 1, "Cup"]]},
        {"level": "share", "prizes": [["place", 1]]},
    ],
)
def test_f151_what_a_file_says_is_no_list_of_prizes(raw) -> None:
    with pytest.raises(Invalid, match="make sense"):
        prizes.read(raw)


def test_f151_a_director_previews_then_saves_on_the_page_and_others_cannot() -> None:
    competition = with_prizes()
    upper, lower = by_place(competition)
    address = reverse("competition_prizes", args=["riverside", competition.slug])
    client = Client()
    client.force_login(factories.member(competition.club, Role.DIRECTOR))
    assert client.get(address).status_code == 200
    typed = {"level": "lots"}
    for index in range(6):
        typed |= {f"worth_{index}": str(6 - index), f"prize_{index}": "", f"condition_{index}": "place-1"}
    # The second line is worth more than the first.
    typed |= {"prize_0": "Book", "condition_0": "division-2", "prize_1": "Cup"}
    seen = client.post(address, typed | {"preview": "1"}).content.decode()
    seen = html.unescape(seen)
    assert "Preview: not saved yet" in seen
    assert seen.index(str(upper[0])) < seen.index(str(lower[0]))
    assert Competition.objects.get(pk=competition.pk).prizes == {}
    assert client.post(address, typed).status_code == 302
    kept = Competition.objects.get(pk=competition.pk)
    assert prizes.of_competition(kept) == PrizeList((CUP, LOWER), "lots")
    assert AuditEntry.objects.filter(action="competition.prizes").count() == 1
    # Saved again as it is: nothing is noted.
    client.post(address, typed)
    assert AuditEntry.objects.filter(action="competition.prizes").count() == 1

    for bad, says in (
        ({"condition_0": "place-1"}, "place 1 already"),
        ({"condition_0": "place-99"}, "Select a valid choice"),
        ({"worth_0": "x"}, "whole number"),
        ({"level": "duel"}, "Select a valid choice"),
    ):
        answer = client.post(address, typed | bad)
        assert answer.status_code == 422
        assert says in answer.content.decode()
        assert 'value="Book"' in answer.content.decode(), "what was typed stays"
    assert Competition.objects.get(pk=competition.pk).prizes == kept.prizes
    stranger = factories.member(competition.club, Role.SCORER)
    with pytest.raises(NotAllowed):
        prizes.write(actor=stranger, competition=competition, wanted=PrizeList())
    client.force_login(stranger)
    assert client.get(address).status_code == 403


def test_f151_a_draft_that_is_deleted_comes_back_with_its_prizes() -> None:
    draft = factories.competition(factories.club(), 4)
    prizes.write(actor=DIRECTOR, competition=draft, wanted=PrizeList((CUP,)))
    competitions.discard(actor=DIRECTOR, competition=draft)
    change = DraftChange.objects.get(action=drafts.DELETED)
    assert prizes.of_competition(drafts.bring_back(actor=DIRECTOR, change=change)) == PrizeList((CUP,))


def test_f151_a_prize_of_a_division_that_is_gone_is_said_and_not_turned_into_another() -> None:
    competition = with_prizes(CUP, LOWER)
    kept = [["place", 1, "Cup"], ["division", 3, "Book"]]
    Competition.objects.filter(pk=competition.pk).update(prizes={"level": "share", "prizes": kept})
    address = reverse("competition_prizes", args=["riverside", competition.slug])
    client = Client()
    client.force_login(factories.member(competition.club, Role.DIRECTOR))
    form = client.get(address).context["form"]
    assert form["condition_1"].value() == "division-3"
    sent = {"level": "share"} | {
        f"{name}_{index}": form[f"{name}_{index}"].value()
        for index in range(form.lines)
        for name in ("worth", "prize", "condition")
    }
    refused = client.post(address, sent)
    assert refused.status_code == 422
    assert "has no such division" in refused.text


def test_f151_what_was_typed_counts_where_somebody_else_has_shortened_the_list() -> None:
    competition = with_prizes(
        *(Offered(f"Cup {number}", Prize(Condition.PLACE, number)) for number in range(1, 9))
    )
    sent: dict[str, object] = {"level": "share"}
    for index in range(8):
        sent |= {
            f"worth_{index}": str(index + 1),
            f"prize_{index}": "Cup",
            f"condition_{index}": f"place-{index + 1}",
        }
    prizes.write(actor=DIRECTOR, competition=competition, wanted=PrizeList((CUP,)))
    client = Client()
    client.force_login(factories.member(competition.club, Role.DIRECTOR))
    client.post(reverse("competition_prizes", args=["riverside", competition.slug]), sent)
    competition.refresh_from_db()
    assert len(prizes.of_competition(competition).offered) == 8


def test_f151_a_ladder_has_no_such_page() -> None:
    club = factories.club()
    ladder = factories.running(club, 4, format="ladder", starts_on=date(2026, 10, 1))
    client = Client()
    client.force_login(factories.member(club, Role.DIRECTOR))
    assert client.get(reverse("competition_prizes", args=[club.slug, ladder.slug])).status_code == 404


def test_f151_a_program_reads_who_wins_and_a_director_sets_the_list() -> None:
    competition = with_prizes()
    upper, lower = by_place(competition)
    director = factories.member(competition.club, Role.DIRECTOR)
    client = Client()
    client.force_login(director)
    address = reverse("api_prizes", args=[competition.pk])
    sent = {
        "prizes": [
            {"prize": "Cup", "condition": "place", "number": 1},
            {"prize": "Book", "condition": "division", "number": 2},
        ]
    }
    answer = client.post(address, sent, content_type="application/json")
    assert answer.status_code == 200
    read = Client().get(address).json()
    assert read == answer.json()
    assert [[each["name"] for each in line["winners"]] for line in read] == [[str(upper[0])], [str(lower[0])]]
    bad = {"prizes": [{"prize": "Cup", "condition": "division", "number": 3}]}
    assert client.post(address, bad, content_type="application/json").status_code == 422
    assert Client().post(address, sent, content_type="application/json").status_code in (401, 403)
    assert Client().get(address).json() == read


def test_f151_who_wins_or_loses_a_prize_by_a_correction_is_told() -> None:
    competition = with_prizes(CUP, WINE)
    first, second, third = by_place(competition)[0][:3]
    for entry in (first, second, third):
        factories.account_of(entry.lineup)
    finishing.finish(actor=DIRECTOR, competition=competition, at=factories.NOW)
    assert not Notice.objects.filter(event="prizes_changed").exists()

    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A typing error")
    for fixture in Fixture.objects.of_competition(competition.pk).with_pairs():
        if second in fixture.entries and {first, third} & set(fixture.entries):
            fixtures.reopen(actor=DIRECTOR, fixture=fixture, reason="A typing error")
            scores = [90 if side.entry == second else 10 for side in fixture.sides]
            factories.scored(fixture, scores)
    standings.sweep(at=factories.NOW)
    finishing.finish(actor=DIRECTOR, competition=competition, at=factories.NOW)

    told = {each.user_id: each.context for each in Notice.objects.filter(event="prizes_changed")}
    assert {key: (context["gained"], context["lost"]) for key, context in told.items()} == {
        second.lineup.players[0].user_id: ("Cup", "Wine"),
        first.lineup.players[0].user_id: ("Wine", "Cup"),
    }
    newest = AuditEntry.objects.filter(competition=competition, action="prizes.won").latest("pk")
    assert newest.before["prizes"] == [["Cup", [first.pk]], ["Wine", [second.pk]]]
    assert newest.after["prizes"] == [["Cup", [second.pk]], ["Wine", [first.pk]]]
    # Finished once more without a change nobody hears anything.
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="Looking again")
    finishing.finish(actor=DIRECTOR, competition=competition, at=factories.NOW)
    assert Notice.objects.filter(event="prizes_changed").count() == 2
