"""Grades: taken from a competition's facts by a worker, rated again from the earliest session touched (F138)."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from engine.contest.grades import VERSION, Grade, Grades
from games.grades import facts
from games.grades.facts import Rated
from games.models import (
    EventRanking,
    GradeBook,
    GradeSession,
    GradeSource,
    GradeStart,
    GradeStep,
    HiddenGrade,
)
from league import extension, locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.background import sweeps
from league.errors import Conflict, Invalid
from league.models import Club, Competition, Player, PlayerMerge
from league.words import sentences

#: A session's day and key: the order in which sessions are rated.
Place = tuple[date, int]
SPREADS = "0.5", "6"
MOST_GRADE = 99


def compute(*, competition_id: int, at: datetime) -> bool:
    """Takes the competition's rated sessions and rates again what they touch; whether anything was to be done.

    The version is read before the facts: a result that arrives in between makes the grades newer than their label.
    """
    competition = Competition.objects.with_stage().select_related("club").filter(pk=competition_id).first()
    if competition is None:
        return False
    with transaction.atomic():
        book = _locked_book(competition)
        version = facts.version_of(competition)
        touched = list(_write_sessions(book, competition, facts.of_competition(competition)))
        if touched:
            rate_again(book=book, since=min(touched))
        GradeSource.objects.update_or_create(
            competition=competition, defaults={"version": version, "computed_at": at}
        )
    return bool(touched)


def _locked_book(competition: Competition) -> GradeBook:
    book, _is_new = GradeBook.objects.get_or_create(
        club=competition.club, game=competition.game, defaults={"constants": VERSION}
    )
    return locks.one(GradeBook.objects.filter(pk=book.pk))


def _write_sessions(book: GradeBook, competition: Competition, fresh: Mapping[str, Rated]) -> Iterable[Place]:
    """Writes what differs from the rows; gives the places of all that was added, changed or taken away."""
    stored = {row.source: row for row in GradeSession.objects.filter(competition=competition)}
    for source, row in stored.items():
        rated = fresh.get(source)
        if rated is None or row.book_id != book.pk:
            yield row.day, row.pk
            row.delete()
        elif (rated.day, rated.content) != (row.day, row.content):
            yield min(rated.day, row.day), row.pk
            row.day, row.content = rated.day, rated.content
            row.save(update_fields=["day", "content"])
    for source, rated in fresh.items():
        if source not in stored or stored[source].book_id != book.pk:
            made = GradeSession.objects.create(
                book=book, competition=competition, source=source, day=rated.day, content=rated.content
            )
            yield made.day, made.pk


def rate_again(*, book: GradeBook, since: Place | None = None) -> int:
    """Rates all sessions of the book from this place on (without one: all of them); gives how many."""
    rows = list(_from(GradeSession.objects.filter(book=book), since).order_by("day", "pk"))
    grades = Grades({**facts.starts_of(book), **_before(rows, since)})
    GradeStep.objects.filter(session__in=[row.pk for row in rows]).delete()
    steps = [step for row in rows for step in _rated(row, grades)]
    GradeStep.objects.bulk_create(steps, batch_size=500)
    return len(rows)


def _from(rows: QuerySet[GradeSession], since: Place | None) -> QuerySet[GradeSession]:
    if since is None:
        return rows
    day, key = since
    return rows.filter(Q(day__gt=day) | Q(day=day, pk__gte=key))


def _before(rows: Iterable[GradeSession], since: Place | None) -> dict[str | int, Grade]:
    """What was believed of these sessions' players before that place."""
    if since is None:
        return {}
    players = {player for row in rows for player in facts.players_named(row.content)}
    day, key = since
    book = next(iter(rows)).book_id if rows else 0
    earlier = GradeStep.objects.filter(
        Q(day__lt=day) | Q(day=day, session__lt=key), player=OuterRef("pk"), session__book=book
    )
    newest = earlier.order_by("-day", "-session").values("pk")[:1]
    found = Player.objects.filter(pk__in=players).annotate(newest=Subquery(newest)).values("newest")
    return {
        step.player: Grade(step.grade, step.variance, step.day.toordinal(), step.boards)
        for step in GradeStep.objects.filter(pk__in=[row["newest"] for row in found if row["newest"]])
    }


def _rated(row: GradeSession, grades: Grades) -> Iterable[GradeStep]:
    before = {player: grades.beliefs.get(player, Grade()) for player in facts.players_named(row.content)}
    for player, moved in grades.rate(facts.session_of(row.pk, row.day, row.content)).items():
        belief = grades.beliefs[player]
        yield GradeStep(
            session=row,
            player=int(player),
            day=row.day,
            expected=moved.expected,
            surprise=moved.surprise,
            share=moved.share,
            before=before[int(player)].mean,
            grade=belief.mean,
            variance=belief.variance,
            boards=belief.boards,
        )


def stale() -> list[int]:
    """The competitions whose facts are newer than what was rated, by key; in four queries."""
    ranked = dict(
        EventRanking.objects.values_list("competition").annotate(newest=Max("results_version")).order_by()
    )
    merged = {
        club: f"{count}.{undone}"
        for club, count, undone in PlayerMerge.objects.values_list("kept__club")
        .annotate(count=Count("pk"), undone=Count("undone_at"))
        .order_by()
    }
    there = dict(GradeSource.objects.values_list("competition", "version"))
    rows = Competition.objects.exclude(state=Competition.State.DRAFT)
    return [
        key
        for key, club, version in rows.values_list("pk", "club", "results_version").order_by("pk")
        if there.get(key) != f"{version}.{ranked.get(key, 0)}.{merged.get(club, '0.0')}"
    ]


def sweep(*, at: datetime) -> int:
    """Rates what is new, and every book again that was rated otherwise; gives for how many there was anything."""
    books = GradeBook.objects.filter(pk__in=rated_otherwise()).order_by("pk")
    again = sweeps.run(work="grades of a game", rows=books, do=_from_the_beginning, at=at)
    rows = Competition.objects.filter(pk__in=stale()).order_by("starts_on", "pk")
    return again + sweeps.run(
        work="grades", rows=rows, do=lambda key: compute(competition_id=key, at=at), at=at
    )


def rated_otherwise() -> set[int]:
    """The books with other constants, or grades to begin with that were others then: also after a merger (F130)."""
    starts = facts.starts_versions()
    rows = GradeBook.objects.values_list("pk", "club", "game", "constants", "starts")
    return {
        key
        for key, club, game, constants, known in rows
        if constants != VERSION or known != starts.get((club, game), "")
    }


def _from_the_beginning(key: int) -> int:
    with transaction.atomic():
        book = locks.one(GradeBook.objects.filter(pk=key))
        book.constants, book.starts = VERSION, facts.starts_versions().get((book.club_id, book.game), "")
        book.save(update_fields=["constants", "starts"])
        return rate_again(book=book)


@transaction.atomic
def set_start(
    *, actor: Actor, player: Player, game: str, grade: Decimal, spread: Decimal, reason: str, at: datetime
) -> GradeStart:
    """A director says with which grade a player begins in a game, and why (F130). The worker rates all again."""
    player = locks.player(player.pk)
    policies.require(actor, "grade.state", player)
    why = validation.one_line(reason)
    if not why:
        raise Invalid(_("Please give a reason."))
    if game not in games_of(player.club):
        raise Invalid(_("Choose one of the club’s games."))
    least, most = (Decimal(each) for each in SPREADS)
    are_numbers = grade.is_finite() and spread.is_finite()
    if not (are_numbers and 0 <= grade <= MOST_GRADE and least <= spread <= most):
        raise Invalid(_("A grade is a percentage up to 99, its spread from 0.5 to 6."))
    day = at.astimezone(ZoneInfo(player.club.time_zone)).date()
    row = GradeStart(player=player, game=game, grade=grade, spread=spread, day=day, reason=why)
    row.made_by, row.made_at = person(actor), at
    validation.check(row)
    before = GradeStart.objects.filter(player=player, game=game).last()
    row.save()
    audit.record(
        actor=actor,
        action="grade.stated",
        summary=sentences.gettext("Starting grade: %(grade)s") % {"grade": str(grade)},
        player=player,
        before=_stated(before),
        after=_stated(row),
        reason=why,
    )
    return row


def _stated(row: GradeStart | None) -> dict[str, str] | None:
    return {"game": row.game, "grade": str(row.grade), "spread": str(row.spread)} if row else None


def games_of(club: Club) -> list[str]:
    """The games in which its players have grades, or will have."""
    known = extension.layer().games
    keys = club.competitions.order_by("game").values_list("game", flat=True).distinct()
    return [key for key in keys if key in known and known[key].is_for_two]


@transaction.atomic
def hide(*, actor: Actor, player: Player, is_hidden: bool, at: datetime) -> None:
    """The player hides the own grade from others, or shows it again (F142)."""
    player = locks.player(player.pk)
    policies.require(actor, "grade.hide", player)
    there = HiddenGrade.objects.filter(player=player)
    if there.exists() == is_hidden:
        raise Conflict(_("Nothing has changed: that is how it is already."))
    said = sentences.gettext("Grade shown again")
    if is_hidden:
        said = sentences.gettext("Grade hidden")
        HiddenGrade.objects.create(player=player, hidden_at=at)
    else:
        there.delete()
    audit.record(
        actor=actor, action="grade.hidden" if is_hidden else "grade.shown", summary=said, player=player
    )
