"""A ladder from its set-up to a corrected result: challenges, terms, absence, comings and goings (F100 to F106)."""

import io
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from games.papers import final_results
from games.papers.kinds import KINDS
from games.papers.orders import Order
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import challenges, draws, lots, rounds
from league.entries.services import adjustments, entries, withdrawals
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures import feeds
from league.fixtures.services import dates, fixtures
from league.models import (
    Challenge,
    Competition,
    Fixture,
    Ladder,
    LadderEvent,
    LadderPlace,
    Notice,
    Role,
)
from league.standings import ladders
from league.standings.queries import compute_table, consequences, read_facts
from league.standings.services import verification
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.fixtures.test_calendars import events as calendar

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def scene() -> SimpleNamespace:
    """A running ladder of six pairs; `at` is the moment of its beginning, `who` the entries by place."""
    club = factories.club()
    # The last noon: results come in after it, at whatever hour the tests run.
    at = (datetime.now(UTC) - timedelta(hours=12)).replace(hour=12)
    competition = factories.running(club, pairs=6, format="ladder")
    division = competition.stage.divisions.get()
    who = list(division.entries.with_pairs().order_by("number"))
    return SimpleNamespace(
        club=club, competition=competition, division=division, ladder=Ladder.objects.get(), who=who, at=at
    )


def order(scene: SimpleNamespace) -> str:
    """The places as letters, the first entry is A."""
    letters = {entry.pk: letter for entry, letter in zip(scene.who, "ABCDEFGH", strict=False)}
    rows = LadderPlace.objects.filter(ladder=scene.ladder).order_by("place")
    return "".join(letters.get(row.entry_id, "?") for row in rows)


def challenge(scene: SimpleNamespace, by: int, to: int, at: datetime | None = None) -> Challenge:
    return challenges.challenge(
        actor=DIRECTOR, challenger=scene.who[by], challenged=scene.who[to], at=at or scene.at
    )


def accepted(scene: SimpleNamespace, by: int, to: int) -> Fixture:
    return challenges.accept(actor=DIRECTOR, challenge=challenge(scene, by, to), at=scene.at)


def won(fixture: Fixture) -> Fixture:
    """The challenger, who is away, wins."""
    return factories.result(fixture, 40, 60)


def test_f100_the_published_order_is_that_of_the_numbers(scene) -> None:
    assert order(scene) == "ABCDEF"
    assert not scene.competition.stage.rounds.exists()
    assert [row.entry for row in compute_table(read_facts(scene.division)).rows] == [e.pk for e in scene.who]


def test_f103_the_challenger_takes_the_place_and_all_between_move_down(scene) -> None:
    fixture = accepted(scene, 4, 1)
    assert (fixture.home, fixture.away) == (scene.who[1], scene.who[4])
    assert order(scene) == "ABCDEF"
    won(fixture)
    assert order(scene) == "AEBCDF"
    assert Challenge.objects.get().state == Challenge.State.PLAYED


def test_f103_in_a_ladder_of_swaps_the_two_change_places() -> None:
    competition = factories.running(factories.club(), pairs=4, format="ladder_swap")
    who = list(competition.entries.order_by("number"))
    at = datetime.now(UTC)
    made = challenges.challenge(actor=DIRECTOR, challenger=who[3], challenged=who[0], at=at)
    won(challenges.accept(actor=DIRECTOR, challenge=made, at=at))
    places = LadderPlace.objects.order_by("place").values_list("entry", flat=True)
    assert list(places) == [who[3].pk, who[1].pk, who[2].pk, who[0].pk]


@pytest.mark.parametrize("points", [(60, 40), (50, 50)])
def test_f103_a_draw_or_a_loss_changes_nothing(scene, points) -> None:
    factories.result(accepted(scene, 4, 1), *points)
    assert order(scene) == "ABCDEF"


def test_f101_who_may_challenge_whom(scene) -> None:
    with pytest.raises(Conflict, match="Too far above"):
        challenge(scene, 5, 1)
    with pytest.raises(Conflict, match="above you"):
        challenge(scene, 1, 5)
    with pytest.raises(Conflict, match="above you"):
        challenge(scene, 1, 1)
    challenge(scene, 4, 1)
    with pytest.raises(Conflict, match="already has an open challenge"):
        challenge(scene, 4, 2)
    with pytest.raises(Conflict, match="Already challenged"):
        challenge(scene, 3, 1)
    assert Challenge.objects.count() == LadderEvent.objects.count() == 1


def test_f101_who_may_challenge_nobody_reads_why_once(scene, client) -> None:
    client.force_login(factories.account_of(scene.who[4].lineup))
    address = reverse("competition", args=[scene.club.slug, scene.competition.slug])
    assert "already have an open challenge" not in client.get(address).text
    challenge(scene, 4, 2)
    page = client.get(address).text
    assert page.count("You already have an open challenge.") == 1
    assert "Too far above" not in page


def test_a_first_date_is_no_postponement(scene, client) -> None:
    fixture = accepted(scene, 4, 2)
    one, other = (factories.account_of(scene.who[each].lineup) for each in (4, 2))
    client.force_login(one)
    page = client.get(reverse("fixture_dates", args=[fixture.pk])).text
    assert "Agree on a time" in page
    assert "it has to be played by" in page
    at = datetime.now(UTC)
    for days, status in ((2, "scheduled"), (3, "postponed")):
        made = dates.propose(actor=one, fixture=fixture, starts_at=at + days * DAY, at=at)
        dates.answer(actor=other, proposal=made, accept=True, at=at)
        fixture.refresh_from_db()
        assert (fixture.status, fixture.starts_at) == (status, at + days * DAY)


def test_f101_after_a_match_the_same_two_wait(scene) -> None:
    factories.result(accepted(scene, 4, 1), 60, 40)
    with pytest.raises(Conflict, match="not long ago"):
        challenge(scene, 4, 1, scene.at + 13 * DAY)
    challenge(scene, 4, 1, scene.at + 15 * DAY)


def test_f7_after_a_walkover_they_need_not_wait(scene) -> None:
    fixture = accepted(scene, 4, 1)
    fixtures.award_walkover(actor=DIRECTOR, fixture=fixture, losing=[scene.who[4]], reason="Absent")
    assert order(scene) == "ABCDEF"
    challenge(scene, 4, 1, scene.at + DAY)


def test_f102_declined_the_challenger_takes_the_place(scene) -> None:
    challenges.decline(actor=DIRECTOR, challenge=challenge(scene, 2, 0), at=scene.at)
    assert order(scene) == "CABDEF"
    with pytest.raises(Conflict, match="no longer open"):
        challenges.accept(actor=DIRECTOR, challenge=Challenge.objects.get(), at=scene.at)


def test_f102_withdrawn_before_its_acceptance_nothing_moves(scene) -> None:
    challenges.withdraw(actor=DIRECTOR, challenge=challenge(scene, 2, 0), at=scene.at)
    assert order(scene) == "ABCDEF"
    made = challenge(scene, 2, 0)
    challenges.accept(actor=DIRECTOR, challenge=made, at=scene.at)
    with pytest.raises(Conflict, match="already accepted"):
        challenges.withdraw(actor=DIRECTOR, challenge=made, at=scene.at)


def test_f102_unanswered_it_counts_as_won_on_the_day_after_the_last(scene) -> None:
    made = challenge(scene, 2, 0)
    assert challenges.sweep(at=scene.at + 7 * DAY) == 0
    assert challenges.sweep(at=scene.at + 8 * DAY) == 1
    assert order(scene) == "CABDEF"
    made.refresh_from_db()
    assert made.state == Challenge.State.UNANSWERED
    # Twice, or weeks late, it comes to the same.
    challenges.sweep(at=scene.at + 9 * DAY)
    assert order(scene) == "CABDEF"
    assert LadderEvent.objects.count() == 1


def test_f102_accepted_but_not_played_it_lapses_and_its_match_is_void(scene) -> None:
    fixture = accepted(scene, 2, 0)
    assert challenges.sweep(at=scene.at + 14 * DAY) == 0
    assert challenges.sweep(at=scene.at + 40 * DAY) == 1
    fixture.refresh_from_db()
    assert fixture.status == Fixture.Status.VOID
    assert Challenge.objects.get().state == Challenge.State.UNPLAYED
    assert order(scene) == "ABCDEF"
    with pytest.raises(Conflict, match="another challenge"):
        fixtures.restore(actor=DIRECTOR, fixture=fixture, reason="They played after all")


def test_f102_a_scoresheet_in_time_keeps_it_from_lapsing(scene) -> None:
    fixture = accepted(scene, 2, 0)
    fixtures.await_confirmation(actor=DIRECTOR, fixture=fixture)
    assert challenges.sweep(at=scene.at + 40 * DAY) == 0
    factories.result(fixture, 40, 60)
    assert order(scene) == "CABDEF"


def test_a_void_match_ends_the_challenge(scene) -> None:
    fixtures.void(actor=DIRECTOR, fixture=accepted(scene, 2, 0), reason="Wrong cards")
    assert Challenge.objects.get().state == Challenge.State.ENDED
    assert order(scene) == "ABCDEF"
    challenge(scene, 2, 0, at=datetime.now(UTC))


def test_f104_away_an_entry_keeps_its_place_and_is_not_counted(scene) -> None:
    challenges.go_away(actor=DIRECTOR, entry=scene.who[3], at=scene.at)
    with pytest.raises(Conflict, match="Away"):
        challenge(scene, 4, 3)
    challenge(scene, 5, 2)
    challenges.come_back(actor=DIRECTOR, entry=scene.who[3], at=scene.at)
    assert order(scene) == "ABCDEF"
    with pytest.raises(Conflict, match="has to end first"):
        challenges.go_away(actor=DIRECTOR, entry=scene.who[5], at=scene.at)
    with pytest.raises(Conflict, match="Nothing has changed"):
        challenges.come_back(actor=DIRECTOR, entry=scene.who[3], at=scene.at)


def test_f104_a_new_entry_begins_at_the_bottom(scene) -> None:
    made = entries.enter(
        actor=DIRECTOR, division=scene.division, lineup=factories.pair(scene.club), at=scene.at
    )
    scene.who.append(made)
    assert order(scene) == "ABCDEFG"
    with pytest.raises(Conflict, match="has begun"):
        entries.remove(actor=DIRECTOR, entry=made)


def test_f104_who_leaves_is_taken_out_and_comes_back_at_the_bottom(scene) -> None:
    fixture = accepted(scene, 2, 0)
    seen = withdrawals.preview(entry=scene.who[2], reason="Moving")
    assert (seen.voided, seen.walkovers) == ((fixture,), ())
    withdrawals.withdraw(actor=DIRECTOR, entry=scene.who[2], reason="Moving", at=scene.at)
    assert order(scene) == "ABDEF"
    assert Challenge.objects.get().state == Challenge.State.ENDED
    fixture.refresh_from_db()
    assert fixture.status == Fixture.Status.VOID
    withdrawals.reinstate(actor=DIRECTOR, entry=scene.who[2], reason="Stays", at=scene.at)
    assert order(scene) == "ABDEFC"


def test_f105_idle_entries_drop_a_place() -> None:
    competition = factories.competition(factories.club(), pairs=3)
    competition.stage.choose_format("ladder", ladder={"idle_days": 30})
    competition.stage.save()
    factories.drawn(competition)
    who, at = list(competition.entries.order_by("number")), datetime.now(UTC)
    scene = SimpleNamespace(ladder=Ladder.objects.get(), who=who)
    made = challenges.challenge(actor=DIRECTOR, challenger=who[2], challenged=who[1], at=at + 20 * DAY)
    challenges.withdraw(actor=DIRECTOR, challenge=made, at=at + 21 * DAY)
    player = factories.account_of(who[0].lineup)
    assert challenges.sweep(at=at + 29 * DAY) == 0
    assert challenges.sweep(at=at + 30 * DAY) == 1
    assert order(scene) == "BAC"
    assert Notice.objects.get().user == player
    challenges.sweep(at=at + 30 * DAY + timedelta(hours=1))
    assert Notice.objects.count() == 1


def test_f106_a_corrected_result_is_folded_again_from_its_day(scene) -> None:
    first = won(accepted(scene, 4, 1))
    assert order(scene) == "AEBCDF"
    won(accepted(scene, 1, 0))
    assert order(scene) == "BAECDF"
    after = consequences(first, scores=(60, 40)).after
    assert [row.entry for row in after.rows][:3] == [scene.who[1].pk, scene.who[0].pk, scene.who[2].pk]
    fixtures.dispute(actor=DIRECTOR, fixture=first, reason="Entered the wrong way round")
    assert order(scene) == "BACDEF"
    factories.result(first, 60, 40)
    assert order(scene) == "BACDEF"
    assert list(verification._ladder(scene.competition, scene.division)) == []


def test_the_table_says_what_a_result_would_change(scene) -> None:
    fixture = accepted(scene, 4, 1)
    seen = consequences(fixture, scores=(40, 60))
    assert [row.entry for row in seen.before.rows][1] == scene.who[1].pk
    assert [row.entry for row in seen.after.rows][1] == scene.who[4].pk
    assert order(scene) == "ABCDEF"


def test_the_database_holds_one_open_challenge_each_way_and_one_place_each(scene) -> None:
    challenge(scene, 4, 1)
    for by, to in ((4, 2), (3, 1)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Challenge.objects.create(
                ladder=scene.ladder, challenger=scene.who[by], challenged=scene.who[to], made_at=scene.at
            )
    with pytest.raises(IntegrityError), transaction.atomic():
        LadderPlace.objects.filter(entry=scene.who[0]).update(place=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Challenge.objects.create(
            ladder=scene.ladder, challenger=scene.who[5], challenged=scene.who[5], made_at=scene.at
        )


def test_verify_reports_a_place_that_does_not_follow(scene) -> None:
    LadderPlace.objects.filter(entry=scene.who[5]).update(place=9)
    found = list(verification._ladder(scene.competition, scene.division))
    assert [(each.stored, each.computed) for each in found] == [("9", "6")]


def test_people_are_told(scene) -> None:
    bob, amy = factories.account_of(scene.who[1].lineup), factories.account_of(scene.who[4].lineup)
    made = challenges.challenge(actor=amy, challenger=scene.who[4], challenged=scene.who[1], at=scene.at)
    assert list(Notice.objects.values_list("user", "event")) == [(bob.pk, "challenged")]
    noon = scene.at + 6 * DAY
    assert challenges.remind(at=noon) == 1
    challenges.remind(at=noon + timedelta(hours=1))
    assert list(Notice.objects.filter(event="challenge_due").values_list("user", flat=True)) == [bob.pk]
    challenges.accept(actor=bob, challenge=made, at=scene.at + 6 * DAY)
    assert Notice.objects.get(event="challenge_answered").user == amy


def test_only_who_plays_and_directors_speak_for_an_entry(scene) -> None:
    stranger = factories.member(scene.club)
    with pytest.raises(NotAllowed):
        challenges.challenge(actor=stranger, challenger=scene.who[4], challenged=scene.who[1], at=scene.at)
    made = challenge(scene, 4, 1)
    challenger = factories.account_of(scene.who[4].lineup)
    for act in (challenges.accept, challenges.decline):
        with pytest.raises(NotAllowed):
            act(actor=challenger, challenge=made, at=scene.at)
    with pytest.raises(NotAllowed):
        challenges.withdraw(actor=factories.account_of(scene.who[1].lineup), challenge=made, at=scene.at)


def test_a_ladder_has_no_points_lots_or_second_draw(scene) -> None:
    with pytest.raises(Conflict, match="no league points"):
        adjustments.adjust(actor=DIRECTOR, entry=scene.who[0], points="1", reason="Late")
    with pytest.raises(Conflict, match="nobody is level"):
        lots.draw(actor=DIRECTOR, division=scene.division)
    with pytest.raises(Conflict, match="has begun"):
        draws.draw(actor=DIRECTOR, competition=scene.competition)


def test_set_up_with_its_terms_and_what_makes_no_sense() -> None:
    club = factories.club()
    data = Setup(name="Ladder", starts_on=date(2026, 12, 1), format="ladder", ladder={"reach": 5})
    made = competitions.set_up(actor=DIRECTOR, club=club, data=data)
    assert made.ladder == {
        "reach": 5,
        "answer_days": 7,
        "play_days": 14,
        "rematch_days": 14,
        "idle_days": 0,
    }
    assert competitions.setup_of(Competition.objects.get(pk=made.pk)).ladder == made.ladder
    for wrong in ({"reach": 0}, {"reach": True}, {"idle_days": -1}, {"speed": 3}):
        with pytest.raises(Invalid):
            competitions.build(
                club, Setup(name="L", starts_on=date(2026, 12, 1), format="ladder", ladder=wrong)
            )
    with pytest.raises(Conflict, match="two entries"):
        competitions.publish(actor=DIRECTOR, competition=made)


def test_the_pages_from_a_challenge_to_its_answer(scene) -> None:
    bob, amy = factories.account_of(scene.who[1].lineup), factories.account_of(scene.who[4].lineup)
    browser = Client()
    browser.force_login(amy)
    page = browser.get(scene.competition.get_absolute_url()).content.decode()
    place = [scene.club.slug, scene.competition.slug]
    address = reverse("challenge_entry", args=[*place, scene.who[1].pk])
    assert address in page
    assert "Too far above" in page
    assert "How the ladder works" in page
    assert "You can challenge up to 3 places" in browser.get(address).content.decode()
    answer = browser.post(address, {"challenger": scene.who[4].pk}, follow=True)
    made = Challenge.objects.get()
    assert answer.redirect_chain == [(made.get_absolute_url(), 302)]
    assert "Withdraw the challenge" in answer.content.decode()
    browser.force_login(bob)
    assert "challenge you" in browser.get(reverse("my")).content.decode()
    page = browser.get(made.get_absolute_url()).content.decode()
    assert "It costs the place" in page
    answer = browser.post(made.get_absolute_url(), {"answer": "accept"}, follow=True)
    assert answer.redirect_chain == [(reverse("fixture_dates", args=[Fixture.objects.get().pk]), 302)]
    won(Fixture.objects.get())
    page = browser.get(scene.competition.get_absolute_url()).content.decode()
    assert "moved up" in page
    assert browser.get(made.get_absolute_url()).status_code == 200
    for wrong in ({}, {"answer": "perhaps"}):
        assert browser.post(made.get_absolute_url(), wrong).status_code in {302, 422}


def test_nobody_challenges_themselves_from_a_page_nor_does_a_director_for_them(scene) -> None:
    amy, dora = factories.account_of(scene.who[4].lineup), factories.member(scene.club, Role.DIRECTOR)
    own = reverse("challenge_entry", args=[scene.club.slug, scene.competition.slug, scene.who[4].pk])
    for user in (amy, dora):
        browser = Client()
        browser.force_login(user)
        answer = browser.post(own, {"challenger": scene.who[4].pk}, follow=True)
        assert "Choose who challenges." in answer.text
    assert not Challenge.objects.exists()
    assert not LadderEvent.objects.filter(kind="challenge").exists()


def test_a_director_enters_a_challenge_for_others(scene) -> None:
    dora = factories.member(scene.club, Role.DIRECTOR)
    browser = Client()
    browser.force_login(dora)
    address = reverse("challenge_entry", args=[scene.club.slug, scene.competition.slug, scene.who[1].pk])
    page = browser.get(address).content.decode()
    # Those within reach, by their names, beside "Choose".
    offered = page[page.index('id="challenger"') :].partition("</select>")[0]
    assert offered.count("<option") == 4
    browser.post(address, {"challenger": scene.who[3].pk})
    assert Challenge.objects.get().challenger == scene.who[3]
    away = reverse("ladder_away", args=[scene.club.slug, scene.competition.slug, scene.who[5].pk])
    browser.post(away, {"away": 1})
    assert LadderEvent.objects.filter(kind="away", made_by=dora).exists()
    csv = reverse("competition_file", args=[scene.club.slug, scene.competition.slug, "standings", "csv"])
    assert "away" in browser.get(csv).content.decode("utf-8-sig")
    for name in ("competition_fixtures", "competition_manage", "desk"):
        args = [scene.club.slug] if name == "desk" else [scene.club.slug, scene.competition.slug]
        assert browser.get(reverse(name, args=args)).status_code == 200, name


def test_other_formats_have_no_ladder() -> None:
    competition = factories.running(factories.club(), pairs=4)
    first, last = competition.entries.order_by("number")[0], competition.entries.order_by("-number")[0]
    with pytest.raises(Conflict, match="no ladder"):
        challenges.challenge(actor=DIRECTOR, challenger=last, challenged=first, at=datetime.now(UTC))


def test_events_stay_as_they_are(scene) -> None:
    challenge(scene, 4, 1)
    kept = LadderEvent.objects.latest("pk")
    rows = LadderEvent.objects.filter(pk=kept.pk)
    for change in (lambda: rows.update(kind="withdraw"), rows.delete, lambda: rows.update(at=scene.at + DAY)):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert LadderEvent.objects.get(pk=kept.pk) == kept
    rows.update(made_by=None)


def test_a_match_names_its_challenge(scene) -> None:
    fixture = accepted(scene, 4, 1)
    made = Challenge.objects.get()
    browser = Client()
    browser.force_login(factories.account_of(scene.who[4].lineup))
    page = browser.get(fixture.get_absolute_url()).content.decode()
    assert f'href="{made.get_absolute_url()}"' in page
    assert "Round 1" not in page
    for name, more in (("competition_fixtures", []), ("round", [1])):
        address = reverse(name, args=[scene.club.slug, scene.competition.slug, *more])
        shown = browser.get(address).content.decode()
        assert "Challenge 1" in shown
        assert "Round 1" not in shown
    calendar = browser.get(reverse("calendar_of", args=["public", "competitions", scene.competition.pk]))
    assert "Challenge" in calendar.content.decode()


def test_the_ladder_is_printed_as_it_stands(scene) -> None:
    won(accepted(scene, 4, 1))
    (table,) = final_results._tables(scene.competition)
    assert [row["place"] for row in table["rows"]] == ["1", "2", "3", "4", "5", "6"]
    assert [row["name"] for row in table["rows"]][1] == str(scene.who[4])
    assert table["rows"][1]["figures"] == ["+3"]
    assert {key for key, kind in KINDS.items() if kind.suits(scene.competition)} & {"ladder", "results"} == {
        "ladder"
    }
    paper = KINDS["ladder"].make(Order(scene.competition, "a4", "en", "", lambda _done, _pages: None))
    assert paper.file_name == "ladder.pdf"
    assert "No." not in PdfReader(io.BytesIO(paper.content)).pages[0].extract_text()


def test_f104_a_director_is_offered_only_what_a_ladder_has(scene) -> None:
    client = Client()
    client.force_login(factories.member(scene.club, Role.DIRECTOR))
    where = [scene.club.slug, scene.competition.slug]
    page = client.get(reverse("competition_manage", args=where)).text
    for strange in ("Adjust points", "Draw lots", "Draw the rounds", "matches of past rounds"):
        assert strange not in page
    sent = {"division": scene.division.pk, "lineup": factories.pair(scene.club).pk}
    late = client.post(reverse("competition_enter", args=where), sent).text
    assert "not drawn yet" not in page
    matches = client.get(reverse("competition_fixtures", args=where)).text
    assert "A match appears here as soon as a challenge is accepted." in matches
    assert "draws the rounds" not in matches
    assert "At the bottom of the ladder" in late
    assert "as now" not in late


def test_nobody_sits_out_of_a_round_of_a_ladder(scene) -> None:
    with pytest.raises(Conflict, match="A ladder has no rounds"):
        rounds.ask_to_sit_out(actor=DIRECTOR, entry=scene.who[0], number=1, at=scene.at)


def test_f102_a_challenge_is_in_the_calendars_until_it_is_answered(scene) -> None:
    made = challenge(scene, 4, 1)
    player = factories.account_of(scene.who[1].lineup)
    own = reverse("calendar_my", args=[feeds.token_of(player)])
    public = [
        reverse("calendar_of", args=["public", kind, key])
        for kind, key in (
            ("competitions", scene.competition.pk),
            ("clubs", scene.club.pk),
            ("pairs", scene.who[4].lineup_id),
        )
    ]
    last = ladders.standing(scene.ladder, scene.at.date()).last_day(made)
    for address in (own, *public):
        event = calendar(address)[f"challenge-{made.pk}"]
        assert event.dtstart.value == last
        assert event.summary.value == f"Challenge {scene.who[4]} – {scene.who[1]}: last day to answer"
    other = reverse("calendar_of", args=["public", "pairs", scene.who[5].lineup_id])
    assert not calendar(other)
    fixture = challenges.accept(actor=DIRECTOR, challenge=made, at=scene.at)
    assert [*calendar(own)] == [f"fixture-{fixture.pk}"]


def test_f102_nobody_proposes_a_time_at_which_the_challenge_has_lapsed(scene) -> None:
    fixture = accepted(scene, 4, 1)
    player, last = factories.account_of(scene.who[4].lineup), fixture.round.closes_at
    with pytest.raises(Invalid, match="will have lapsed"):
        dates.propose(actor=player, fixture=fixture, starts_at=last + DAY, at=scene.at)
    dates.propose(actor=player, fixture=fixture, starts_at=last - DAY, at=scene.at)
