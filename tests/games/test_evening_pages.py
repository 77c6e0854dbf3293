"""The pages of an evening: set up in four steps, run from the desk, followed in the room and on the wall."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from games.comparisons.services import comparisons
from games.models import Scoresheet
from games.scoresheets.queries.to_confirm import to_confirm
from games.sessions import services as evenings
from games.sessions.queries import rooms
from games.sessions.queries.items import items
from games.sessions.queries.late_options import late_options
from games.sessions.queries.own import own_evenings
from league.desk.queries import desk
from league.errors import Conflict
from league.models import AuditEntry, Competition, Entry, Fixture, Role, User
from league.results.queries import my
from league.seasons.services import following
from tests.games.evening_rooms import (
    AT,
    begin,
    club_with_director,
    draft,
    entered,
    laid_out,
    numbered,
    play,
    play_round,
    tables,
)
from tests.league import factories

pytestmark = pytest.mark.django_db


def logged_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def desk_of(competition: Competition) -> str:
    return f"/clubs/{competition.club.slug}/desk/{competition.slug}/evening/"


class TestSettingUp:
    def test_four_steps_keep_what_is_sent(self) -> None:
        club, dora = club_with_director()
        client = logged_in(dora)
        plan = {
            "name": "Thursday",
            "starts_on": "2026-11-05",
            "play_time": "19:30",
            "sections": "1",
            "boards_a_round": "2",
            "minutes_a_round": "15",
            "method": "matchpoints",
            "measure": "difference",
            "visibility": "public",
        }
        answer = client.post(f"/clubs/{club.slug}/desk/evenings/new/", plan)
        made = Competition.objects.get()
        assert answer["Location"] == f"{desk_of(made)}set-up/pairs/"
        typed = "\n".join(f"Ada {letter}. & Bea {letter}." for letter in "ABCDEFG")
        sent = {"division": made.stage.divisions.get().pk, "typed": typed}
        answer = client.post(answer["Location"], sent)
        assert answer["Location"] == f"{desk_of(made)}set-up/movement/"
        page = client.get(answer["Location"]).content.decode()
        assert "Howell" in page
        assert "Number 8 is missing, so one pair sits out each round" in page
        prefix = f"section{made.stage.divisions.get().pk}"
        chosen = {f"{prefix}-kind": "howell", f"{prefix}-rounds": "3", f"{prefix}-phantom": "2"}
        answer = client.post(f"{desk_of(made)}set-up/movement/", chosen)
        assert answer["Location"] == f"{desk_of(made)}set-up/start/"
        answer = client.post(answer["Location"], {"start": "1"})
        assert answer["Location"] == desk_of(made)
        assert made.stage.rounds.count() == 3
        assert not Entry.objects.filter(competition=made, number=2).exists()

    def test_names_that_are_nearly_those_of_others_are_asked_about_and_can_be_entered(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 2)
        factories.player(club, name="Marianne Holm")
        client, address = logged_in(dora), f"{desk_of(competition)}set-up/pairs/"
        typed = {"division": competition.stage.divisions.get().pk, "typed": "Mariane Holm & Olga Orr"}
        typed |= {f"number_{each.pk}": each.number for each in competition.entries.all()}
        typed |= {f"division_{each.pk}": each.division_id for each in competition.entries.all()}
        asked = client.post(address, typed)
        assert (asked.status_code, competition.entries.count()) == (422, 2)
        assert 'type="checkbox" name="are_different"' in asked.content.decode()
        client.post(address, {**typed, "are_different": "on"})
        assert competition.entries.count() == 3

    def test_what_is_not_possible_is_said_beside_the_form(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 8)
        prefix = f"section{competition.stage.divisions.get().pk}"
        client = logged_in(dora)
        answer = client.post(
            f"{desk_of(competition)}set-up/movement/", {f"{prefix}-kind": "howell", f"{prefix}-rounds": "9"}
        )
        assert answer.status_code == 422
        assert "1 to 7 rounds, not 9" in answer.content.decode()

    def test_the_leagues_pages_lead_to_the_evenings_own(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 4)
        client, manage = logged_in(dora), f"/clubs/{club.slug}/{competition.slug}/manage/"
        for address in (manage, f"{manage}edit/", f"{manage}set-up/pairs/"):
            assert client.get(address)["Location"] == desk_of(competition)
        assert client.post(f"{manage}draw/", {"order": "lot"}).status_code == 404
        for part in ("cross-table", "progress", "standings/live"):
            assert client.get(f"/clubs/{club.slug}/{competition.slug}/{part}/").status_code == 404


class TestDesk:
    def test_the_buttons_run_the_clock_once_for_each_press(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        client = logged_in(dora)
        act = f"{desk_of(competition)}act/"
        for _press in range(2):
            client.post(act, {"act": "next", "number": "1"})
        client.post(act, {"act": "minutes", "number": "1", "minutes": "5", "paused_seconds": "0"})
        client.post(act, {"act": "minutes", "number": "1", "minutes": "5", "paused_seconds": "0"})
        client.post(act, {"act": "pause", "number": "1"})
        competition.evening.refresh_from_db()
        assert competition.evening.round_number == 1
        assert competition.evening.paused_seconds == 300
        assert competition.evening.paused_at is not None
        assert AuditEntry.objects.filter(action__startswith="evening.").count() == 4
        page = client.get(desk_of(competition)).content.decode()
        assert "The clock is paused" in page
        assert "Start round 2" in page

    @pytest.mark.parametrize("sent", [{}, {"act": "x"}, {"act": "next"}, {"act": "next", "number": "9" * 40}])
    def test_odd_input_is_answered_in_words(self, sent: dict[str, str]) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        answer = logged_in(dora).post(f"{desk_of(competition)}act/", sent)
        assert answer.status_code == 302
        competition.evening.refresh_from_db()
        assert competition.evening.round_number == 0

    def test_a_typed_pair_comes_late_and_a_pair_leaves(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 5, boards=2)
        begin(competition, dora)
        client = logged_in(dora)
        late = f"{desk_of(competition)}late/"
        page = client.get(late).content.decode()
        assert "Takes the empty place" in page
        empty = numbered(competition, 1).division_id
        sent = {"option": f"empty-{empty}-6-2", "typed": "Zoe Late & Yan Late"}
        assert client.post(late, {**sent, "typed": ""}).status_code == 422
        assert client.post(late, sent)["Location"] == desk_of(competition)
        entry = numbered(competition, 6)
        leave = f"{desk_of(competition)}pairs/{entry.pk}/leave/"
        assert "These pairs sit out" in client.get(leave).content.decode()
        answer = client.post(leave, {"option": "sit-out-2", "reason": "gone again"})
        assert answer["Location"] == desk_of(competition)
        entry.refresh_from_db()
        assert entry.withdrawn_at is not None
        client.post(f"{desk_of(competition)}pairs/{entry.pk}/take-back/")
        entry.refresh_from_db()
        assert entry.withdrawn_at is None

    def test_the_clubs_desk_leads_to_what_runs_tonight(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4)
        begin(competition, dora)
        play(tables(competition, 1)[0], home=40, away=20)
        total = Fixture.objects.of_competition(competition.pk).exclude(status="void").count()

        page = logged_in(dora).get(f"/clubs/{club.slug}/desk/").content.decode()
        assert f"1 of {total} results are in" in page
        assert f'href="/clubs/{club.slug}/{competition.slug}/manage/">Run the evening</a>' in page

    def test_the_clubs_desk_says_what_the_evening_needs(self, django_assert_max_num_queries: Any) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        [waiting] = list(items(club=club, user=dora, at=AT))
        assert str(waiting.steps[0][0]) == "Start round 1"
        begin(competition, dora)
        begun = competition.evening.round_started_at
        assert begun is not None
        in_time = begun + timedelta(minutes=5)
        assert list(items(club=club, user=dora, at=in_time)) == []
        with django_assert_max_num_queries(4):
            found = list(items(club=club, user=dora, at=in_time + timedelta(minutes=30)))
        assert [str(each.mark) for each in found] == ["missing tables", "evening"]
        assert "table 1 in round 1, table 2 in round 1" in found[0].why_now
        marks = {each.mark for each in desk.of_club(club, dora, at=in_time + timedelta(days=3)).waiting}
        # Of leagues' own items (missing, late, papers to print) there is none about an evening.
        assert marks - {"duplicates"} == {"missing tables", "evening"}
        assert list(items(club=club, user=factories.member(club), at=AT)) == []


class TestConfirming:
    """Sheets are confirmed from the room: one press each, by the very service that confirms them elsewhere."""

    @pytest.fixture
    def evening(self) -> Competition:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 6, boards=2)
        begin(competition, dora)
        return competition

    def listed(self, competition: Competition, who: Any) -> list[str]:
        return [each.table for each in to_confirm(competition, who)]

    def test_an_official_confirms_with_one_press_and_comes_back(self, evening: Competition) -> None:
        sam = factories.member(evening.club, Role.SCORER)
        dora = factories.member(evening.club, Role.DIRECTOR)
        [first, second, third] = tables(evening, 1)
        entered(first, sam)
        entered(second, factories.account_of(second.home.lineup))
        entered(third, dora)
        assert self.listed(evening, sam) == [third.table]
        assert self.listed(evening, dora) == [first.table, second.table]
        assert self.listed(evening, factories.account_of(first.home.lineup)) == []

        client = logged_in(dora)
        room = f"/clubs/{evening.club.slug}/{evening.slug}/room/"
        for page in (room, desk_of(evening)):
            text = client.get(page).content.decode()
            assert text.count('action="/matches/') == 2
            assert f'name="next" value="{page}#to-confirm"' in text
            assert "80 – 40" in text
        fields = dict(
            re.findall(
                r'name="(version|digest|next)" value="([^"]*)"',
                text.split("to-confirm-title")[2].split("</form>")[0],
            )
        )
        answer = client.post(
            f"/matches/{first.pk}/confirm/", {**fields, "digest": first.match.sheets.get().digest}
        )
        assert answer["Location"] == f"{desk_of(evening)}#to-confirm"
        first.refresh_from_db()
        assert first.status == Fixture.Status.CONFIRMED
        trail = AuditEntry.objects.filter(fixture=first, action="sheet.confirmed").get()
        assert trail.actor == dora
        assert self.listed(evening, dora) == [second.table]

    def test_a_second_press_says_who_was_first_and_another_version_is_not_confirmed(
        self, evening: Competition
    ) -> None:
        sam = factories.member(evening.club, Role.SCORER)
        dora = factories.member(evening.club, Role.DIRECTOR)
        table = tables(evening, 1)[0]
        sheet = entered(table, sam)
        room = f"/clubs/{evening.club.slug}/{evening.slug}/room/"
        sent = {"version": sheet.version, "digest": "0" * 64, "next": room}
        client = logged_in(dora)
        assert (
            "has changed since you saw it"
            in client.post(f"/matches/{table.pk}/confirm/", sent, follow=True).text
        )
        for said in ("Confirmed.", "got there first"):
            answer = client.post(
                f"/matches/{table.pk}/confirm/", {**sent, "digest": sheet.digest}, follow=True
            )
            assert answer.redirect_chain == [(room, 302)]
            assert said in answer.text
        away = {**sent, "next": "https://elsewhere.example/"}
        assert client.post(f"/matches/{table.pk}/confirm/", away)["Location"] == "/"

    def test_an_official_who_plays_and_an_odd_sheet_get_no_button(self, evening: Competition) -> None:
        [first, second, _third] = tables(evening, 1)
        sam = factories.member(evening.club, Role.SCORER)
        player = factories.account_of(first.home.lineup)
        factories.member(evening.club, Role.DIRECTOR, who=player)
        sheet = entered(second, sam)
        assert self.listed(evening, player) == []
        dora = factories.member(evening.club, Role.DIRECTOR)
        Scoresheet.objects.filter(pk=sheet.pk).update(suspicious=[{"message": "Two straight flushes"}])
        text = logged_in(dora).get(f"/clubs/{evening.club.slug}/{evening.slug}/room/").content.decode()
        assert "Something is unusual: view it first" in text
        assert 'action="/matches/' not in text

    def test_the_number_of_queries_does_not_grow_with_the_sheets(
        self, evening: Competition, django_assert_num_queries: Any
    ) -> None:
        sam = factories.member(evening.club, Role.SCORER)
        for fixture in tables(evening, 1):
            entered(fixture, sam)
            dora = User.objects.get(pk=factories.member(evening.club, Role.DIRECTOR).pk)
            with django_assert_num_queries(9):
                to_confirm(evening, dora)

    def test_the_room_asks_for_nothing_new_because_of_a_forms_token(self, evening: Competition) -> None:
        entered(tables(evening, 1)[0], factories.member(evening.club, Role.SCORER))
        client = logged_in(factories.member(evening.club, Role.DIRECTOR))
        text = client.get(f"/clubs/{evening.club.slug}/{evening.slug}/room/").content.decode()
        address = text.split('data-live="')[1].split('"')[0].replace("&amp;", "&")
        assert client.get(address).status_code == 204


class TestRoom:
    def test_it_tells_tables_sit_outs_and_seats_in_few_queries(
        self, django_assert_max_num_queries: Any
    ) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 7, boards=2)
        begin(competition, dora, 2)
        anna = factories.account_of(numbered(competition, 1).lineup)
        with django_assert_max_num_queries(13):
            seen = rooms.room(competition, anna, at=timezone.now())
        assert (seen.done, seen.played, len(seen.late), len(seen.waiting)) == (0, 3, 3, 1)
        assert len(seen.seats) == 7
        [mine] = seen.mine
        table = next(
            each for each in tables(competition, 2) if mine.pair.entry in {each.home_id, each.away_id}
        )
        assert mine.now is not None
        assert mine.now.table == table.table
        assert mine.now.side == ("North-South" if table.home_id == mine.pair.entry else "East-West")
        play(table)
        assert rooms.room(competition, anna, at=timezone.now()).done == 1

    def test_a_table_that_is_added_late_stands_in_its_place(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 21, boards=2)
        begin(competition, dora, 1)
        option = next(
            each for each in late_options(competition).options if (each.kind, each.from_round) == ("empty", 2)
        )
        evenings.late_pair(
            actor=dora, competition=competition, lineup=factories.pair(club), option=option.key, at=AT
        )
        begin(competition, dora, 2)
        assert [each.table for each in tables(competition, 2)][-1] == "1"
        shown = [each.name for each in rooms.room(competition, dora, at=AT).tables]
        assert shown == [str(number) for number in range(1, 12)]

    def test_the_page_answers_204_until_something_happens(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        begin(competition, dora)
        client = Client()
        for name in ("room", "screen"):
            page = client.get(f"/clubs/{club.slug}/{competition.slug}/{name}/").content.decode()
            address = page.split('data-live="')[1].split('"')[0].replace("&amp;", "&")
            assert client.get(address).status_code == 204
            evenings.add_minutes(
                actor=dora,
                competition=competition,
                number=1,
                minutes=1,
                paused_seconds=evening_seconds(competition),
            )
            news = client.get(address)
            assert news.status_code == 200
            assert client.get(news["X-Live-Url"]).status_code == 204

    def test_a_name_finds_a_pair(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        name = numbered(competition, 3).lineup.players[0].name
        page = Client().get(f"/clubs/{club.slug}/{competition.slug}/room/", {"q": name}).content.decode()
        assert page.count("seat-places") == 1
        page = Client().get(f"/clubs/{club.slug}/{competition.slug}/room/", {"q": "Nobody"}).content.decode()
        assert "Nobody with that name is playing tonight." in page

    def test_after_the_end_the_wall_shows_the_ranking(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        for number in (1, 2, 3):
            begin(competition, dora, number)
            play_round(competition, number)
        evenings.finish(actor=dora, competition=competition, at=AT)
        comparisons.compute_event(competition_id=competition.pk, at=AT)
        page = Client().get(f"/clubs/{club.slug}/{competition.slug}/screen/").content.decode()
        assert page.count('class="rank end"') == 4
        assert "data-clock" not in page

    def test_a_player_is_led_to_the_own_seat(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        begin(competition, dora)
        anna = factories.account_of(numbered(competition, 1).lineup)
        [event] = own_evenings(user=anna, at=AT)
        assert event.title == competition.name
        assert [str(label) for label, _text in event.lines] == ["Now", "Next"]
        assert my.matches(anna, at=AT).upcoming == ()
        page = logged_in(anna).get("/my/").content.decode()
        assert escape(event.lines[0][1]) in page

    def test_a_members_evening_is_not_shown_to_others(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        Competition.objects.filter(pk=competition.pk).update(visibility="members")
        address = f"/clubs/{club.slug}/{competition.slug}/room/"
        assert Client().get(address).status_code == 404
        assert logged_in(factories.member(club, Role.MEMBER)).get(address).status_code == 200


def evening_seconds(competition: Competition) -> int:
    competition.evening.refresh_from_db()
    seconds: int = competition.evening.paused_seconds
    return seconds


def test_a_match_of_an_evening_has_no_date_of_its_own() -> None:
    club, dora = club_with_director()
    competition = laid_out(club, dora, 4, boards=2)
    fixture = tables(competition, 1)[0]
    anna = factories.account_of(fixture.home.lineup)
    logged_in(anna).post(f"/fixtures/{fixture.pk}/postpone/", {"reason": "ill"})
    fixture.refresh_from_db()
    assert fixture.status == Fixture.Status.SCHEDULED


def test_an_evening_is_copied_like_any_competition() -> None:
    club, dora = club_with_director()
    competition = laid_out(club, dora, 7)
    before = evenings.plan_of(competition)
    client, page = logged_in(dora), f"/clubs/{competition.club.slug}/{competition.slug}/manage/copy/"
    assert page in client.get(desk_of(competition)).text
    shown = client.get(page)
    assert shown.status_code == 200
    day = shown.context["form"]["starts_on"].initial
    assert day > timezone.localdate()
    assert day.weekday() == competition.starts_on.weekday()
    answer = client.post(
        page, {"name": "Next one", "season": "", "starts_on": day, "with_entries": "on"}, follow=True
    )
    assert answer.status_code == 200
    made = Competition.objects.get(name="Next one")
    assert evenings.plan_of(made) == replace(before, name="Next one", starts_on=day)
    assert (made.game, made.state, made.rules) == (competition.game, "draft", competition.rules)
    assert [e.lineup_id for e in made.entries.order_by("number")] == [
        e.lineup_id for e in competition.entries.order_by("number")
    ]
    assert client.get(f"{desk_of(made)}set-up/movement/").status_code == 200
    assert not made.stage.rounds.exists()
    client.post(page, {"name": "Empty one", "season": "", "starts_on": day})
    assert not Competition.objects.get(name="Empty one").entries.exists()


def test_an_evening_has_no_next_season() -> None:
    club, dora = club_with_director()
    competition = laid_out(club, dora, 7)
    with pytest.raises(Conflict):
        following.begin(
            actor=dora,
            competition=competition,
            name="Next",
            season="",
            starts_on=competition.starts_on,
            at=AT,
        )
