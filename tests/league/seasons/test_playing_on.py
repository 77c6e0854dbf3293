"""“Are you in again?”: asking, answers of partners and directors, and the draft that follows them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.competitions.services import competitions, drafts
from league.errors import Conflict, NotAllowed
from league.manage.services import setups
from league.models import AuditEntry, DraftChange, Fixture, Notice, OutboxMessage, Role, SeasonAnswer
from league.people.services import merging
from league.seasons.queries import answers
from league.seasons.services import finishing, following
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.notices.test_following import begun, entered, finished
from tests.league.seasons.test_season_ends import LATER, by_place, director_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def of(made, entry) -> SeasonAnswer:
    return SeasonAnswer.objects.get(competition=made, lineup=entry.lineup_id)


def said(made, entry, is_in, actor=DIRECTOR, at=LATER):
    return following.answer(actor=actor, row=of(made, entry), is_in=is_in, at=at)


def test_everybody_is_asked_once_a_day_until_they_answer():
    competition = finished()
    upper, _lower = by_place(competition)
    anna, ben = factories.user(), factories.user()
    for player, user in zip(upper[0].lineup.players, (anna, ben), strict=True):
        player.user = user
        player.save()
    eva = factories.account_of(upper[1].lineup)
    made = begun(competition)
    assert not Notice.objects.exists()
    assert following.ask(actor=DIRECTOR, competition=made, at=LATER) == 3
    assert following.ask(actor=DIRECTOR, competition=made, at=LATER) == 0
    assert OutboxMessage.objects.filter(to__in=[anna.email, ben.email, eva.email]).count() == 3
    said(made, upper[0], True, actor=ben)
    assert following.ask(actor=DIRECTOR, competition=made, at=LATER + DAY) == 1
    assert Notice.objects.filter(user=anna).count() == 1
    assert Notice.objects.get(user=anna).context["path"] == f"/my/again/{of(made, upper[0]).pk}/"
    assert of(made, upper[2]).asked_at is None
    assert AuditEntry.objects.filter(action="season.asked").count() == 2


def test_the_last_answer_counts_and_the_trail_has_them_all():
    competition = finished()
    upper, _lower = by_place(competition)
    anna = factories.account_of(upper[0].lineup)
    made = begun(competition)
    said(made, upper[0], False, actor=anna)
    said(made, upper[0], True)
    row = of(made, upper[0])
    assert (row.is_in, row.answered_by) == (True, None)
    said(made, upper[0], True, actor=anna)
    assert of(made, upper[0]).answered_by == anna
    said(made, upper[0], True, actor=anna, at=LATER + DAY)
    assert of(made, upper[0]).answered_at == LATER
    trail = AuditEntry.objects.filter(action="season.answered").order_by("pk")
    assert [each.after["is_in"] for each in trail] == [False, True, True]


def test_f86_who_says_no_leaves_a_place_to_the_best_of_those_relegated():
    competition = finished()
    upper, lower = by_place(competition)
    made = begun(competition)
    said(made, upper[1], False)
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    assert entered(made) == [
        [entry.lineup_id for entry in (upper[0], upper[2], lower[0], upper[3])],
        [entry.lineup_id for entry in lower[1:]],
    ]
    said(made, upper[1], True)
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    assert entered(made) == [
        [entry.lineup_id for entry in (*upper[:3], lower[0])],
        [entry.lineup_id for entry in (upper[3], *lower[1:])],
    ]


def test_only_who_said_yes_and_whom_the_director_entered():
    competition = finished()
    upper, lower = by_place(competition)
    made = begun(competition)
    new = factories.pair(competition.club)
    setups.enter(actor=DIRECTOR, division=made.stage.divisions.get(level=2), chosen=[new], typed="", at=LATER)
    for entry in (upper[0], lower[2]):
        said(made, entry, True)
    following.refill(actor=DIRECTOR, competition=made, with_silent=False, at=LATER)
    assert entered(made) == [[upper[0].lineup_id, lower[2].lineup_id], [new.pk]]
    change = DraftChange.objects.filter(action="entry.filled").first()
    drafts.undo(actor=DIRECTOR, change=change)
    assert len(entered(made)[1]) == 5


def test_a_drawn_draft_is_drawn_again_and_nobody_plays_who_said_no():
    competition = finished()
    upper, _lower = by_place(competition)
    made = begun(competition)
    said(made, upper[0], False)
    with pytest.raises(Conflict, match=f"said no, but are still entered: {upper[0]}"):
        setups.publish(actor=DIRECTOR, competition=made)
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    setups.publish(actor=DIRECTOR, competition=made)
    with pytest.raises(Conflict, match="is published, so the question is closed"):
        said(made, upper[0], True)
    with pytest.raises(Conflict, match="is published"):
        following.ask(actor=DIRECTOR, competition=made, at=LATER)


def test_answers_outlive_a_reopened_season_and_new_ways_are_asked():
    competition = finished()
    upper, _lower = by_place(competition)
    made = begun(competition)
    said(made, upper[0], False)
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A pair comes back")
    with pytest.raises(Conflict, match="was reopened"):
        following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    new = factories.pair(competition.club)
    finishing.prepare(
        actor=DIRECTOR, competition=competition, said=finishing.Said(newcomers={new.pk: None}), at=LATER
    )
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    first, second = entered(made)
    assert upper[0].lineup_id not in first
    assert new.pk in second
    assert SeasonAnswer.objects.filter(competition=made, lineup=new, is_in=None).exists()


def test_undone_after_somebody_answered_the_answers_come_back_with_the_draft():
    competition = finished()
    upper, _lower = by_place(competition)
    anna = factories.account_of(upper[0].lineup)
    made = begun(competition)
    row = said(made, upper[0], False, actor=anna)
    competitions.discard(actor=DIRECTOR, competition=made)
    assert not SeasonAnswer.objects.exists()
    with pytest.raises(Conflict, match="was called off"):
        following.answer(actor=anna, row=row, is_in=True, at=LATER)
    restored = drafts.bring_back(actor=DIRECTOR, change=DraftChange.objects.get(action=drafts.DELETED))
    kept = of(restored, upper[0])
    assert (kept.pk, kept.is_in, kept.answered_by, kept.answered_at) == (row.pk, False, anna, LATER)


def test_two_players_who_become_one_have_one_answer():
    competition = finished()
    upper, _lower = by_place(competition)
    made = begun(competition)
    partner = upper[0].lineup.players[1]
    twin = factories.player(competition.club)
    other = factories.pair(competition.club, twin, partner)
    SeasonAnswer.objects.create(competition=made, lineup=other)
    said(made, upper[0], True)
    merging.merge(actor=DIRECTOR, keep=upper[0].lineup.players[0], duplicate=twin)
    assert answers.of(made)[upper[0].lineup_id].is_in is True
    following.refill(actor=DIRECTOR, competition=made, with_silent=False, at=LATER)
    assert entered(made) == [[upper[0].lineup_id], []]


def test_only_partners_and_directors_answer():
    competition = finished()
    upper, lower = by_place(competition)
    made = begun(competition)
    for actor in (factories.account_of(lower[0].lineup), factories.member(competition.club, Role.SCORER)):
        with pytest.raises(NotAllowed):
            said(made, upper[0], True, actor=actor)
        with pytest.raises(NotAllowed):
            following.ask(actor=actor, competition=made, at=LATER)
        with pytest.raises(NotAllowed):
            following.refill(actor=actor, competition=made, with_silent=True, at=LATER)
    plain = factories.competition(competition.club)
    with pytest.raises(Conflict, match="isn’t the next season"):
        following.ask(actor=DIRECTOR, competition=plain, at=LATER)


def test_a_player_answers_on_the_page_and_a_get_changes_nothing():
    competition = finished()
    upper, lower = by_place(competition)
    made = begun(competition)
    url = f"/my/again/{of(made, upper[0]).pk}/"
    client, stranger = Client(), Client()
    client.force_login(factories.account_of(upper[0].lineup))
    stranger.force_login(factories.account_of(lower[0].lineup))
    assert client.get(url).status_code == 200
    assert client.get(f"{url}?answer=no").status_code == 200
    assert of(made, upper[0]).is_in is None
    assert Client().post(url, {"answer": "no"}).status_code == 302
    told = [stranger.get(each).context["row"] for each in (url, "/my/again/999999/")]
    assert told == [None, None]
    assert str(upper[0].lineup) not in stranger.get(url).content.decode()
    assert stranger.post(url, {"answer": "no"}).status_code == 404
    assert client.post(url, {"answer": "perhaps"}).status_code == 422
    assert of(made, upper[0]).is_in is None
    client.post(url, {"answer": "no"})
    assert of(made, upper[0]).is_in is False
    made.follows.refresh_from_db()
    competitions.set_state(made, "running")
    assert "the question is closed" in client.get(url).content.decode()


def test_a_director_sees_asks_answers_and_fills_on_the_page():
    competition = finished()
    upper, _lower = by_place(competition)
    factories.account_of(upper[0].lineup)
    made = begun(competition)
    client, url = director_of(competition), f"/clubs/riverside/{made.slug}/manage/again/"
    assert "0 said yes, 0 said no, 8 haven’t answered" in client.get(url).content.decode()
    assert "You asked 1 person." in client.post(url, {"act": "ask"}, follow=True).content.decode()
    assert "Nobody was asked" in client.post(url, {"act": "ask"}, follow=True).content.decode()
    client.post(url, {"act": "no", "row": of(made, upper[1]).pk})
    page = client.get(url).content.decode()
    assert "The draft doesn’t match the answers" in page
    client.post(url, {"act": "fill"})
    assert upper[1].lineup_id not in entered(made)[0]
    assert "The draft doesn’t match the answers" not in client.get(url).content.decode()
    for row in ("", "x", "9" * 40, "²", "999999"):
        assert client.post(url, {"act": "yes", "row": row}).status_code == 404
    assert client.post(url, {"act": "dance"}).status_code == 302
    running = factories.running(competition.club)
    assert client.get(f"/clubs/riverside/{running.slug}/manage/again/").status_code == 302


def test_an_open_question_is_a_card_on_my_matches():
    competition = finished()
    upper, _lower = by_place(competition)
    eva = factories.account_of(upper[0].lineup)
    made = begun(competition)
    client = Client()
    client.force_login(eva)
    assert "are you in again?" not in client.get("/my/").text, "nobody has asked yet"
    following.ask(actor=DIRECTOR, competition=made, at=LATER)
    page = client.get("/my/").text
    assert f"{made.name}: are you in again?" in page
    assert f"/my/again/{of(made, upper[0]).pk}/" in page
    said(made, upper[0], True)
    assert "are you in again?" not in client.get("/my/").text


def test_a_director_is_told_that_the_draft_does_not_follow_later_plans():
    competition = finished()
    Fixture.objects.of_competition(competition.pk).update(decided_at=timezone.now() - 9 * DAY)
    client = director_of(competition)
    address = reverse("competition_finish", args=[competition.club.slug, competition.slug])
    assert "is a draft and doesn’t change" not in client.get(address).text
    made = begun(competition)
    page = client.get(address).text
    assert "is a draft and doesn’t change with what you save here" in page
    assert reverse("competition_answers", args=[made.club.slug, made.slug]) in page
