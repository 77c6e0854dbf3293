"""Competitions as pages name and describe them: state, rounds, rules in plain words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.points.parsing import read_scheme
from engine.contest.standings.ranking import read_tie_breaks
from league import extension, policies
from league.actors import Reader
from league.fixtures.queries import current_round, divisions_of, rounds_of
from league.models import Club, Competition, Entry, Fixture, Stage
from league.querysets import CompetitionQuerySet
from league.results.queries import prizes
from league.standings import round_names
from league.standings.queries import worth_of_carried
from league.web.local_time import Moment
from league.web.wording import points_in_words, rules_in_words, tie_breaks_in_words

STATE_TONES = {"draft": "brass", "running": "green", "finished": "neutral"}
RUNNING = 8
STATE_ORDER = ("running", "draft", "finished")


@dataclass(frozen=True, slots=True)
class CompetitionLine:
    """A competition in a list."""

    name: str
    club: str
    url: str
    season: str
    state: str
    state_text: str
    tone: str
    entries: str
    decided: int
    fixtures: int
    is_for_members: bool

    @property
    def summary(self) -> str:
        """How large it is and how far."""
        if not self.fixtures:
            return _("%(pairs)s · fixtures not drawn yet") % {"pairs": self.entries}
        return _("%(pairs)s · %(decided)d of %(fixtures)d matches decided") % {
            "pairs": self.entries,
            "decided": self.decided,
            "fixtures": self.fixtures,
        }


@dataclass(frozen=True, slots=True)
class CompetitionHead:
    """What stands above every page of a competition."""

    state: str
    state_text: str
    tone: str
    pairs: int
    rounds: int
    current: int
    current_text: str
    current_closes: Moment | None
    format: str
    summary: str


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule: what it is about and what it says."""

    label: str
    text: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class RulesInWords:
    """The rules of a competition for people."""

    game: str
    game_url: str
    points: tuple[str, ...]
    tie_breaks: tuple[RuleLine, ...]
    options: tuple[RuleLine, ...]
    corrections: str
    typed_sheets: str
    promotion: tuple[str, ...]
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    table: str = ""
    """How many sit at a table, where that can be more than two sides."""


def of_club(club: Club, user: Reader) -> tuple[CompetitionLine, ...]:
    """The club's competitions that this visitor may know of, running ones first, then the newest."""
    found = Competition.objects.visible_to(user).filter(club=club)
    listed = sorted(_counted(found), key=lambda each: STATE_ORDER.index(each.state))
    return tuple(_line(each, club) for each in listed)


def running(user: Reader, *, game: str = "") -> tuple[CompetitionLine, ...]:
    """Competitions being played that this visitor may know of, the newest first; their clubs' come first.

    `game`: those in this game alone.
    """
    found = Competition.objects.visible_to(user).filter(state=Competition.State.RUNNING)
    if game:
        found = found.filter(game=game)
    own = policies.clubs_of(user)
    listed = _counted(found).select_related("club", "season").order_by("-starts_on", "name")[:RUNNING]
    return tuple(_line(each, each.club) for each in sorted(listed, key=lambda each: each.club_id not in own))


def head(competition: Competition, *, at: datetime) -> CompetitionHead:
    """State, size and round of a competition."""
    zone = competition.club.time_zone
    now = current_round(competition, at=at)
    pairs = Entry.objects.active().filter(competition=competition).count()
    rounds, number = len(rounds_of(competition)), now.number if now else 0
    text = _("Round %(number)d of %(count)d") % {"number": number, "count": rounds}
    return CompetitionHead(
        state=competition.state,
        state_text=competition.get_state_display(),
        tone=STATE_TONES[competition.state],
        pairs=pairs,
        rounds=rounds,
        current=number,
        current_text=str(round_names.of_round(now)) if now and competition.stage.is_bracket else text,
        current_closes=Moment(now.closes_at, zone) if now and now.closes_at >= at else None,
        format=competition.stage.format_in_words,
        summary=_summary(competition, pairs),
    )


def rules(competition: Competition) -> RulesInWords:
    """Points, tie-breaks, options of the game and the time for corrections, in plain words."""
    game = extension.game(competition.game)
    metrics = read_tie_breaks(competition.tie_breaks)
    return RulesInWords(
        game=str(game.name),
        game_url=extension.layer().rules_url(competition.game),
        points=tuple(points_in_words(read_scheme(competition.points))),
        tie_breaks=tuple(
            RuleLine(each["name"], each["description"])
            for each in tie_breaks_in_words(metric.key for metric in metrics)
        ),
        options=tuple(_options(rules_in_words(game, competition.rules), game)),
        parts=(
            *(
                (str(part.title), lines)
                for part in extension.layer().setup_parts
                if (lines := tuple(part.told(competition)))
            ),
            *([(_("Prizes"), told)] if (told := prizes.told(competition)) else []),
        ),
        corrections=_corrections(competition.correction_hours),
        typed_sheets=typed_sheets(competition),
        promotion=tuple(_promotion(competition)),
        table="" if game.is_for_two else game.table_in_words,
    )


def _counted(found: CompetitionQuerySet) -> QuerySet[Any]:
    of_competition = "division__stage__competition"
    return (
        found.with_stage()
        .select_related("season")
        .annotate(
            pairs=_many(Entry.objects.active(), "competition"),
            drawn=_many(Fixture.objects.exclude(status=Fixture.Status.VOID), of_competition),
            decided=_many(Fixture.objects.decided(), of_competition),
        )
    )


def _many(rows: QuerySet[Any], of_competition: str) -> Coalesce:
    """How many of these rows each competition has, counted for those alone that are shown."""
    own = rows.filter(**{of_competition: OuterRef("pk")}).order_by().values(of_competition)
    return Coalesce(Subquery(own.annotate(many=Count("pk")).values("many")), 0)


def _line(competition: Any, club: Club) -> CompetitionLine:
    competition.club = club
    return CompetitionLine(
        name=competition.name,
        club=club.name,
        url=competition.get_absolute_url(),
        season=competition.season.name,
        state=competition.state,
        state_text=competition.get_state_display(),
        tone=STATE_TONES[competition.state],
        entries=competition.entries_in_words(competition.pairs),
        decided=competition.decided,
        fixtures=competition.drawn,
        is_for_members=competition.visibility == Competition.Visibility.MEMBERS,
    )


def _summary(competition: Competition, pairs: int) -> str:
    """One sentence: "8 pairs, double round robin: everyone meets twice. Season 2026/27."."""
    return _("%(pairs)s, %(format)s. Season %(season)s.") % {
        "pairs": competition.entries_in_words(pairs),
        "format": competition.stage.format_in_words,
        "season": competition.season.name,
    }


def _options(described: Iterable[dict[str, Any]], game: extension.GamePort) -> Iterable[RuleLine]:
    helps = {option.name: str(option.help) for option in game.options}
    for option in described:
        yield RuleLine(option["label"], option["text"], helps.get(option["name"], ""))


def _corrections(hours: int) -> str:
    if not hours:
        return _(
            "A confirmed result is final at once. A director can still reopen the match and has "
            "to give a reason."
        )
    time = ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return _(
        "The sides can correct a confirmed result for %(time)s. After that, a director can "
        "still reopen the match and has to give a reason."
    ) % {"time": time}


def typed_sheets(competition: Competition) -> str:
    """When a scoresheet counts that an official typed from the paper."""
    way = Competition.TypedSheets(competition.typed_sheets)
    said = {
        way.AUTOMATIC: _(
            "When an official types in a scoresheet, it counts at once if no side has an account, because all of them "
            "signed the paper. Otherwise it counts when a side confirms it."
        ),
        way.SIGNED: _(
            "When an official types in a scoresheet, it counts at once, because all sides signed the paper."
        ),
        way.SECOND: _(
            "When an official types in a scoresheet, it counts once a second official has compared it."
        ),
        way.PAIRS: _("When an official types in a scoresheet, it counts once a side confirms it."),
        way.SILENCE: ngettext(
            "When an official types in a scoresheet, it counts once a side confirms it, or %(count)d day after all "
            "were told if nobody says anything.",
            "When an official types in a scoresheet, it counts once a side confirms it, or %(count)d days after all "
            "were told if nobody says anything.",
            competition.silence_days,
        )
        % {"count": competition.silence_days},
    }[way]
    own = _("An official’s own match needs another side or a neutral official.")
    return f"{said} {own}" if way not in {way.PAIRS, way.SECOND} else said


def _promotion(competition: Competition) -> Iterable[str]:
    for division in divisions_of(competition):
        count = division.promoted
        if count:
            text = ngettext(
                "%(division)s: first place means promotion.",
                "%(division)s: the top %(count)d are promoted.",
                count,
            )
            yield text % {"division": division.name, "count": count}
        count = division.relegated
        if count:
            text = ngettext(
                "%(division)s: last place means relegation.",
                "%(division)s: the bottom %(count)d are relegated.",
                count,
            )
            yield text % {"division": division.name, "count": count}


@dataclass(frozen=True, slots=True)
class Stages:
    """The stage before a competition, with what counts on of its points in words, and those after it."""

    before: Competition | None
    counts_on: str
    after: tuple[Competition, ...]


def stages(competition: Competition, user: Reader) -> Stages:
    """The stages around a competition that the reader may see (F1, F8)."""
    stage, before = competition.stage, None
    visible = Competition.objects.visible_to(user).select_related("club")
    if stage.after_id is not None:
        before = visible.filter(stages=stage.after_id).first()
    words = {Stage.CarryOver.HALF: _("Half of the points made there count on.")}
    words[Stage.CarryOver.ALL] = _("The points made there count on.")
    if stage.is_evening:
        words = {Stage.CarryOver.HALF: _("The boards played there count on, each as half a board.")}
        words[Stage.CarryOver.ALL] = _("The boards played there count on.")
    carries = stage.carry_over != Stage.CarryOver.NONE
    counts = before is not None and carries and (stage.is_evening or bool(worth_of_carried(stage)))
    said = words[Stage.CarryOver(stage.carry_over)] if counts else ""
    after = visible.filter(stages__after=stage).exclude(state=Competition.State.DRAFT)
    return Stages(before, said, tuple(after.order_by("starts_on", "pk")))
