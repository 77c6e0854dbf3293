"""Sheets that an official types from the paper: signed, compared by a second official, confirmed, or by silence."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.boards.services import boards, releases
from games.models import Board, BoardSet, Match, Scoresheet, SheetPhoto, SilenceNotice, SilencePeriod, Vouch
from games.proof import typed_sheets
from games.scoresheets.services import scoresheets, silence_sweep
from league.errors import Conflict, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Fixture, Membership, OutboxMessage, Player, Role, Round
from league.people.services import claims
from league.storage import board_keys
from tests.games.boards import SHEET, duplicate_scene, sealed, stand_in
from tests.scenes import Scene, make_scene, make_user, totals_sheet

pytestmark = pytest.mark.django_db
FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
Way = typed_sheets.Way


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def without_accounts(scene: Scene, *names: str) -> None:
    """These players have no account any more; all of them where none is named."""
    players = Player.objects.filter(club=scene.club)
    if names:
        players = players.filter(user__in=[scene.users[name] for name in names])
    players.update(user=None)


def by(scene: Scene, way: str, days: int = 7) -> None:
    scene.competition.typed_sheets, scene.competition.silence_days = way, days
    scene.competition.save()


def typed(scene: Scene, who: str = "sam", *, signed: bool = True, content: Any = FOUR) -> Scoresheet:
    return scoresheets.submit(
        actor=scene.users[who], fixture=scene.fixture, content=content, origin="official", signed=signed
    )


def kinds(sheet: Scoresheet) -> list[str]:
    return sorted(Vouch.objects.filter(sheet=sheet).values_list("kind", flat=True))


def status(scene: Scene) -> str:
    return Fixture.objects.get(pk=scene.fixture.pk).status


# Signed by both pairs


def test_the_only_official_types_a_signed_sheet_of_people_without_accounts_and_it_counts_at_once(
    scene: Scene,
) -> None:
    without_accounts(scene)
    Membership.objects.exclude(user=scene.users["olive"]).delete()
    client = Client()
    client.force_login(scene.users["olive"])
    address = f"/matches/{scene.fixture.pk}/scoresheet/"
    page = client.post(address, {"content": json.dumps(FOUR)}).content.decode()
    assert "All sides signed the paper" in page
    digest = re.search(r'name="digest" value="(\w+)"', page)
    assert digest
    sent = {"content": json.dumps(FOUR), "digest": digest[1], "key": "once", "signed": "1"}
    answer = client.post(f"{address}send/", sent, follow=True)
    assert "It counts, because all sides signed the paper" in answer.content.decode()
    assert "It counts because all sides signed the paper" in answer.content.decode()
    assert status(scene) == "confirmed"
    assert Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert AuditEntry.objects.filter(
        fixture=scene.fixture, summary="Scoresheet 1 counts: all sides signed the paper"
    ).exists()


def test_nothing_counts_at_once_where_the_official_does_not_say_that_it_is_signed(scene: Scene) -> None:
    without_accounts(scene)
    assert typed(scene, signed=False).verdict == "pending"


@pytest.mark.parametrize("way", [Way.AUTOMATIC, Way.SECOND])
def test_where_no_pairs_word_is_enough_the_page_names_another_official(scene: Scene, way: str) -> None:
    if way == Way.SECOND:
        by(scene, way)
    else:
        without_accounts(scene)
    typed(scene, signed=False)
    client = Client()
    client.force_login(scene.users["sam"])
    page = client.get(f"/matches/{scene.fixture.pk}/").content.decode()
    assert "Scoresheet 1 is waiting for another official to confirm it" in page


@pytest.mark.parametrize("left", ["anna", "eva"])
def test_one_account_in_one_pair_is_asked_by_default(scene: Scene, left: str) -> None:
    without_accounts(scene, *({"anna", "chidi", "eva", "luis"} - {left}))
    sheet = typed(scene)
    assert (sheet.verdict, kinds(sheet)) == ("pending", ["official"])
    scoresheets.confirm(actor=scene.users[left], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"


def test_an_account_that_is_closed_confirms_nothing(scene: Scene) -> None:
    for name in ("anna", "chidi", "eva", "luis"):
        scene.users[name].is_active = False
        scene.users[name].save()
    assert typed(scene).verdict == "confirmed"


def test_a_substitute_with_an_account_could_confirm(scene: Scene) -> None:
    without_accounts(scene, "anna", "chidi", "eva", "luis")
    stand_in(scene, scene.fixture, 0, 2)
    assert typed_sheets.way_of(scene.fixture) == Way.PAIRS


def test_pairs_with_accounts_are_told_that_their_signed_sheet_counts(scene: Scene) -> None:
    by(scene, Way.SIGNED)
    assert typed(scene).verdict == "confirmed"
    told = OutboxMessage.objects.filter(template="counts_signed").values_list("to", flat=True)
    assert sorted(told) == [f"{name}@example.org" for name in ("anna", "chidi", "eva", "luis")]
    assert not OutboxMessage.objects.filter(template="to_confirm").exists()


@pytest.mark.parametrize("way", [Way.SECOND, Way.PAIRS, Way.SILENCE])
def test_saying_that_it_is_signed_is_worth_nothing_where_the_competition_asks_for_more(
    scene: Scene, way: str
) -> None:
    by(scene, way)
    sheet = typed(scene)
    assert (sheet.verdict, kinds(sheet)) == ("pending", ["official"])


def test_a_players_or_a_members_word_that_it_is_signed_is_worth_nothing(scene: Scene) -> None:
    by(scene, Way.SIGNED)
    assert typed(scene, "anna").verdict == "pending"


def test_the_paper_code_never_signs(scene: Scene) -> None:
    by(scene, Way.SIGNED)
    helper = make_user("Hanna Helper")
    Membership.objects.create(user=helper, club=scene.club, role=Role.MEMBER)
    helper.__dict__["scoresheets_opened_by_link"] = frozenset({scene.fixture.pk})
    sheet = scoresheets.submit(actor=helper, fixture=scene.fixture, content=FOUR, origin="page", signed=True)
    assert (sheet.verdict, sheet.entered_as, kinds(sheet)) == ("pending", "code", [])


class TestAnOfficialWhoPlays:
    """The own match never counts by signed paper, however the official came to play or ceased to."""

    @pytest.fixture(autouse=True)
    def _anna_is_the_only_official(self, scene: Scene) -> None:
        by(scene, Way.SIGNED)
        Membership.objects.exclude(user=scene.users["anna"]).delete()
        Membership.objects.filter(user=scene.users["anna"]).update(role=Role.OWNER)

    def test_in_the_pair(self, scene: Scene) -> None:
        assert typed(scene, "anna").verdict == "pending"

    def test_as_a_substitute(self, scene: Scene) -> None:
        stand_in(scene, scene.fixtures[1], 2, 0)
        sheet = scoresheets.submit(
            actor=scene.users["anna"],
            fixture=Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk),
            content=FOUR,
            origin="official",
            signed=True,
        )
        assert sheet.verdict == "pending"

    def test_with_the_account_taken_off_the_player_in_between(self, scene: Scene) -> None:
        player = Player.objects.get(user=scene.users["anna"])
        claims.unlink(actor=scene.users["anna"], player=player)
        sheet = typed(scene, "anna")
        assert (sheet.verdict, kinds(sheet)) == ("pending", ["official"])

    def test_others_matches_count(self, scene: Scene) -> None:
        sheet = scoresheets.submit(
            actor=scene.users["anna"],
            fixture=Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk),
            content=FOUR,
            origin="official",
            signed=True,
        )
        assert sheet.verdict == "confirmed"

    def test_others_matches_count_where_no_boards_are_played(self, scene: Scene) -> None:
        Membership.objects.create(user=scene.users["dora"], club=scene.club, role=Role.DIRECTOR)
        sheet = scoresheets.submit(
            actor=scene.users["anna"],
            fixture=Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk),
            content=FOUR,
            origin="official",
            signed=True,
        )
        assert sheet.verdict == "confirmed"


def test_the_other_side_confirms_a_playing_officials_sheet(scene: Scene) -> None:
    by(scene, Way.SIGNED)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    sheet = typed(scene, "anna")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"


def test_a_program_signs_nothing(scene: Scene) -> None:
    without_accounts(scene)
    client = Client()
    client.force_login(scene.users["sam"])
    answer = client.post(
        f"/api/v1/matches/{scene.fixture.pk}/sheets/",
        {**FOUR, "signed": True},
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
    assert answer.json()["verdict"] == "pending"


# A second official


def test_a_second_official_compares_it(scene: Scene) -> None:
    by(scene, Way.SECOND)
    sheet = typed(scene)
    assert (
        scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest).verdict == "pending"
    )
    scoresheets.confirm(actor=scene.users["dora"], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"
    page = Client().get(f"/matches/{scene.fixture.pk}/").content.decode()
    assert "a second official compared it with the paper" in page


def test_nobody_is_two_officials_by_having_two_roles(scene: Scene) -> None:
    by(scene, Way.SECOND)
    sheet = typed(scene)
    Membership.objects.filter(user=scene.users["sam"]).update(role=Role.OWNER)
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=scene.users["sam"], sheet=sheet, digest=sheet.digest)
    scene.users["sam"].is_superuser = True
    scene.users["sam"].save()
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=scene.users["sam"], sheet=sheet, digest=sheet.digest)


def test_both_pairs_word_is_enough_even_so(scene: Scene) -> None:
    by(scene, Way.SECOND)
    sheet = typed(scene)
    for who in ("eva", "chidi"):
        scoresheets.confirm(actor=scene.users[who], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"


# Silence

T0 = datetime(2026, 10, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def delivered(at: datetime, *names: str) -> None:
    """The mails to these people were handed over, to everybody where nobody is named."""
    mails = OutboxMessage.objects.filter(template="to_confirm", sent_at=None)
    if names:
        mails = mails.filter(to__in=[f"{name}@example.org" for name in names])
    mails.update(sent_at=at)


def silent(scene: Scene, days: int = 7, who: str = "sam") -> Scoresheet:
    """A sheet that counts by silence, entered at T0."""
    by(scene, Way.SILENCE, days)
    sheet = typed(scene, who)
    SilencePeriod.objects.update(begun_at=T0, due_at=T0)
    return sheet


def swept(*hours: float) -> None:
    for hour in hours:
        silence_sweep.sweep(at=T0 + timedelta(hours=hour))


def every_hour(until: float, since: float = 0) -> None:
    swept(*(since + step * 6 for step in range(int((until - since) / 6) + 1)))


def test_silence_counts_after_the_days_that_were_named_and_a_reminder(scene: Scene) -> None:
    sheet = silent(scene, days=3)
    delivered(T0 + timedelta(hours=2))
    swept(2, 3)
    assert SilencePeriod.objects.get().counts_at == T0 + timedelta(hours=2 + 72)
    swept(2 + 47)
    assert not OutboxMessage.objects.filter(template="silence_ends").exists()
    swept(2 + 48, 2 + 48)
    assert OutboxMessage.objects.filter(template="silence_ends").count() == 4
    swept(2 + 71)
    assert status(scene) == "to_confirm"
    swept(2 + 72, 2 + 72, 2 + 100)
    sheet.refresh_from_db()
    assert (sheet.verdict, kinds(sheet), sheet.verdict_by) == ("confirmed", ["official", "silence"], None)
    assert AuditEntry.objects.filter(summary="Scoresheet 1 counts: nobody objected").count() == 1
    assert OutboxMessage.objects.filter(template="silence_ends").count() == 4
    assert "nobody objected" in Client().get(f"/matches/{scene.fixture.pk}/").content.decode()


def test_a_sweep_that_was_away_reminds_first_and_counts_a_day_later(scene: Scene) -> None:
    silent(scene)
    delivered(T0)
    swept(24 * 30)
    assert status(scene) == "to_confirm"
    swept(24 * 31 - 1)
    assert status(scene) == "to_confirm"
    swept(24 * 31)
    assert status(scene) == "confirmed"


def test_without_a_notice_that_was_handed_over_silence_never_counts(scene: Scene) -> None:
    silent(scene)
    every_hour(24 * 60)
    assert status(scene) == "to_confirm"


@pytest.mark.parametrize("names", [("anna",), ("anna", "chidi"), ("eva", "luis")])
def test_every_silent_side_has_to_be_told(scene: Scene, names: tuple[str, ...]) -> None:
    silent(scene)
    delivered(T0, *names)
    every_hour(24 * 20)
    assert status(scene) == "to_confirm"


def test_one_member_of_each_side_is_enough_and_the_later_one_counts(scene: Scene) -> None:
    silent(scene, days=2)
    delivered(T0, "anna")
    delivered(T0 + 3 * DAY, "luis")
    every_hour(24 * 5 - 6)
    assert status(scene) == "to_confirm"
    every_hour(24 * 6, since=24 * 5 - 6)
    assert status(scene) == "confirmed"


def test_a_page_that_was_shown_is_a_notice_too(scene: Scene) -> None:
    silent(scene)
    for who, tells in (("anna", True), ("eva", True), ("iris", False)):
        client = Client()
        client.force_login(scene.users[who])
        page = client.get(f"/matches/{scene.fixture.pk}/").content.decode()
        assert ("If nobody objects" in page) is tells
    told = SilenceNotice.objects.filter(told_at__isnull=False).values_list("user__email", flat=True)
    assert sorted(told) == ["anna@example.org", "eva@example.org"]
    silence_sweep.sweep(at=timezone.now() + timedelta(minutes=1))
    assert SilencePeriod.objects.get().counts_at is not None


def test_a_page_of_which_only_the_head_was_asked_for_is_none(scene: Scene) -> None:
    silent(scene)
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.head(f"/matches/{scene.fixture.pk}/").status_code == 200
    assert not SilenceNotice.objects.filter(told_at__isnull=False).exists()


def test_a_program_that_reads_the_sheet_shows_it_to_nobody(scene: Scene) -> None:
    silent(scene)
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.get(f"/api/v1/matches/{scene.fixture.pk}/sheets/").status_code == 200
    assert not SilenceNotice.objects.filter(told_at__isnull=False).exists()


def test_a_side_without_accounts_cannot_be_silent(scene: Scene) -> None:
    without_accounts(scene, "eva", "luis")
    silent(scene)
    delivered(T0)
    every_hour(24 * 20)
    assert status(scene) == "to_confirm"


def test_who_left_the_pair_or_the_site_in_between_was_not_told_for_it(scene: Scene) -> None:
    silent(scene)
    delivered(T0, "anna", "eva")
    swept(1)
    without_accounts(scene, "eva")
    every_hour(24 * 20, since=2)
    assert status(scene) == "to_confirm"


def test_the_side_that_confirms_is_not_asked_to_be_silent(scene: Scene) -> None:
    sheet = silent(scene)
    delivered(T0)
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"
    every_hour(24 * 20)
    assert SilencePeriod.objects.get().due_at is None
    assert kinds(sheet) == ["official", "side"]


def test_a_rejection_ends_the_silence_also_of_the_next_version(scene: Scene) -> None:
    sheet = silent(scene)
    delivered(T0)
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Deal 2 is wrong")
    again = typed(scene)
    assert not SilencePeriod.objects.filter(sheet=again).exists()
    delivered(T0)
    every_hour(24 * 20)
    assert status(scene) == "to_confirm"


def test_a_code_or_a_player_begins_no_silence(scene: Scene) -> None:
    by(scene, Way.SILENCE)
    typed(scene, "anna")
    assert not SilencePeriod.objects.exists()


def test_an_officials_own_match_never_counts_by_silence(scene: Scene) -> None:
    by(scene, Way.SILENCE)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    claims.unlink(actor=scene.users["dora"], player=Player.objects.get(user=scene.users["anna"]))
    typed(scene, "anna")
    assert not SilencePeriod.objects.exists()


def test_an_official_who_becomes_a_substitute_ends_the_silence(scene: Scene) -> None:
    silent(scene)
    delivered(T0)
    Player.objects.create(club=scene.club, name="Sam Scorer", user=scene.users["sam"])
    fixture = scene.fixture
    entry = fixture.home
    fixture.substitutions.create(
        entry=entry,
        absent=entry.lineup.players[0],
        substitute=Player.objects.get(user=scene.users["sam"]),
    )
    every_hour(24 * 20)
    assert status(scene) == "to_confirm"


def test_another_setting_in_the_meantime_ends_it(scene: Scene) -> None:
    silent(scene)
    delivered(T0)
    by(scene, Way.PAIRS)
    every_hour(24 * 20)
    assert status(scene) == "to_confirm"


def test_the_days_are_those_that_were_named(scene: Scene) -> None:
    silent(scene, days=10)
    delivered(T0)
    by(scene, Way.SILENCE, 2)
    every_hour(24 * 10 - 6)
    assert status(scene) == "to_confirm"
    every_hour(24 * 11, since=24 * 10 - 6)
    assert status(scene) == "confirmed"


def test_a_withdrawal_or_a_finished_competition_ends_it(scene: Scene) -> None:
    silent(scene)
    delivered(T0)
    fixtures.award_walkover(
        actor=scene.users["dora"], fixture=scene.fixture, losing=[scene.fixture.away], reason="Away"
    )
    every_hour(24 * 20)
    assert status(scene) == "walkover"
    assert SilencePeriod.objects.get().due_at is None


def test_a_correction_by_silence_does_not_come_after_the_window(scene: Scene) -> None:
    sheet = typed(scene, signed=False)
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    by(scene, Way.SILENCE)
    other = typed(scene, content=totals_sheet((30, 15), (20, 15), (20, 15), (20, 15)))
    SilencePeriod.objects.update(begun_at=timezone.now(), due_at=timezone.now())
    delivered(timezone.now())
    for day in range(20):
        silence_sweep.sweep(at=timezone.now() + timedelta(days=day))
    other.refresh_from_db()
    assert other.verdict == "pending"
    assert SilencePeriod.objects.get().due_at is None


def counted_by_silence(scene: Scene) -> Scoresheet:
    sheet = silent(scene, days=2)
    delivered(T0)
    every_hour(24 * 3)
    sheet.refresh_from_db()
    assert sheet.verdict == "confirmed"
    # The window runs on the tests' own clock.
    sheet.match.__class__.objects.update(locks_at=timezone.now() + timedelta(hours=1))
    return sheet


def test_a_silent_side_still_rejects_until_the_window_closes_and_the_match_is_open_again(
    scene: Scene,
) -> None:
    sheet = counted_by_silence(scene)
    client = Client()
    client.force_login(scene.users["luis"])
    assert (
        "This result counts because nobody objected"
        in client.get(f"/matches/{scene.fixture.pk}/").content.decode()
    )
    address = f"/matches/{scene.fixture.pk}/reject/?version=1"
    assert client.get(address).status_code == 200
    answer = client.post(address, {"version": 1, "reason": "Never played"}, follow=True)
    assert "Rejected" in answer.content.decode()
    sheet.refresh_from_db()
    assert (sheet.verdict, status(scene)) == ("rejected", "disputed")
    assert not Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert Scoresheet.objects.get().match.locks_at is None
    # From now on it takes somebody's word.
    assert typed(scene).verdict == "pending"
    assert SilencePeriod.objects.count() == 1


@pytest.mark.parametrize("who", ["iris", "dora", "sam", "stranger"])
def test_nobody_else_rejects_what_counted_by_silence(scene: Scene, who: str) -> None:
    sheet = counted_by_silence(scene)
    with pytest.raises((NotAllowed, Conflict)):
        scoresheets.reject(actor=scene.users[who], sheet=sheet, reason="I do not like it")
    assert status(scene) == "confirmed"


def test_after_the_window_nobody_rejects_it(scene: Scene) -> None:
    sheet = counted_by_silence(scene)
    sheet.match.__class__.objects.update(locks_at=timezone.now())
    with pytest.raises(Conflict, match="time for corrections is over"):
        scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Never played")


def test_what_a_pair_confirmed_is_not_rejected_afterwards(scene: Scene) -> None:
    sheet = typed(scene, signed=False)
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    with pytest.raises(Conflict, match="got there first"):
        scoresheets.reject(actor=scene.users["anna"], sheet=sheet, reason="No")


# Sealed boards


def opened() -> bool:
    return Board.objects.filter(released_at__isnull=False).exists()


def both_tables_play(scene: Scene, *, way: str) -> None:
    """The round's two matches: the second confirmed by its pairs, the first as `way` has it."""
    second = scene.fixtures[1]
    fixture = Fixture.objects.with_pairs().get(pk=second.pk)
    sheet = scoresheets.submit(
        actor=scene.users["iris"], fixture=fixture, content={**SHEET, "first_dealer": "N"}, origin="page"
    )
    scoresheets.confirm(actor=scene.users["olga"], sheet=sheet, digest=sheet.digest)
    by(scene, way, 2)


def test_silence_opens_no_board() -> None:
    scene = duplicate_scene()
    sealed(scene)
    both_tables_play(scene, way=Way.SILENCE)
    typed(scene, content=SHEET)
    SilencePeriod.objects.update(begun_at=T0, due_at=T0)
    delivered(T0)
    every_hour(24 * 3)
    assert status(scene) == "confirmed"
    assert not opened()


def test_a_neutral_officials_signed_sheet_is_a_neutral_word() -> None:
    scene = duplicate_scene()
    sealed(scene)
    both_tables_play(scene, way=Way.SIGNED)
    assert typed(scene, content=SHEET).verdict == "confirmed"
    assert opened()


def test_a_playing_official_types_no_sheet_of_boards_that_are_sealed() -> None:
    scene = duplicate_scene()
    sealed(scene)
    by(scene, Way.SIGNED)
    Membership.objects.exclude(user=scene.users["olga"]).update(role=Role.MEMBER)
    Membership.objects.filter(user=scene.users["olga"]).update(role=Role.OWNER)
    with pytest.raises(NotAllowed):
        typed(scene, "olga", content=SHEET)
    assert not opened()


ANOTHER = totals_sheet((90, 0), (90, 0), (90, 0), (90, 0))


def confirm(scene: Scene, sheet: Scoresheet, who: str) -> str:
    """The verdict that the sheet has after this person's word."""
    return str(scoresheets.confirm(actor=scene.users[who], sheet=sheet, digest=sheet.digest).verdict)


def entered(scene: Scene, who: str = "anna", content: Any = ANOTHER) -> Scoresheet:
    return scoresheets.submit(
        actor=scene.users[who], fixture=scene.fixture, content=content, origin="page", signed=True
    )


def silent_and_sealed() -> tuple[Scene, Scoresheet]:
    """A sheet of sealed boards that counts by silence; its window for corrections is open."""
    scene = duplicate_scene()
    sealed(scene)
    both_tables_play(scene, way=Way.SILENCE)
    sheet = typed(scene, content=SHEET)
    SilencePeriod.objects.update(begun_at=T0, due_at=T0)
    delivered(T0)
    every_hour(24 * 3)
    sheet.refresh_from_db()
    assert sheet.verdict == "confirmed"
    Match.objects.update(locks_at=timezone.now() + DAY)
    return scene, sheet


def let_open(scene: Scene, *, way: str) -> None:
    """The boards of the match that counted by silence become public."""
    if way == "time":
        Round.objects.update(closes_at=timezone.now())
        releases.open_overdue(at=timezone.now() + 16 * DAY)
    else:
        releases.vouch(actor=scene.users["dora"], fixture=scene.fixture, reason="I have asked both")
    assert opened()


@pytest.mark.parametrize("way", ["time", "neutral"])
def test_what_waited_through_the_release_beside_a_silent_result_takes_a_neutral_official(way: str) -> None:
    """Two pairs leave a correction lying, read all cards, reject what counted by silence, and take the better one."""
    scene, silent_one = silent_and_sealed()
    waiting = entered(scene)
    let_open(scene, way=way)
    scoresheets.reject(actor=scene.users["eva"], sheet=silent_one, reason="Never played like that")
    assert status(scene) == "disputed"
    assert confirm(scene, waiting, "eva") == "pending"
    assert not Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert confirm(scene, waiting, "dora") == "confirmed"
    told = AuditEntry.objects.filter(action="sheet.confirmed", fixture=scene.fixture).latest("pk")
    assert told.actor == scene.users["dora"]
    assert "its cards were already public" in told.summary


@pytest.mark.parametrize("is_released_first", [True, False])
def test_a_new_sheet_after_a_silent_result_was_rejected_takes_a_neutral_official(
    *, is_released_first: bool
) -> None:
    scene, silent_one = silent_and_sealed()
    if is_released_first:
        let_open(scene, way="neutral")
    scoresheets.reject(actor=scene.users["eva"], sheet=silent_one, reason="Never played like that")
    other = entered(scene)
    if not is_released_first:
        made = BoardSet.objects.get()
        boards.release(actor=scene.users["dora"], board_set=made, reason="The season is over")
    assert confirm(scene, other, "luis") == "pending"
    assert confirm(scene, other, "dora") == "confirmed"


def test_what_counted_by_silence_may_be_confirmed_as_it_stood() -> None:
    scene, silent_one = silent_and_sealed()
    let_open(scene, way="neutral")
    scoresheets.reject(actor=scene.users["eva"], sheet=silent_one, reason="I must look it up")
    same = entered(scene, "eva", SHEET)
    assert same.digest == silent_one.digest
    assert confirm(scene, same, "anna") == "confirmed"
    assert "public" not in AuditEntry.objects.filter(action="sheet.confirmed").latest("pk").summary


def test_where_nobody_is_neutral_both_sides_and_an_owner_change_it() -> None:
    scene, silent_one = silent_and_sealed()
    let_open(scene, way="neutral")
    scoresheets.reject(actor=scene.users["eva"], sheet=silent_one, reason="Never played like that")
    Membership.objects.filter(club=scene.club).exclude(role=Role.MEMBER).update(role=Role.MEMBER)
    Membership.objects.filter(user=scene.users["iris"]).update(role=Role.DIRECTOR)
    assert confirm(scene, entered(scene), "eva") == "pending"
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.OWNER)
    assert confirm(scene, entered(scene), "eva") == "confirmed"


def test_silence_changes_nothing_once_cards_are_public() -> None:
    """The scorer typed it, and nobody has compared it since: that is no neutral word (and opens no boards, either)."""
    scene = duplicate_scene()
    sealed(scene)
    both_tables_play(scene, way=Way.SIGNED)
    assert typed(scene, content=SHEET).verdict == "confirmed"
    assert opened()
    by(scene, Way.SILENCE, 2)
    Match.objects.update(locks_at=timezone.now() + 99 * DAY)
    other = typed(scene, content=ANOTHER)
    SilencePeriod.objects.update(begun_at=T0, due_at=T0)
    delivered(T0)
    every_hour(24 * 3)
    other.refresh_from_db()
    assert other.verdict == "pending"
    assert confirm(scene, other, "dora") == "confirmed"


def test_a_neutral_officials_signed_correction_says_that_the_cards_were_public() -> None:
    scene = duplicate_scene()
    sealed(scene)
    both_tables_play(scene, way=Way.SIGNED)
    typed(scene, content=SHEET)
    assert typed(scene, content=ANOTHER).verdict == "confirmed"
    assert (
        "its cards were already public"
        in AuditEntry.objects.filter(action="sheet.confirmed").latest("pk").summary
    )


# One page for all of them


def page_of(scene: Scene, who: str) -> str:
    client = Client()
    client.force_login(scene.users[who])
    return client.get("/clubs/riverside/desk/typed-sheets/").content.decode()


def test_typed_sheets_are_confirmed_on_one_page_beside_their_photos(scene: Scene) -> None:
    sheet = typed(scene, signed=False)
    photo = SheetPhoto.objects.create(
        club=scene.club,
        fixture=scene.fixture,
        added_by=scene.users["sam"],
        added_at=timezone.now(),
        state="ready",
        content=board_keys.encrypt(b"jpeg"),
        size=4,
    )
    shown = page_of(scene, "dora")
    assert f'src="/matches/{scene.fixture.pk}/photos/{photo.pk}/"' in shown
    assert f'value="{sheet.digest}"' in shown
    client = Client()
    client.force_login(scene.users["dora"])
    back = "/clubs/riverside/desk/typed-sheets/#typed-sheets"
    fields = {"version": sheet.version, "digest": sheet.digest, "next": back}
    answer = client.post(f"/matches/{scene.fixture.pk}/confirm/", fields)
    assert answer["Location"] == back
    assert status(scene) == "confirmed"
    assert "No typed sheets to confirm" in page_of(scene, "dora")


def test_nobody_is_offered_what_they_typed_or_what_players_entered(scene: Scene) -> None:
    typed(scene, signed=False)
    assert "No typed sheets to confirm" in page_of(scene, "sam")
    other = Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk)
    scoresheets.submit(actor=scene.users["iris"], fixture=other, content=FOUR, origin="page")
    assert f"/matches/{other.pk}/confirm/" not in page_of(scene, "dora")


def test_a_page_of_many_sheets_takes_as_many_queries_as_one_of_few(
    scene: Scene, django_assert_max_num_queries: Any
) -> None:
    for each in scene.fixtures:
        fixture = Fixture.objects.with_pairs().get(pk=each.pk)
        scoresheets.submit(actor=scene.users["sam"], fixture=fixture, content=FOUR, origin="official")
    with django_assert_max_num_queries(30):
        assert page_of(scene, "dora").count("data-stop") == len(scene.fixtures)


# The setting


def test_the_setting_stands_on_the_rules_and_changes_while_the_event_runs(scene: Scene) -> None:
    page = f"/clubs/{scene.club.slug}/{scene.competition.slug}/"
    assert "counts at once if no side has an account" in Client().get(page).content.decode()
    client = Client()
    client.force_login(scene.users["dora"])
    edit = {"name": "Winter League", "visibility": "public", "correction_hours": "48"}
    address = f"{page}manage/edit/"
    refused = client.post(address, {**edit, "typed_sheets": "silence", "silence_days": "1"})
    assert refused.status_code == 422
    assert client.post(address, {**edit, "typed_sheets": "silence", "silence_days": "5"}).status_code == 302
    assert "5 days after all were told" in Client().get(page).content.decode()
    assert "nobody objects for some days" in client.get(f"{page}manage/").content.decode()
