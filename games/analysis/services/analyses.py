"""What the cards of confirmed matches could have made: asked for with the result, worked out by a worker.

The rows are the promise. A confirmed sheet gets its figures in the transaction that confirms it, and an analysis that
waits for each deal whose cards are known; the message to the worker is a hint, and a sweep finds what it left.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from engine import game
from engine.errors import RuleError
from engine.game import Game
from engine.game.capabilities import Signals
from games import board_cards, front, locks
from games.fixture_boards import boards_of
from games.models import (
    Analysis,
    Board,
    ConventionCard,
    FixtureBoard,
    Match,
    PlayedDeal,
    PlayedHand,
    PlayedSide,
    Scoresheet,
)
from games.proof import checks, vouches
from games.records import parsing as readings
from games.records.parsing import Reading
from league.background import announce, sweeps
from league.idempotency import canonical
from league.models import Fixture
from league.storage import board_keys

log = structlog.get_logger(__name__)

# So many are worked out by one run of the sweep; the next goes on.
MOST_AT_ONCE = 200
# A question may name a board instead of cards.
BOARD = "board"


def request(*, sheet: Scoresheet, reading: Reading) -> None:
    """Writes down what both pairs did by a sheet that now counts, and asks for the analyses of its deals.

    In the caller's transaction; a sheet that has its figures keeps them.
    """
    with transaction.atomic(savepoint=False):
        figures = PlayedSide.objects.filter(deal=OuterRef("pk"))
        deals = list(sheet.deals.annotate(has_figures=Exists(figures)))
        if any(deal.has_figures for deal in deals):
            return
        plays = plays_by_number(sheet.match.fixture)
        analyses = _waiting(game.get(sheet.match.game), deals, plays)
        sealed = {number for number, play in plays.items() if play.board.released_at is None}
        _write(sheet.match, deals, reading, analyses, sealed)
        if analyses:
            announce.after_commit("games.tasks.analyse", *sorted({each.pk for each in analyses.values()}))


def plays_by_number(fixture: Fixture) -> dict[int, FixtureBoard]:
    """The boards that the match played, by the numbers of its deals."""
    return {play.position: play for play in boards_of(fixture)}


def _waiting(
    offered: Game, deals: Iterable[PlayedDeal], plays: Mapping[int, FixtureBoard]
) -> dict[int, Analysis]:
    """The analysis of each deal whose cards are known, by the deal's number; made where nobody asked before."""
    questions = {
        deal.number: question for deal in deals if (question := asked(offered, deal, plays.get(deal.number)))
    }
    asked_for = ask(offered, questions.values())
    return {
        number: asked_for[digest]
        for number, question in questions.items()
        for digest in digests_of_question(offered, question)
        if digest in asked_for
    }


def ask(offered: Game, questions: Collection[Mapping[str, Any]]) -> dict[str, Analysis]:
    """The analyses of these questions by digest, ready or waiting; made where nobody asked before."""
    digests = [digests_of_question(offered, question) for question in questions]
    under_older_keys = by_digest(names[1:] for names in digests)
    Analysis.objects.bulk_create(
        (
            Analysis(game=offered.key, digest=names[0], dealer=question["dealer"], record=question)
            for names, question in sorted(zip(digests, questions, strict=True), key=lambda each: each[0])
            if under_older_keys.keys().isdisjoint(names)
        ),
        ignore_conflicts=True,
    )
    return by_digest(digests)


def by_digest(digests: Iterable[Collection[str]]) -> dict[str, Analysis]:
    """The analyses that bear one of these digests."""
    wanted = [digest for names in digests for digest in names]
    return {each.digest: each for each in Analysis.objects.filter(digest__in=wanted)}


def asked(offered: Game, deal: PlayedDeal, play: FixtureBoard | None = None) -> dict[str, Any] | None:
    """What would be analysed of this deal: its cards and its hands; None where not all cards are known.

    Where the sheet does not tell them, and fits the board that was played, the question names the board: sealed cards
    are stored nowhere.
    """
    question = question_of(offered, deal.record, deal.dealer)
    if question is None and offered.analysis and play is not None and play.fits and not play.version:
        return {"dealer": deal.dealer, "board": play.board_id, "hands": deal.record.get("hands", [])}
    return question


def question_of(offered: Game, record: Mapping[str, Any], dealer: str) -> dict[str, Any] | None:
    """What would be analysed by the record alone; None where it does not tell all cards."""
    if offered.analysis is None or offered.records is None:
        return None
    known = offered.records.known_deal(offered.records.read_record(dict(record), dealer))
    if known is None:
        return None
    return {"dealer": dealer, "deal": known, "hands": record.get("hands", [])}


def digests_of_question(offered: Game, question: Mapping[str, Any]) -> tuple[str, ...]:
    """Names the question: the same cards, dealer and hands of the same game; the newest key's name first.

    Nobody can try cards out on it without the key.
    """
    return board_keys.digests(canonical({"game": offered.key, **question}))


def _write(
    match: Match,
    deals: Iterable[PlayedDeal],
    reading: Reading,
    analyses: Mapping[int, Analysis],
    sealed: Collection[int],
) -> None:
    """The figures of both pairs in each deal; those of sealed boards encrypted, until their release."""
    sides = [
        PlayedSide(
            deal=deal,
            entry_id=facts.entry,
            side=facts.side,
            analysis=analyses.get(deal.number),
            sealed={"given_away": facts.given_away, "hands": facts.hands},
        )
        for deal in deals
        for facts in front.of(match.game).take_figures(match, deal, reading)
    ]
    hands = [hand for side in sides if side.deal.number not in sealed for hand in _opened(side)]
    PlayedSide.objects.bulk_create(sides)
    PlayedHand.objects.bulk_create(hands)


def released(*, boards: Collection[Board]) -> None:
    """What the pairs did with these boards may be added up now: in the transaction that releases them."""
    in_the_match = "deal__sheet__match__fixture__boards"
    sides = PlayedSide.objects.filter(
        **{f"{in_the_match}__board__in": boards},
        deal__number=F(f"{in_the_match}__position"),
        sealed__isnull=False,
    ).select_related("analysis")
    opened = list(sides)
    hands = [hand for side in opened for hand in _opened(side)]
    PlayedSide.objects.bulk_update(opened, ["given_away", "sealed"], batch_size=500)
    PlayedHand.objects.bulk_create(hands)


def _opened(side: PlayedSide) -> list[PlayedHand]:
    """The rows of a side's hands. Their costs follow where the analysis is still to be worked out."""
    hands = sealed_hands(side)
    if side.sealed is not None:
        side.given_away, side.sealed = side.sealed["given_away"], None
    return hands


def sealed_hands(side: PlayedSide) -> list[PlayedHand]:
    """The hands of a side whose board is sealed, as rows that are not stored; with their costs, if those are known."""
    if side.sealed is None:
        return []
    costs = costs_of(content_in(side.analysis)) if side.analysis else {}
    return [
        PlayedHand(played=side, number=number, value=value, points=points, cost=costs.get(number))
        for number, value, points in side.sealed["hands"]
    ]


def hands_of(deals: Collection[int]) -> list[PlayedHand]:
    """The hands of these deals, sealed or not. The caller has asked who may see them."""
    sides = PlayedSide.objects.filter(deal__in=deals, sealed__isnull=False).select_related("analysis")
    stored = PlayedHand.objects.filter(played__deal__in=deals).select_related("played")
    return [*stored, *(hand for side in sides for hand in sealed_hands(side))]


def compute(*, analysis_id: int, at: datetime) -> bool:
    """Works an analysis out, unless that is done, and gives every hand its cost; whether there was anything to do."""
    analysis = Analysis.objects.filter(pk=analysis_id).first()
    if analysis is None:
        return False
    offered = game.get(analysis.game)
    version = version_of(offered)
    is_new = analysis.version != version
    if is_new:
        # Without a lock: it may take seconds, and another worker would come to the same answer.
        analysis.content = content_of(offered, analysis)
        analysis.version, analysis.computed_at = version, at
    with transaction.atomic():
        if is_new:
            analysis.save(update_fields=["content", "version", "computed_at"])
        _write_costs(analysis)
    return _advise(offered, analysis) or is_new


def ask_expert(*, analysis: Analysis, cards: Mapping[str, list[int]]) -> None:
    """Asks what the best player would have done in place of each action. To ask twice is harmless.

    cards: by side the pair and the version of the convention card that was played.
    """
    with transaction.atomic():
        asked = Analysis.objects.filter(pk=analysis.pk)
        is_new = asked.exclude(advice_cards=cards).update(advice_cards=dict(cards), advice_version=0)
        asked.update(asks_expert=True)
        if is_new or analysis.advice_version != coach_version_of(game.get(analysis.game)):
            announce.after_commit("games.tasks.analyse", analysis.pk)


def _advise(offered: Game, analysis: Analysis) -> bool:
    """Lets the coach judge every action where somebody asks for that; whether there was anything to do.

    After the rest is stored, since it takes seconds.
    """
    version = coach_version_of(offered)
    if not analysis.asks_expert or analysis.advice_version == version:
        return False
    # Somebody may have asked by other cards meanwhile: the sweep, or their own message, finds that.
    asked = Analysis.objects.filter(pk=analysis.pk, advice_cards=analysis.advice_cards)
    asked.update(advice=advice_of(offered, analysis), advice_version=version)
    return True


def advice_of(offered: Game, analysis: Analysis) -> list[dict[str, Any]]:
    """What the coach says of each action, by what its seat saw; nothing where not all actions are written down."""
    if offered.coach is None or offered.records is None:
        return []
    record = offered.records.read_record(_with_cards(analysis), analysis.dealer)
    deal, tokens = offered.records.known_deal(record), offered.records.tokens_of(record)
    if deal is None or tokens is None:
        return []
    judged, signals = [], _signals_of(analysis)
    try:
        state = offered.start(deal, analysis.dealer, offered.read_options({}))
        for token in tokens:
            own = signals.get(offered.side_of(state.turn)) if state.turn else None
            judged.append(dict(offered.coach.judge(offered.view(state, state.turn), token, own)))
            state = state.apply(token)
    except RuleError as fault:
        log.error("advice_failed", analysis=analysis.pk, fault=fault.code)
        return []
    return judged


def _signals_of(analysis: Analysis) -> dict[str, Signals | None]:
    """By side the signals of the convention cards that were played."""
    return {
        side: ConventionCard.objects.get(lineup=pair, game=analysis.game, number=number).signals
        for side, (pair, number) in analysis.advice_cards.items()
    }


def content_of(offered: Game, analysis: Analysis) -> dict[str, Any]:
    """What the game's analysis says today; nothing where it fails, which must not be tried again and again."""
    if offered.analysis is None or offered.records is None:
        return {}
    record = offered.records.read_record(_with_cards(analysis), analysis.dealer)
    try:
        found = offered.analysis.analyse(record)
    except RuleError as fault:
        # Its words could name cards of a sealed board.
        log.error("analysis_failed", analysis=analysis.pk, fault=fault.code)
        return {}
    return dict(found.as_json()) if found else {}


def _with_cards(analysis: Analysis) -> dict[str, Any]:
    """The deal and its hands; the cards of a board are derived here, in memory."""
    if BOARD not in analysis.record:
        return dict(analysis.record)
    rest = {name: part for name, part in analysis.record.items() if name != BOARD}
    board = Board.objects.select_related("board_set").get(pk=analysis.record[BOARD])
    return {**rest, "deal": str(board_cards.cards_of(board.board_set)[board.pk])}


def content_in(analysis: Analysis) -> dict[str, Any]:
    """What the analysis says; nothing where there is nothing yet."""
    return dict(analysis.content or {})


def costs_of(content: Mapping[str, Any]) -> dict[int, int]:
    """The cost of each hand that has one, by its number from 1."""
    costs = content.get("costs", [])
    return {number: hand["cost"] for number, hand in enumerate(costs, start=1) if hand is not None}


def _write_costs(analysis: Analysis) -> None:
    costs = costs_of(content_in(analysis))
    hands = list(PlayedHand.objects.filter(played__analysis=analysis))
    changed = [hand for hand in hands if hand.cost != costs.get(hand.number)]
    for hand in changed:
        hand.cost = costs.get(hand.number)
    PlayedHand.objects.bulk_update(changed, ["cost"])


def compute_all(*, analysis_ids: Collection[int], at: datetime) -> int:
    """Works these analyses out; gives how many had to be. One that fails holds up no other."""
    return _worked_out(Analysis.objects.filter(pk__in=analysis_ids), at, is_all=False)


def _worked_out(rows: QuerySet[Analysis], at: datetime, *, is_all: bool = True) -> int:
    return sweeps.run(
        work="analysis",
        rows=rows.order_by("pk"),
        do=lambda key: compute(analysis_id=key, at=at),
        at=at,
        most=MOST_AT_ONCE,
        is_all=is_all,
    )


def sweep(*, at: datetime) -> int:
    """Heals what a lost message, or a new version of a game's analysis, left undone; gives how many were worked out."""
    for work, rows, do in (
        ("figures of a sheet", Scoresheet.objects.without_figures(), _take_down),
        ("boards of a sheet", checks.unchecked(), _check_boards),
    ):
        sweeps.run(work=work, rows=rows.order_by("pk"), do=do, at=at, most=MOST_AT_ONCE)
    coaches = {offered.key: coach_version_of(offered) for offered in game.all_games()}
    return _worked_out(Analysis.objects.stale(versions(), coaches), at)


@transaction.atomic
def _take_down(sheet_id: int) -> None:
    """Under the match's lock, as a confirmation: two sweeps at once take a sheet down once."""
    sheet = _locked(sheet_id)
    request(sheet=sheet, reading=reading_of(sheet.match, sheet))


@transaction.atomic
def _check_boards(sheet_id: int) -> None:
    """The cards are known by now: the sheet is held against them, and its deals are analysed."""
    sheet = _locked(sheet_id)
    fixture = sheet.match.fixture
    settled = vouches.settled(sheet)
    checks.check(fixture=fixture, reading=reading_of(sheet.match, sheet), settled=settled)
    offered = game.get(sheet.match.game)
    found = _waiting(offered, sheet.deals.all(), plays_by_number(fixture))
    for number, analysis in found.items():
        PlayedSide.objects.filter(deal__sheet=sheet, deal__number=number, analysis=None).update(
            analysis=analysis
        )
        _write_costs(analysis)


def _locked(sheet_id: int) -> Scoresheet:
    sheet = Scoresheet.objects.select_related("match__fixture").get(pk=sheet_id)
    sheet.match = locks.match(fixture=sheet.match.fixture)
    return sheet


def reading_of(match: Match, sheet: Scoresheet) -> Reading:
    """The sheet as it is read today."""
    return readings.read(fixture=match.fixture, content=sheet.content, options=match.options, is_stored=True)


def versions() -> dict[str, int]:
    """The version of each game's analysis."""
    return {offered.key: version_of(offered) for offered in game.all_games()}


def version_of(offered: Game) -> int:
    """The version of the game's analysis; 0 where it has none."""
    return offered.analysis.version if offered.analysis else 0


def coach_version_of(offered: Game) -> int:
    """The version of the game's coach; 0 where it has none."""
    return offered.coach.version if offered.coach else 0
