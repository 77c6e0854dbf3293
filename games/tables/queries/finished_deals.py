"""Deals that are over and may be studied: found for whom no seal keeps the cards from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.boards.files.pbn import write_pbn
from engine.boards.files.pbn_game import PbnGame
from engine.deals import Deal
from games import front
from games.analysis.services import analyses
from games.embargo import Sight, sees_sheets, sight
from games.fixture_boards import boards_of
from games.models import Analysis, FixtureBoard, Scoresheet, Table, TableDeal, TableSeat
from games.records.display import robot_hands
from games.records.parsing import match_of, options_of
from games.scoresheets.queries import versions
from games.seating import side_titles
from games.tables.queries.lists import title_of
from games.tables.queries.played import Played
from games.tables.services import analyses as table_analyses
from games.tables.services import results
from games.tables.state.cards import cards_of
from games.tables.state.carried import options_of_deal
from games.tables.state.facts import cards_in_force, cards_played, deal_facts
from games.tables.state.replays import replay_of
from games.tables.state.snapshot import CardPlayed
from league.actors import Visitor
from league.models import Fixture

Verdict = Scoresheet.Verdict


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A deal to step through, with what stands above it."""

    played: Played
    record: Any
    number: int
    board: FixtureBoard | None
    title: str
    name: str
    url: str
    has_analysis: bool
    costs: Mapping[int, int] = field(default_factory=dict)
    """By hand, from 1: the points that best play could have made more; only hands where that is known."""
    best: Any = None
    """Of a table without a match: what its cards could have made, once somebody asked."""
    may_ask: bool = False
    """Whether nobody has asked for it yet."""
    robots: tuple[str, ...] = ()
    """Where robots acted, in sentences."""
    analysis: Analysis | None = None
    """What the cards could have made, and what each action gave up, as it is stored."""

    @property
    def is_waiting(self) -> bool:
        """Whether something is being worked out that somebody has asked for."""
        found = self.analysis
        if found is None:
            return False
        offered = game.get(found.game)
        is_late = found.advice_version != analyses.coach_version_of(offered)
        return found.version != analyses.version_of(offered) or (self._is_expert_asked and is_late)

    @property
    def may_ask_expert(self) -> bool:
        """Whether nobody has asked yet what the best player would have done."""
        found = self.analysis
        return found is not None and not self._is_expert_asked and game.get(found.game).coach is not None

    @property
    def _is_expert_asked(self) -> bool:
        """By the convention cards that were played here: the same actions may have been done by others."""
        found = self.analysis
        return found is not None and found.asks_expert and found.advice_cards == self.played.card_versions

    @property
    def cards(self) -> list[tuple[str, CardPlayed]]:
        """The convention cards that were played, with the words for their sides."""
        titles = side_titles(self.played.game)
        return [(titles[side], card) for side, card in self.played.cards.items()]

    def as_pbn(self) -> bytes:
        """The deal as a PBN file, its play in supplemental sections."""
        number = self.board.board.number if self.board else self.number
        tags = {"Event": self.title}
        return write_pbn([PbnGame.of_record(number, self.record, Deal.parse(self.played.deal), tags)])


def deal_of_match(*, fixture: Fixture, visitor: Visitor, number: int) -> FinishedDeal | None:
    """A deal of the sheet that counts; None where its play was not written down, or is not for this visitor."""
    match = match_of(fixture)
    row = match.sheets.filter(verdict=Verdict.CONFIRMED).first() if match else None
    if match is None or row is None or not sees_sheets(visitor=visitor, fixture=fixture):
        return None
    play = next((each for each in boards_of(fixture) if each.position == number), None)
    if play is not None and sight(visitor=visitor, plays=[play])[play.pk] < Sight.OWN:
        return None
    dealt = row.deals.filter(number=number).first()
    if dealt is None:
        return None
    reading = versions.read(match, row)
    names = {seat: str(player) for seat, player in reading.seating.players.items()}
    played = _played(match.game, options_of(fixture), dealt.record, dealt.dealer, names)
    if played is None:
        return _of_its_table(row, visitor, number)
    hands = list(dealt.robot_hands.all())
    cards = cards_of_match(fixture, row, reading.seating.entries, number)
    played = replace(played, robots=robot_hands.stand_ins(hands, names, match.game), cards=cards)
    return FinishedDeal(
        played=played,
        record=_record(match.game, dealt.record, dealt.dealer),
        number=number,
        board=play,
        title=str(fixture),
        name=_("Board %(number)d") % {"number": play.board.number}
        if play
        else _("Deal %(number)d") % {"number": number},
        url=fixture.get_absolute_url(),
        has_analysis=True,
        robots=robot_hands.in_words(hands, names, match.game),
        costs={hand.number: hand.cost for hand in analyses.hands_of([dealt.pk]) if hand.cost is not None},
        analysis=Analysis.objects.filter(sides__deal=dealt).first(),
    )


def cards_of_match(
    fixture: Fixture, sheet: Scoresheet, sides: Iterable[str], number: int | None = None
) -> Mapping[str, CardPlayed]:
    """What the pairs' convention cards were when the deal was played: at the table, else on the match's day.

    Without a number, when the last deal was.
    """
    deal = None
    if not sheet.is_typed:
        deals = TableDeal.objects.filter(table__sheet=sheet)
        deal = deals.filter(number=number).first() if number else deals.order_by("number").last()
    begun = deal.started_at if deal is not None else fixture.starts_at or sheet.entered_at
    pairs = {side: entry.lineup_id for side, entry in zip(sides, fixture.entries, strict=True)}
    return cards_in_force(pairs, fixture.round.competition.game, at=begun)


def _of_its_table(sheet: Scoresheet, visitor: Visitor, number: int) -> FinishedDeal | None:
    """A sheet of totals does not tell the play; the table that it comes from does."""
    table = Table.objects.with_match().filter(sheet=sheet).first()
    return deal_of_table(table=table, visitor=visitor, number=number) if table else None


def replayable(row: Scoresheet) -> frozenset[int]:
    """The numbers of those deals of a sheet which say who did what."""
    match = row.match
    if game.get(match.game).records is None:
        deals = TableDeal.objects.filter(table__sheet=row, finished_at__isnull=False)
        return frozenset(deals.values_list("number", flat=True))
    return frozenset(
        deal.number for deal in row.deals.all() if _played(match.game, {}, deal.record, deal.dealer, {})
    )


def deal_of_table(*, table: Table, visitor: Visitor, number: int) -> FinishedDeal | None:
    """A deal that was played at a table; None while it is not over, or is not for this visitor."""
    told = replay_of(table, number, visitor=visitor)
    row = TableDeal.objects.filter(table=table, number=number).select_related("table").first()
    if told is None or row is None:
        return None
    played = _played(table.game, table.options, told["record"], row.dealer, _names(row)) or _of_log(row)
    hands = list(results.robot_hands(deal_facts(table, row, ())))
    stand_ins = robot_hands.stand_ins(hands, _players(row), table.game)
    played = replace(played, robots=stand_ins, cards=cards_played(table, row))
    analysis = table_analyses.analysis_of(row, told["record"])
    return FinishedDeal(
        played=played,
        robots=robot_hands.in_words(hands, _players(row), table.game) if table.fixture_id else (),
        record=_record(table.game, told["record"], row.dealer),
        number=number,
        board=None,
        title=title_of(table),
        name=_("Deal %(number)d") % {"number": number},
        url=table.get_absolute_url(),
        has_analysis=False,
        costs=analyses.costs_of(analyses.content_in(analysis)) if analysis else {},
        best=front.of(table.game).best_in(analysis) if analysis else None,
        analysis=analysis,
        may_ask=analysis is None and table_analyses.question_of(row, told["record"]) is not None,
    )


def _of_log(deal: TableDeal) -> Played:
    """The deal as its log has it."""
    fold = deal_facts(deal.table, deal, ()).fold
    tokens = tuple(line.token for line in fold.counting)
    options = options_of_deal(deal.table, deal.number, is_board=deal.board_id is not None)
    game_key, players = deal.table.game, deal.table.players
    return Played(game_key, options, cards_of(deal), deal.dealer, tokens, _names(deal), players)


def _names(deal: TableDeal) -> dict[str, str]:
    """Who held the seats when the deal ended, no matter who has sat down since."""
    held = TableSeat.objects.filter(table=deal.table_id, since__lte=deal.finished_at or deal.started_at)
    rows = held.select_related("user", "player", "guest").order_by("pk")
    return {
        row.seat: robot_hands.called(row.robot, deal.table.game) if row.robot else row.name for row in rows
    }


def _players(deal: TableDeal) -> dict[str, str]:
    """Whose seats they are, also where a robot acts: in a match its player's, else who held it as the deal began."""
    people = TableSeat.objects.filter(table=deal.table_id, robot="")
    held = people.filter(since__lte=deal.started_at).exclude(left_at__lt=deal.started_at)
    if deal.table.fixture_id:
        held = people.filter(player__isnull=False)
    return {row.seat: row.name for row in held.select_related("user", "player", "guest").order_by("pk")}


def _record(game_key: str, record: Mapping[str, Any], dealer: str) -> Any:
    records = game.get(game_key).records
    return records.read_record(dict(record), dealer) if records else None


def _played(
    game_key: str,
    options: Mapping[str, Any],
    record: Mapping[str, Any],
    dealer: str,
    names: Mapping[str, str],
) -> Played | None:
    """The deal with all its actions, where the cards of all four and everything that was done are written."""
    records = game.get(game_key).records
    if records is None:
        return None
    read = records.read_record(dict(record), dealer)
    deal, tokens = records.known_deal(read), records.tokens_of(read)
    if deal is None or tokens is None:
        return None
    return Played(game_key, options, deal, dealer, tokens, names)
