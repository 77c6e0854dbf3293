"""Grades as pages and programs show them: a player's with every step told, partners, a club's list, seeds."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.contest.grades import (
    AVERAGE,
    LARGEST_VARIANCE,
    PERCENT_AN_IMP,
    PROVISIONAL_SPREAD,
    Grade,
)
from games.grades import facts
from games.models import GradeStart, GradeStep, HiddenGrade
from league import extension, policies
from league.actors import Visitor
from league.models import Club, Competition, LineupMember, Player, User
from league.web.charts import Series, line_chart
from league.web.local_time import day_text
from league.web.number_format import MINUS
from league.words.public_names import FORMER

#: F139: after so long without a result nobody is listed.
LISTED_FOR = timedelta(days=730)
MOST_STEPS = 40
MOST_ON_CURVE = 60
FOUR_BEST = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A player's grade on a day: "52.3", with a question mark while it is provisional."""

    mean: float
    spread: float
    boards: int
    last_played: date

    @property
    def is_provisional(self) -> bool:
        """Whether it is too uncertain to be listed among the others."""
        return self.spread > PROVISIONAL_SPREAD

    @property
    def text(self) -> str:
        """With one decimal."""
        return figure(self.mean) + (" ?" if self.is_provisional else "")


@dataclass(frozen=True, slots=True)
class Told:
    """What one session moved, in words (F141)."""

    day: date
    competition: str
    url: str
    what: str
    share: str


@dataclass(frozen=True, slots=True)
class Together:
    """A partner: what the pair is expected to make in an average field, and what it made beyond that (F140)."""

    partner: str
    url: str
    expected: str
    beyond: str
    sessions: int
    takes_most: bool
    """Whether the partner, whose grade is less certain, takes most of a surprise (F141)."""


@dataclass(frozen=True, slots=True)
class OfGame:
    """All that is told of a player's grade in a game."""

    game: str
    name: str
    grade: Shown
    curve: SafeString | None
    steps: tuple[Told, ...]
    partners: tuple[Together, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of a club's list."""

    player: Player
    grade: Shown


@dataclass(frozen=True, slots=True)
class OfClub:
    """The grades of a club in one game: those that are certain enough, and the others apart."""

    game: str
    name: str
    established: tuple[Listed, ...]
    provisional: tuple[Listed, ...]


def figure(value: float, *, signed: bool = False) -> str:
    """One decimal, half away from 50 for a grade and from 0 for a difference (F138)."""
    middle = 0.0 if signed else AVERAGE
    tenths = int(abs(value - middle) * 10 + 0.5)
    size = middle * 10 + (tenths if value >= middle else -tenths)
    text = str(number_format(f"{abs(size) / 10:.1f}"))
    return (MINUS if size < 0 else "+" if signed and size > 0 else "") + text


def may_see(user: Visitor, player: Player) -> bool:
    """Whether this reader may see the player's grade: one that is hidden only the player and directors (F142)."""
    if policies.may(user, "player.see_private", player):
        return True
    return not HiddenGrade.objects.filter(player=player).exists()


def of_player(player: Player, user: Visitor, *, today: date) -> tuple[OfGame, ...]:
    """A player's grade in each game of the club."""
    steps = GradeStep.objects.filter(player=player.pk).select_related(
        "session__book", "session__competition__club"
    )
    by_game: dict[str, list[GradeStep]] = defaultdict(list)
    for step in steps.order_by("day", "session"):
        if step.session.book.club_id == player.club_id:
            by_game[step.session.book.game].append(step)
    is_me = isinstance(user, User) and player.user_id == user.pk
    return tuple(_of_game(player, game, found, today, is_me=is_me) for game, found in sorted(by_game.items()))


def starts_of(player: Player) -> list[tuple[str, GradeStart]]:
    """With which grades a director has the player begin, each with the name of its game."""
    rows = {row.game: row for row in player.grade_starts.order_by("pk")}
    known = extension.layer().games
    return [(str(known[game].name) if game in known else game, row) for game, row in sorted(rows.items())]


def _of_game(player: Player, game: str, steps: list[GradeStep], today: date, *, is_me: bool) -> OfGame:
    names = _names({key for step in steps for key in facts.players_named(step.session.content)})
    port = extension.layer().games.get(game)
    newest = [_told(player.pk, step, names, is_me=is_me) for step in reversed(steps[-MOST_STEPS:])]
    return OfGame(
        game,
        str(port.name) if port else game,
        _shown(steps[-1], today),
        _curve(steps[-MOST_ON_CURVE:]) if len(steps) > 1 else None,
        tuple(newest),
        tuple(_partners(player.pk, steps, names, today)),
    )


def _names(keys: Collection[int]) -> dict[int, Player]:
    return {player.pk: player for player in Player.objects.filter(pk__in=keys).select_related("club")}


def _shown(step: GradeStep, today: date) -> Shown:
    belief = Grade(step.grade, step.variance, step.day.toordinal(), step.boards)
    now = belief.on(max(today, step.day).toordinal())
    return Shown(now.mean, now.spread, now.boards, step.day)


def _curve(steps: list[GradeStep]) -> SafeString:
    values = tuple(round(step.grade, 1) for step in steps)
    days = [day_text(step.day, "j M") for step in steps]
    return line_chart(
        [Series(_("Grade"), values)], steps=days, title=_("Grade after each session"), of_what=_("Grade")
    )


def _told(player: int, step: GradeStep, names: Mapping[int, Player], *, is_me: bool) -> Told:
    """F141 in words: what was expected, what was made, and which share of the surprise moved the grade."""
    content, competition = step.session.content, step.session.competition
    own = next(side for side in _sides(content) if player in side)
    is_field = "pairs" in content
    unit = PERCENT_AN_IMP if "imps" in content else 1
    said = {
        "own": _("You") if is_me else str(names.get(player, "")),
        "partner": ", ".join(str(names[key]) for key in own if key != player and key in names),
        "others": ", ".join(
            str(names[key])
            for side in _sides(content)
            for key in side
            if not is_field and player not in side and key in names
        ),
        "expected": figure(step.expected / unit, signed=not is_field),
        "made": figure((step.expected + step.surprise) / unit, signed=not is_field),
    }
    what = _what(said, is_field=is_field, is_of_teams="imps" in content)
    moved = {
        "surprise": figure(step.surprise, signed=True),
        # With two figures that count, so that the product can be checked.
        "share": number_format(f"{step.share:.{2 if step.share >= 0.1 else 3}f}"),
        "moved": figure(step.share * step.surprise, signed=True),
        "grade": figure(step.grade),
    }
    share = _("Of the surprise of %(surprise)s the share is %(share)s: %(moved)s, to %(grade)s.") % moved
    if is_me:
        share = _("Of the surprise of %(surprise)s your share is %(share)s: %(moved)s, to %(grade)s.") % moved
    return Told(step.day, str(competition), competition.get_absolute_url(), what % said, share)


def _what(said: Mapping[str, str], *, is_field: bool, is_of_teams: bool) -> str:
    """What was expected of whom, and what was made, with places for the names and figures."""
    if is_field and said["partner"]:
        return _(
            "%(own)s and %(partner)s were expected to make %(expected)s%% in this field, and made %(made)s%%."
        )
    if is_field:
        return _("Expected in this field: %(expected)s%%; made: %(made)s%%.")
    if is_of_teams:
        return _(
            "In a team with %(partner)s, against %(others)s. IMPs a board expected: %(expected)s; made: %(made)s. "
            "Each of them counts 2.5."
        )
    if said["partner"]:
        return _(
            "%(own)s and %(partner)s were expected to make %(expected)s points a deal against %(others)s, "
            "and made %(made)s."
        )
    return _("Expected against %(others)s: %(expected)s points a deal; made: %(made)s.")


def _sides(content: Mapping[str, Any]) -> list[list[int]]:
    return [pair[0] for pair in content["pairs"]] if "pairs" in content else list(content["sides"])


def _partners(
    player: int, steps: Iterable[GradeStep], names: Mapping[int, Player], today: date
) -> Iterable[Together]:
    """With each partner: the mean of both grades (F140), and the surprises together weighted by boards.

    Team-mates are no partners: a team's match says nothing about two of its players.
    """
    sums: dict[int, list[tuple[float, int]]] = defaultdict(list)
    own = None
    for step in steps:
        own = _shown(step, today)
        if "imps" in step.session.content:
            continue
        boards = _boards(player, step.session.content)
        side = next(side for side in _sides(step.session.content) if player in side)
        for key in side:
            if key != player:
                sums[key].append((step.surprise, boards))
    grades = current(sums, game="", today=today, of=steps)
    for key, found in sorted(sums.items(), key=lambda each: (-len(each[1]), each[0])):
        if key not in names or key not in grades or own is None:
            continue
        weight = sum(boards for _surprise, boards in found) or 1
        beyond = sum(surprise * boards for surprise, boards in found) / weight
        partner = grades[key]
        yield Together(
            str(names[key]),
            names[key].get_absolute_url(),
            figure((own.mean + partner.mean) / 2),
            figure(beyond, signed=True),
            len(found),
            takes_most=partner.spread > own.spread * 1.4,
        )


def _boards(player: int, content: Mapping[str, Any]) -> int:
    if "pairs" not in content:
        return int(content["boards"])
    return next(int(pair[1]) for pair in content["pairs"] if player in pair[0])


def current(
    players: Iterable[int], *, game: str, today: date, of: Iterable[GradeStep] = ()
) -> dict[int, Shown]:
    """The grades of these players in a game (or in the game of these steps), by key. Two queries."""
    books = {step.session.book_id for step in of}
    own = GradeStep.objects.filter(player=OuterRef("pk"))
    own = own.filter(session__book__in=books) if books else own.filter(session__book__game=game)
    newest = own.order_by("-day", "-session").values("pk")[:1]
    rows = (
        Player.objects.filter(pk__in=list(players)).annotate(newest=Subquery(newest)).values("pk", "newest")
    )
    steps = {step.pk: step for step in _steps(row["newest"] for row in rows)}
    return {row["pk"]: _shown(steps[row["newest"]], today) for row in rows if row["newest"] in steps}


def _steps(keys: Iterable[int | None]) -> QuerySet[GradeStep]:
    return GradeStep.objects.filter(pk__in=[key for key in keys if key is not None])


def of_club(club: Club, *, today: date) -> tuple[OfClub, ...]:
    """The lists by game, without who hides the grade, was erased, or has not played for two years (F139, F142)."""
    hidden = HiddenGrade.objects.filter(player__club=club).values("player")
    players = list(club.players.present().exclude(pk__in=hidden).exclude(name=FORMER))
    by_key = {player.pk: player for player in players}
    books = club.grade_books.order_by("game")
    return tuple(_list(book.game, by_key, today) for book in books)


def _list(game: str, players: Mapping[int, Player], today: date) -> OfClub:
    port = extension.layer().games.get(game)
    found = [
        Listed(players[key], grade)
        for key, grade in current(players, game=game, today=today).items()
        if today - grade.last_played <= LISTED_FOR
    ]
    found.sort(key=lambda line: (-line.grade.mean, line.player.pk))
    return OfClub(
        game,
        str(port.name) if port else game,
        tuple(line for line in found if not line.grade.is_provisional),
        tuple(line for line in found if line.grade.is_provisional),
    )


def seeds(competition: Competition, *, today: date) -> dict[int, float]:
    """What each entry's players have together by their grades, by entry; who has none counts as new (F140).

    A team's is the mean of its four best.
    """
    means = {
        entry: sorted((grade.mean for grade in grades.values()), reverse=True)[:FOUR_BEST]
        for entry, grades in _of_entries(competition, today).items()
    }
    return {entry: sum(best) / len(best) for entry, best in means.items()}


def provisional(competition: Competition, *, today: date) -> frozenset[int]:
    """The entries of whose players every grade is provisional, and none is hidden (F151).

    A prize for these tells everybody that a grade is provisional, which is not to be told of a hidden one (F142).
    """
    hidden = set(
        HiddenGrade.objects.filter(player__club=competition.club_id).values_list("player", flat=True)
    )
    return frozenset(
        entry
        for entry, grades in _of_entries(competition, today).items()
        if all(grade.is_provisional for grade in grades.values()) and hidden.isdisjoint(grades)
    )


def _of_entries(competition: Competition, today: date) -> dict[int, dict[int, Shown]]:
    """The grades of each entry's players, by entry and player; who has none is new, or begins as a director said."""
    members = LineupMember.objects.filter(lineup__entries__competition=competition)
    of_entry: dict[int, list[int]] = defaultdict(list)
    for entry, player in members.values_list("lineup__entries__pk", "player_id"):
        of_entry[entry].append(player)
    wanted = {player for players in of_entry.values() for player in players}
    grades = current(wanted, game=competition.game, today=today)
    new = Shown(AVERAGE, sqrt(LARGEST_VARIANCE), 0, today)
    started = GradeStart.objects.filter(player__in=wanted - set(grades), game=competition.game)
    for row in started.order_by("pk"):
        belief = facts.stated_grade(row).on(max(today, row.day).toordinal())
        grades[row.player_id] = Shown(belief.mean, belief.spread, 0, row.day)
    return {
        entry: {player: grades.get(player, new) for player in players} for entry, players in of_entry.items()
    }
