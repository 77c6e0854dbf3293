"""A deal that somebody tries with robots, without an account.

No row tells of it: its state is a text that the browser keeps and only the server can read. What the browser is told
besides is the view of its own seat, built where that of every table is built.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.errors import RuleError
from engine.game import Game, State
from engine.thinking import call, decide
from games import front
from games.analysis.services import analyses
from games.front import Lesson, Practised
from games.models import Analysis, Table
from games.models.tables import TableTerms
from games.tables.services.play import MOST_ACTIONS_IN_A_ROW
from games.tables.state.log import Fold, Line, fold
from games.tables.state.reader import Reader
from games.tables.state.replays import reasons_of
from games.tables.state.seat_view import view_for
from games.tables.state.snapshot import DealFacts, Holder, Names, Played, TableSnapshot
from league.errors import Conflict, Invalid
from league.storage import encryption
from league.web.wording import in_words

#: A deal can be continued for so long after its last action.
LIFETIME_SECONDS: Final = 2 * 60 * 60
#: No state is longer: what is, was not made here.
LONGEST_STATE: Final = 20_000
#: When lessons are played: pages that are the same for everybody say no time of day.
LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
PURPOSE: Final = "learning deal"


@dataclass(frozen=True, slots=True, repr=False)
class LearningDeal:
    """A deal between a person at ``seat`` and robots of one kind. It holds every card: it has no text of its own."""

    deal: str
    dealer: str
    seat: str
    robot: str
    fold: Fold

    @property
    def offered(self) -> Game:
        return self.fold.offered

    @property
    def state(self) -> State:
        return self.fold.state


def begin(offered: Game, *, robot: str, rng: random.Random, at: datetime) -> LearningDeal:
    """A new deal; the person leads, if the choice of the dealer can bring that about."""
    seats = offered.seats()
    seat = seats[len(seats) // 2]
    options = _options(offered)
    for dealer in seats:
        deal = offered.deal(rng, dealer, options)
        begun = LearningDeal(deal, dealer, seat, robot, _fold(offered, deal, dealer, (), at))
        if begun.fold.turn == seat:
            return begun
    return begun


def at_position(offered: Game, lesson: Lesson, *, robot: str) -> LearningDeal:
    """The position of a lesson, which nobody plays on."""
    played = _fold(offered, lesson.deal, lesson.dealer, lesson.tokens, LONG_AGO)
    return LearningDeal(lesson.deal, lesson.dealer, lesson.seat, robot, played)


def _options(offered: Game) -> dict[str, Any]:
    return offered.read_options({})


def _fold(offered: Game, deal: str, dealer: str, tokens: tuple[str, ...], at: datetime) -> Fold:
    begun = fold(
        game_key=offered.key,
        deal=deal,
        dealer=dealer,
        options=_options(offered),
        started_at=at,
        lines=(),
    )
    for token in tokens:
        begun = _after(begun, token, at)
    return begun


def _after(begun: Fold, token: str, at: datetime) -> Fold:
    return begun.after(Line(begun.next_number, begun.turn or "", token, None, at))


def act(deal: LearningDeal, token: str, *, at: datetime) -> LearningDeal:
    """The deal after the person's action. Raises Conflict out of turn, Invalid with the rule's own code and words."""
    if deal.fold.turn != deal.seat:
        raise Conflict(_("It isn’t your turn."), code="not_your_turn")
    try:
        return replace(deal, fold=_after(deal.fold, token, at))
    except RuleError as error:
        raise Invalid(in_words(error.message), code=error.code) from error


def let_robots_act(deal: LearningDeal, *, at: datetime) -> LearningDeal:
    """The deal once it is the person's turn again, or over. Each robot decides by the view of its seat alone."""
    played = deal.fold
    for _action in range(MOST_ACTIONS_IN_A_ROW):
        if played.turn is None or played.turn == deal.seat:
            break
        view = deal.offered.view(played.state, played.turn)
        played = _after(played, call(decide, deal.offered.key, view, deal.robot), at)
    return replace(deal, fold=played)


# The text that the browser keeps


def sealed(deal: LearningDeal) -> str:
    """The deal as a text that nobody but the server can read. Its length tells nothing of cards that are hidden."""
    content = {
        "game": deal.fold.game,
        "deal": deal.deal,
        "dealer": deal.dealer,
        "seat": deal.seat,
        "robot": deal.robot,
        "tokens": [line.token for line in deal.fold.counting],
    }
    return encryption.encrypt(json.dumps(content), purpose=PURPOSE)


def opened(text: str, offered: Game, *, at: datetime) -> LearningDeal:
    """The deal of that text, in this game; an older one of the same deal takes back what was done since.

    Raises Invalid where the text is none of ours, was changed, is too old, or belongs to another game.
    """
    try:
        if len(text) > LONGEST_STATE:
            raise encryption.Undecipherable
        content = json.loads(encryption.decrypt(text, purpose=PURPOSE, within_seconds=LIFETIME_SECONDS))
    except encryption.Expired:
        raise Invalid(
            _("This deal is more than two hours old. Please start a new one."), code="expired"
        ) from None
    except encryption.Undecipherable:
        raise _unreadable() from None
    if content["game"] != offered.key:
        raise _unreadable()
    try:
        begun = _fold(offered, content["deal"], content["dealer"], tuple(content["tokens"]), at)
    except RuleError:
        # The rules were mended since.
        raise _unreadable() from None
    return LearningDeal(content["deal"], content["dealer"], content["seat"], content["robot"], begun)


def _unreadable() -> Invalid:
    return Invalid(_("We can’t continue this deal. Please start a new one."), code="unreadable")


# What the seat is told


def told(
    deal: LearningDeal, *, at: datetime, before: LearningDeal | None = None, is_lesson: bool = False
) -> dict[str, Any]:
    """The table as the person at it sees it, in the form that docs/tables.md describes.

    before: the deal as it was told last; then with the steps since. In a lesson nothing is taken back, and nobody says
    what the hand can become.
    """
    facts = _facts(deal, at, helps=not is_lesson)
    since = (facts.deal_number, before.fold.next_number) if before else None
    view = view_for(facts=facts, reader=Reader(seat=deal.seat), at=at, since=since)
    has_acted = any(line.seat == deal.seat for line in deal.fold.counting)
    return {
        **view,
        # There is nobody to be asked: what can be done at a table with others is left out.
        "you": {**view["you"], "may": ["take_back"] if has_acted and not is_lesson else []},
        # One deal is no match until it is over.
        "match": view["match"] if deal.state.is_over else None,
        "deal": {**view["deal"], "of": None},
    }


def reasons(deal: LearningDeal, seat: str, *, at: datetime) -> list[str]:
    """Why the robot at that seat did what it did last. Raises NotAllowed for any but the person's partner."""
    return reasons_of(_facts(deal, at, helps=True), Reader(seat=deal.seat), seat)


def outcome(deal: LearningDeal) -> list[str]:
    """How the person's side did in a deal that is over, beside the best, in sentences; nothing where the game doesn't
    say. Raises Conflict before the end: it tells of all cards."""
    if not deal.state.is_over:
        raise Conflict(_("The deal isn’t over yet."), code="not_over")
    offered, score = deal.offered, dict(deal.state.score().as_json())
    question = analyses.question_of(offered, offered.record_of(deal.state), deal.dealer)
    if question is None:
        return []
    worked_out = Analysis(game=offered.key, dealer=deal.dealer, record=question)
    worked_out.content = analyses.content_of(offered, worked_out)
    worked_out.version = analyses.version_of(offered)
    own = front.of(offered.key)
    return [*_of_the_best(own.practised(worked_out, score, deal.seat)), *_par(deal, own.best_in(worked_out))]


def _of_the_best(study: Practised | None) -> Iterator[str]:
    if study is None or not study.best:
        return
    yield _("You two made %(made)d of the %(best)d points that your cards could make: %(percent)d%%.") % {
        "made": study.made,
        "best": study.best,
        "percent": round(Fraction(100 * study.made, study.best)),
    }
    if study.given_away:
        yield ngettext(
            "Your play gave the others %(points)d point.",
            "Your play gave the others %(points)d points.",
            study.given_away,
        ) % {"points": study.given_away}


def _par(deal: LearningDeal, best: Any) -> Iterator[str]:
    if best is not None and best.par is not None:
        side = deal.offered.side_of(deal.seat)
        other = next(points for key, points in best.par.items() if key != side)
        yield _(
            "Par from your seat is %(one)s : %(other)s: what both sides would make with all cards open."
        ) % {"one": best.par[side], "other": other}


def _facts(deal: LearningDeal, at: datetime, *, helps: bool) -> TableSnapshot:
    is_over = deal.state.is_over
    terms = {field.name: field.default for field in TableTerms._meta.fields}
    score = deal.state.score().as_json() if is_over else None
    return TableSnapshot(
        table=0,
        opened_at=at,
        version=len(deal.fold.counting) + 1,
        kind=Table.Kind.PRACTICE,
        game=deal.fold.game,
        options=_options(deal.offered),
        state=Table.State.FINISHED if is_over else Table.State.PLAYING,
        fixture=None,
        names=Names(""),
        terms={**terms, "clock_seconds": 0, "helps": helps, "robots": False},
        deal_number=1,
        opened_by=0,
        seats={seat: _holder(deal, seat) for seat in deal.offered.seats()},
        expected={},
        deal=DealFacts(
            row=0,
            number=1,
            dealer=deal.dealer,
            board=None,
            board_number=None,
            is_sealed=False,
            started_at=at,
            finished_at=at if is_over else None,
            extra_seconds=0,
            fold=deal.fold,
        ),
        played=() if score is None else (Played(1, deal.dealer, None, score, at),),
        requests=(),
        sheet=None,
        fault="",
    )


def _holder(deal: LearningDeal, seat: str) -> Holder:
    is_own = seat == deal.seat
    return Holder(
        seat, 0 if is_own else None, None, _("You") if is_own else "", "" if is_own else deal.robot, 1, "", 0
    )
