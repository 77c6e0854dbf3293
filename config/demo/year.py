"""A club's year in the demo: a season that is over, the next one prepared from it, and people who are joining."""

import random
from datetime import date, datetime, time, timedelta

from django.urls import resolve
from django.utils import timezone

from config.demo import evenings, season
from config.demo.clock import at_time
from config.demo.people import People, account, email_of
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.draws.services import draws
from league.entries.services import entries as entering
from league.fixtures.services import substitutions
from league.models import Club, Competition, Fixture, Invitation, Lineup, MailFailure, Player
from league.notices.services import accounts, notices, outbox
from league.outgoing import queue
from league.people.services import joining, lineups, players
from league.seasons.queries import following as proposals
from league.seasons.services import finishing, following
from league.zones import at_local

PAIRS, BELOW = slice(0, 4), slice(4, 8)
SINCE_CLUB_EVENING, DAYS_BETWEEN = 38, 77
#: The two who take over the place of a pair that left, and one who stands in; all joined by their invitation.
NEWCOMERS = ("Lena Hoffmann", "Marek Dvorak")
STAND_IN = "Sven Lund"
#: Four whose invitations came less far, and one who got a slip.
INVITED, OPENED, WITHDRAWN, BOUNCED, ON_PAPER = (
    "Ruth Abbott",
    "George Pryce",
    "Peggy Lane",
    "Zoltan Kiss",
    "Walter Stone",
)
#: What pairs said of the next season, by their place in the list of people; the others have not answered.
ANSWERS = {(0, 1): True, (0, 2): True, (0, 3): False, (1, 0): True, (1, 2): True}


def play_last_season(club: Club, people: People, rng: random.Random, *, first_day: date) -> Competition:
    """The Summer League: three divisions of four pairs, each met once, finished with its promotions."""
    data = Setup(
        name="Summer League",
        starts_on=first_day,
        divisions=(
            DivisionPlan("First Division", relegated=1),
            DivisionPlan("Second Division", promoted=1, relegated=1),
            DivisionPlan("Third Division", promoted=1),
        ),
        place=club.place,
    )
    pairs_of = (people.pairs[0][PAIRS], people.pairs[1][PAIRS], people.pairs[0][BELOW])
    director, at = people["Daniel Quinn"], timezone.now()
    summer = competitions.set_up(actor=director, club=club, data=data)
    for division, pairs in zip(summer.stage.divisions.order_by("level"), pairs_of, strict=True):
        entering.enter_all(actor=director, division=division, lineups=pairs, at=at)
    draws.draw(actor=director, competition=summer, order=draws.GIVEN)
    competitions.publish(actor=director, competition=summer)
    for fixture in Fixture.objects.of_competition(summer.pk).with_pairs().order_by("round__number", "pk"):
        season.play_and_confirm(fixture, people, rng)
    last_round = summer.stage.rounds.latest("number")
    with at_time(last_round.closes_at + timedelta(days=3)) as over:
        finishing.finish(actor=director, competition=summer, at=over)
    return summer


def play_club_evenings(club: Club, people: People, rng: random.Random, *, today: date) -> None:
    """One evening every eleven weeks, the last one some weeks ago."""
    days = (today - timedelta(days=SINCE_CLUB_EVENING + DAYS_BETWEEN * back) for back in reversed(range(4)))
    on = [at_local(day, time(19, 30), club.time_zone) for day in days]
    evenings.build_of_the_club(club, people, rng, evenings_on=on)


def prepare_next(summer: Competition, people: People, *, at: datetime) -> Competition:
    """The draft of the next Summer League: everybody was asked, some have answered."""
    director = people["Daniel Quinn"]
    idea = proposals.proposed(summer, today=at.date())
    made = following.begin(
        actor=director,
        competition=summer,
        name=idea.name,
        season=idea.season,
        starts_on=idea.starts_on,
        at=at,
    )
    following.ask(actor=director, competition=made, at=at)
    for (division, place), is_in in ANSWERS.items():
        pair = people.pairs[division][place]
        row = made.answers.get(lineup=pair)
        following.answer(actor=people.of_pair(pair), row=row, is_in=is_in, at=at)
    return made


def new_pair(club: Club, people: People, *, at: datetime) -> Lineup:
    """Two newcomers, who joined by the link in their mail."""
    both = [_joined(club, people, name, at=at) for name in NEWCOMERS]
    return lineups.line_up(actor=people["Daniel Quinn"], club=club, players=both)


def name_substitutes(club: Club, people: People, winter: Competition, *, at: datetime) -> None:
    """In the next round a member stands in for one player, a guest for another; two have marked days away."""
    stand_in = _joined(club, people, STAND_IN, at=at)
    coming = Fixture.objects.with_pairs().filter(
        round__stage__competition=winter, round__number=season.ROUNDS_PLAYED + 1
    )
    by_pair = {entry.lineup_id: each for each in coming for entry in each.entries}
    first, second = people.pairs[0][2], people.pairs[0][5]
    actor, absent = people.of_pair(first), first.players[1]
    substitutions.appoint(
        actor=actor,
        fixture=by_pair[first.pk],
        absent=absent,
        substitute=stand_in,
        reason="Rose is at a wedding.",
    )
    actor, absent = people.of_pair(second), second.players[1]
    players.appoint_guest(actor=actor, fixture=by_pair[second.pk], absent=absent, name="Wanda Frost")
    day = at.date()
    for name, first_day, last_day in (("Rose Ford", 4, 12), ("Olga Petrov", 15, 17)):
        accounts.mark_days_away(
            actor=people[name], first=day + timedelta(days=first_day), last=day + timedelta(days=last_day)
        )


def invite_others(club: Club, people: People, *, at: datetime) -> None:
    """Invitations that came less far, each in another state."""
    director = people["Daniel Quinn"]
    for name in (INVITED, OPENED, WITHDRAWN):
        _invited(club, people, name, at=at)
    joining.note_opened(invitation=_invitation(club, OPENED), at=at)
    joining.withdraw(actor=director, player=club.players.get(name=WITHDRAWN), at=at)
    paper = players.add(actor=director, club=club, name=ON_PAPER)
    joining.make_slips(actor=director, club=club, players=[paper.pk], at=at)


def bounce(club: Club, people: People, *, at: datetime) -> None:
    """One whose address refuses mail, as the mail server would have said."""
    _invited(club, people, BOUNCED, at=at)
    mail = _invitation(club, BOUNCED).mail
    assert mail is not None  # noqa: S101 - it was just written
    queue.give_up(mail, "550 no such mailbox", at=at, failure=MailFailure.RECIPIENT)


def read_notices(people: People, *, before: datetime, at: datetime) -> None:
    """Nobody waits for weeks: what people were told until then, they have read."""
    for user in people.users.values():
        old = user.notices.filter(made_at__lt=before)
        notices.mark_read(actor=user, at=at, keys=list(old.values_list("pk", flat=True)))


def _invited(club: Club, people: People, name: str, *, at: datetime) -> Player:
    director = people["Daniel Quinn"]
    player = players.add(actor=director, club=club, name=name, email=email_of(name))
    joining.invite(actor=director, club=club, players=[player.pk], at=at)
    return player


def _invitation(club: Club, name: str) -> Invitation:
    return Invitation.objects.select_related("mail").get(club=club, player__name=name)


def _joined(club: Club, people: People, name: str, *, at: datetime) -> Player:
    _invited(club, people, name, at=at)
    mail = _invitation(club, name).mail
    assert mail is not None  # noqa: S101 - it was just written
    token = resolve(outbox.context_of(mail)["path"]).kwargs["token"]
    people.users[name] = account(name)
    return joining.join(actor=people[name], token=token, at=at)
