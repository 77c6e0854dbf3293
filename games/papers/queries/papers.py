"""The page of papers: what can be printed for a competition, and what was asked for already."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import policies as games_policies
from games.models import BoardSet, Duplicate, Paper
from games.options import has_board_files
from games.papers.kinds import KINDS, Asks, Kind, Stage
from games.papers.orders import set_titles
from games.papers.services import papers as making
from league import policies
from league.actors import Reader
from league.models import Competition, Round, SeasonEnd
from league.standings import round_names
from league.web.local_time import Moment, moment

State = Paper.State
TONES = {State.WAITING: "neutral", State.WORKING: "neutral", State.READY: "green", State.FAILED: "red"}
STAGES: dict[Stage, Promise] = {
    Stage.BEFORE: gettext_lazy("Before"),
    Stage.DURING: gettext_lazy("During"),
    Stage.AFTER: gettext_lazy("After"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose: its key and what it is called."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind that can be asked for here."""

    key: str
    title: str
    about: str
    asks: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The offers of a stage."""

    title: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class ShownPaper:
    """A paper that was asked for."""

    key: int
    title: str
    about: str
    state: str
    state_text: str
    tone: str
    done: int
    pages: int
    failure: str
    asked_by: str
    asked: Moment
    until: Moment | None
    is_sealed: bool
    may_take: bool

    @property
    def is_under_way(self) -> bool:
        return self.state in {State.WAITING, State.WORKING}

    @property
    def is_ready(self) -> bool:
        return self.state == State.READY

    @property
    def is_failed(self) -> bool:
        return self.state == State.FAILED


@dataclass(frozen=True, slots=True)
class PapersPage:
    """Everything that the page offers. `dealing` draws cards out; `why_not_dealing` says why it is not offered."""

    groups: tuple[Group, ...]
    dealing: tuple[Offer, ...]
    sealed_sets: tuple[Choice, ...]
    why_not_dealing: str


def papers_page(competition: Competition, visitor: Reader) -> PapersPage:
    """What this person can ask for, grouped by when it is wanted."""
    sets = list(
        BoardSet.objects.filter(competition=competition, discarded_at=None)
        .select_related("round")
        .order_by("round__number", "pk")
    )
    rounds = list(competition.stage.rounds.order_by("number"))
    is_duplicate = Duplicate.objects.filter(competition=competition).exists()
    names, titles = round_names.of_rounds(rounds), set_titles(competition, sets)
    choices = [Choice(str(each.pk), names[each.pk]) for each in rounds]
    offered = [kind for kind in KINDS.values() if _is_for(kind, competition, sets, rounds)]
    groups = (
        Group(
            str(title),
            tuple(_offer(kind, choices) for kind in offered if kind.stage == stage and not kind.draws),
        )
        for stage, title in STAGES.items()
    )
    return PapersPage(
        groups=tuple(group for group in groups if group.offers),
        dealing=tuple(_offer(kind, choices) for kind in offered if kind.draws),
        sealed_sets=tuple(Choice(str(each.pk), titles[each.pk]) for each in reversed(sets)),
        why_not_dealing=_why_not(competition, visitor, sets) if is_duplicate else "",
    )


def _is_for(kind: Kind, competition: Competition, sets: list[BoardSet], rounds: list[Round]) -> bool:
    ended = SeasonEnd.objects.filter(competition=competition, closed_at__isnull=False)
    is_unfit = (
        (kind.needs_boards and not sets)
        or (kind.needs_files and not has_board_files(competition.game))
        or (kind.needs_rounds and not rounds)
        or not kind.suits(competition)
        or (kind.needs_end and not ended.exists())
    )
    return not is_unfit


def _offer(kind: Kind, rounds: list[Choice]) -> Offer:
    choices: tuple[Choice, ...] = ()
    if kind.asks == Asks.ROUND:
        is_of_one = kind.needs_drawn or kind.needs_tables
        every = Choice("", _("the round drawn last") if is_of_one else _("all rounds"))
        choices = (every, *rounds) if len(rounds) > 1 else tuple(rounds)
    if kind.asks == Asks.PLACES:
        choices = tuple(Choice(str(number), _places(number)) for number in making.PLACES)
    return Offer(kind.key, str(kind.title), str(kind.about), kind.asks.value, choices)


def _places(number: int) -> str:
    if number == making.EVERYBODY:
        return _("everybody")
    return ngettext("the first place", "the first %(count)d places", number) % {"count": number}


def _why_not(competition: Competition, visitor: Reader, sets: list[BoardSet]) -> str:
    """Why this person cannot take cards out, in words; empty where it is possible."""
    if not sets:
        return _("There are no boards yet. Please create them on the boards page.")
    if not policies.director(visitor, competition):
        return _("Only a director can download the cards of sealed boards.")
    if not games_policies.may_take_cards(visitor, competition):
        return _("You’re playing in this competition. Another director has to download the cards.")
    return ""


def listed(competition: Competition, visitor: Reader) -> tuple[ShownPaper, ...]:
    """The papers that were asked for, the newest first; their content is not read."""
    found = Paper.objects.filter(competition=competition).defer("content").select_related("asked_by")
    return tuple(_shown(competition, visitor, list(found)))


def _shown(competition: Competition, visitor: Reader, found: list[Paper]) -> Iterator[ShownPaper]:
    sets = BoardSet.objects.filter(competition=competition).select_related("round")
    titles = set_titles(competition, sets)
    rounds = round_names.of_rounds(competition.stage.rounds.all())
    for paper in found:
        paper.competition = competition
        kind = KINDS.get(paper.kind)
        yield ShownPaper(
            key=paper.pk,
            title=str(kind.title) if kind else paper.kind,
            about=_about(paper, titles, rounds),
            state=paper.state,
            state_text=paper.get_state_display(),
            tone=TONES[State(paper.state)],
            done=paper.done,
            pages=paper.pages,
            failure=paper.failure,
            asked_by=str(paper.asked_by),
            asked=Moment(paper.asked_at, competition.club.time_zone),
            until=_until(paper, competition),
            is_sealed=bool(paper.parameters.get("sealed")),
            may_take=policies.may(visitor, "paper.take", paper),
        )


def _about(paper: Paper, sets: dict[int, str], rounds: dict[int, str]) -> str:
    of_set = sets.get(paper.parameters.get("set") or 0, "")
    of_round = rounds.get(paper.parameters.get("round") or 0, "")
    places = paper.parameters.get("places") or 0
    if places:
        return _places(places)
    return of_set or of_round


def _until(paper: Paper, competition: Competition) -> Moment | None:
    at: datetime | None = paper.ready_at + making.KEPT if paper.ready_at else None
    return moment(at, competition.club.time_zone)
