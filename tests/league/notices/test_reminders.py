"""Reminders: of a match soon, of a missing sheet, of the week; nobody twice of the same, and nobody at night."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.scoresheets.services import scoresheets
from league.errors import NotAllowed
from league.fixtures.services import reminders, substitutions
from league.models import AuditEntry, Fixture, Notice, OutboxMessage, Player, SweepFailure, User
from league.notices import queries
from league.notices.services import accounts, notices
from tests.league import factories
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
#: A Monday in winter, half past eight in the evening in London.
BEGINS = datetime(2027, 1, 11, 19, 30, tzinfo=UTC)
MATCH = "Berg & Okafor – Novak & Reyes"


@pytest.fixture
def scene() -> Scene:
    """The first match is on that evening; no other has a date, and no round is over."""
    scene = make_scene()
    Fixture.objects.update(starts_at=None)
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=BEGINS)
    for round_ in scene.rounds:
        round_.closes_at = BEGINS + timedelta(days=90)
        round_.save()
    return scene


def told(user: User) -> list[str]:
    return [line.words.title for line in queries.lines(Notice.objects.of(user).select_related("club"))]


def text(user: User) -> str:
    return queries.lines(Notice.objects.of(user).select_related("club"))[0].words.text


def test_of_a_match_in_three_days_and_tomorrow_once_each(scene: Scene) -> None:
    eva = scene.users["eva"]
    for hours in (100, 96, 55, 54, 10, 9, 1):
        reminders.sweep(at=BEGINS - timedelta(hours=hours))
    assert told(eva) == told(scene.users["chidi"]) == [f"{MATCH}: Mon 11 Jan, 19:30"] * 2
    assert "You play on Monday 11 January, 19:30:" in text(eva)
    assert told(scene.users["iris"]) == []
    assert not SweepFailure.objects.exists()


def test_a_match_that_is_moved_is_another_one_to_be_reminded_of(scene: Scene) -> None:
    reminders.sweep(at=BEGINS - timedelta(hours=55))
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=BEGINS + timedelta(days=1))
    reminders.sweep(at=BEGINS - timedelta(hours=54))
    reminders.sweep(at=BEGINS - timedelta(hours=33))
    assert told(scene.users["eva"]) == [f"{MATCH}: Tue 12 Jan, 19:30", f"{MATCH}: Mon 11 Jan, 19:30"]


def test_nobody_is_reminded_at_night_and_everybody_in_the_morning(scene: Scene) -> None:
    night = datetime(2027, 1, 9, 3, tzinfo=UTC)
    assert reminders.sweep(at=night) == 0
    assert reminders.sweep(at=night.replace(hour=8)) == 1
    assert len(told(scene.users["eva"])) == 1


def test_of_a_missing_sheet_a_day_after_the_match_and_not_of_one_that_is_there(scene: Scene) -> None:
    after = BEGINS + timedelta(hours=24, minutes=1)
    reminders.sweep(at=BEGINS + timedelta(hours=23))
    assert told(scene.users["eva"]) == []
    late = after.replace(hour=9) + timedelta(days=1)
    reminders.sweep(at=late)
    reminders.sweep(at=late + timedelta(hours=1))
    assert told(scene.users["eva"]) == [f"{MATCH}: the scoresheet is missing"]
    Notice.objects.all().delete()
    Fixture.objects.update(status=Fixture.Status.TO_CONFIRM)
    reminders.sweep(at=late)
    assert not Notice.objects.exists()


def test_who_never_agreed_on_a_time_is_asked_when_the_round_is_over(scene: Scene) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=None)
    over = scene.fixture.round
    over.closes_at = BEGINS
    over.save()
    eva, day = scene.users["eva"], timedelta(days=1)
    for after in (-day, day / 2, day * 2, day * 3, day * 15):
        reminders.sweep(at=(BEGINS + after).replace(hour=9))
    assert told(eva) == [f"{MATCH}: the scoresheet is missing"]
    assert "Your match was due on Monday 11 January" in text(eva)


def test_who_turned_it_off_is_not_reminded(scene: Scene) -> None:
    notices.choose(actor=scene.users["eva"], channels={"match_soon": "none"})
    reminders.sweep(at=BEGINS - timedelta(hours=55))
    assert told(scene.users["eva"]) == []
    assert len(told(scene.users["luis"])) == 1


def test_an_official_asks_all_who_owe_a_result_once_a_day(scene: Scene) -> None:
    dora, at = scene.users["dora"], BEGINS + timedelta(days=3)
    with pytest.raises(NotAllowed):
        reminders.remind_all(actor=scene.users["eva"], club=scene.club, at=at)
    assert reminders.remind_all(actor=dora, club=scene.club, at=at) == 4
    assert reminders.remind_all(actor=dora, club=scene.club, at=at + timedelta(minutes=1)) == 0
    assert reminders.remind_all(actor=dora, club=scene.club, at=at + timedelta(days=1)) == 4
    assert told(scene.users["anna"]) == [f"{MATCH}: please enter the result"] * 2
    assert text(scene.users["anna"]).startswith("Dora")
    assert AuditEntry.objects.filter(action="results.asked").count() == 2
    last = AuditEntry.objects.filter(action="results.asked").latest("pk")
    assert reminders.asked_at([scene.fixture, scene.fixtures[1]], scene.club) == {scene.fixture.pk: last.at}


def test_who_owes_several_results_is_asked_for_all_in_one_notice(scene: Scene) -> None:
    anna, at = scene.users["anna"], BEGINS + timedelta(days=3)
    others = Fixture.objects.of_entry(scene.entries[0].pk).exclude(pk=scene.fixture.pk)
    second: Fixture = others.with_pairs().in_order()[0]
    Fixture.objects.filter(pk=second.pk).update(starts_at=BEGINS + timedelta(days=1))
    opponents = [player for entry in second.others(scene.entries[0]) for player in entry.lineup.players]
    assert reminders.remind_all(actor=scene.users["dora"], club=scene.club, at=at) == 6
    (line,) = queries.lines(Notice.objects.of(anna).select_related("club"))
    assert line.words.title == "Please enter the results of 2 matches"
    assert (
        f"your matches:\n\n• {MATCH} (Winter League)\n• {second} (Winter League)\n\nIf you" in line.words.text
    )
    assert Notice.objects.of(anna).get().context["path"] == "/my/"
    for other in opponents:
        assert other.user is not None
        assert told(other.user) == [f"{second}: please enter the result"]
    assert set(reminders.asked_at([scene.fixture, second], scene.club)) == {scene.fixture.pk, second.pk}
    assert OutboxMessage.objects.filter(to=anna.email).count() == 1


def test_the_desk_asks_in_one_press_and_says_when(scene: Scene) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=datetime(2026, 1, 5, 19, tzinfo=UTC))
    client = Client()
    client.force_login(scene.users["dora"])
    address = "/clubs/riverside/desk/missing/"
    page = client.get(address).text
    assert "Berg &amp; Okafor" in page
    assert "asked" not in page.split("</form>")[-2]
    answer = client.post(address, follow=True).text
    assert "You asked 4 people." in answer
    assert "· asked" in answer
    assert "Nobody was asked" in client.post(address, follow=True).text


def test_on_mondays_everybody_has_their_week_in_one_notice(scene: Scene) -> None:
    monday = datetime(2027, 1, 11, 9, tzinfo=UTC)
    second = scene.fixtures[1]
    Fixture.objects.filter(pk=second.pk).update(starts_at=monday - timedelta(days=3))
    assert reminders.sweep_weeks(at=monday - timedelta(days=1)) == 0
    assert reminders.sweep_weeks(at=monday.replace(hour=3)) == 0
    for minutes in (0, 15):
        reminders.sweep_weeks(at=monday + timedelta(minutes=minutes))
    eva = scene.users["eva"]
    assert told(eva) == ["Riverside Club: your week"]
    assert text(eva) == f"You play:\n• Mon 11 Jan, 19:30: {MATCH}"
    assert text(scene.users["iris"]).startswith("These results are missing:\n• Lindqvist & Marsh")
    reminders.sweep_weeks(at=monday + timedelta(days=7))
    assert told(eva).count("Riverside Club: your week") == 2, "the missing result of this evening"


def test_who_owes_a_result_reads_when_they_play_next_however_far_away(scene: Scene) -> None:
    monday, iris = datetime(2027, 1, 11, 9, tzinfo=UTC), scene.users["iris"]
    Fixture.objects.filter(pk=scene.fixtures[1].pk).update(starts_at=monday - timedelta(days=3))
    of_iris = [
        each for each in scene.fixtures[2:] if Fixture.objects.of_user(iris).filter(pk=each.pk).exists()
    ]
    for fixture, day in zip(of_iris, (1, 8), strict=True):
        Fixture.objects.filter(pk=fixture.pk).update(starts_at=datetime(2027, 3, day, 19, 30, tzinfo=UTC))
    for name in ("anna", "olga", "eva"):
        accounts.keep_contact(actor=scene.users[name], telephone=f"0678 {name}", is_shared=True)
    reminders.sweep_weeks(at=monday)
    assert text(iris).startswith(f"You play:\n• Mon 1 Mar, 19:30: {of_iris[0]}")
    assert "\nTelephone: " in text(iris)
    assert "8 Mar" not in text(iris)
    assert "Mar," not in text(scene.users["eva"]), "who plays in the week has it there"


def test_a_match_far_away_is_no_reason_to_write_and_an_absent_player_has_another(scene: Scene) -> None:
    monday, iris = datetime(2027, 1, 11, 9, tzinfo=UTC), scene.users["iris"]
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=None)
    fixture = Fixture.objects.of_user(iris).filter(starts_at=None).exclude(pk=scene.fixtures[1].pk).first()
    assert fixture is not None
    Fixture.objects.filter(pk=fixture.pk).update(starts_at=BEGINS + timedelta(days=30))
    reminders.sweep_weeks(at=monday)
    assert not Notice.objects.exists()
    Fixture.objects.filter(pk=scene.fixtures[1].pk).update(starts_at=monday - timedelta(days=3))
    absent = Player.objects.get(user=iris)
    gus = factories.player(scene.club, "Gus Guest")
    substitutions.appoint(actor=iris, fixture=fixture, absent=absent, substitute=gus)
    reminders.sweep_weeks(at=monday)
    assert "You play" not in text(iris)
    assert "You play" in text(scene.users["tom"])


def test_the_week_has_telephones_of_partner_and_opponents_and_sheets_to_confirm(scene: Scene) -> None:
    monday = datetime(2027, 1, 11, 9, tzinfo=UTC)
    for name, number in (("luis", "0123 45"), ("eva", "0678 90"), ("iris", "0999 99")):
        accounts.keep_contact(actor=scene.users[name], telephone=number, is_shared=True)
    chidi = scene.users["chidi"]
    accounts.keep_contact(actor=chidi, telephone="0777 77", address="Cork")
    waiting = Fixture.objects.get(pk=scene.fixtures[1].pk)
    names = [entry.lineup.players[0].name.split()[0].lower() for entry in waiting.entries]
    first, second = (scene.users[name] for name in names)
    scoresheets.submit(actor=first, fixture=waiting, content=totals_sheet((60, 20), (50, 30)), origin="page")
    Notice.objects.all().delete()
    reminders.sweep_weeks(at=monday)
    assert text(scene.users["anna"]).endswith("\nTelephone: Eva Novak 0678 90, Luis Reyes 0123 45")
    assert text(scene.users["luis"]).endswith("\nTelephone: Eva Novak 0678 90"), "not their own"
    asked = "These scoresheets wait for you to confirm or reject them:"
    assert text(second).split("\n\n")[-1] == f"{asked}\n• {waiting}"
    assert told(first) == [], "who entered it owes nothing"
    sheet = waiting.match.sheets.get()
    scoresheets.confirm(actor=second, sheet=sheet, digest=sheet.digest)
    reminders.sweep_weeks(at=monday + timedelta(days=7))
    assert told(second).count("Riverside Club: your week") == 1, "nothing is left to tell"
