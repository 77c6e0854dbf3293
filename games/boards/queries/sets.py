"""Sets of boards as their pages show them: what is published of a set, and what a director does with it."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from engine import game
from engine.boards.sealing import DelayedKind
from games import embargo
from games.models import Board, BoardDraw, BoardSet, FixtureBoard
from games.options import has_board_files
from league.errors import Conflict
from league.models import AuditEntry, Competition, Fixture, Round
from league.querysets import sides_with_pairs
from league.standings import round_names
from league.words import sentences

Status = Fixture.Status
EXPECTED = ~Q(plays__fixture__status__in=[Status.VOID, Status.WALKOVER])
PLAYED = Q(plays__fixture__status=Status.CONFIRMED)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board of a set: how far it is, and its cards from the release on."""

    board: Board
    state: str
    tone: str
    expected: int
    played: int
    versions: int

    @property
    def url(self) -> str:
        """Its page; "" for a board that another one stands for."""
        return "" if self.state == "replaced" else self.board.get_absolute_url()

    @property
    def dealer(self) -> str:
        """Who deals it, in words."""
        return _(game.get(self.board.board_set.competition.game).title(self.board.dealer))

    @property
    def label(self) -> str:
        """The state in words."""
        return {
            "open": _("open"),
            "sealed": _("sealed"),
            "spare": _("in reserve"),
            "replaced": _("replaced by a reserve board"),
        }[self.state]


@dataclass(frozen=True, slots=True)
class Delayed:
    """The delayed information in words."""

    kind: str
    source: str
    on: date | None
    value: str

    @property
    def is_agreed(self) -> bool:
        """Whether it was known from the beginning."""
        return self.on is None


@dataclass(frozen=True, slots=True)
class SetPage:
    """What everybody may know of a set."""

    board_set: BoardSet
    title: str
    delayed: Delayed | None
    boards: tuple[BoardLine, ...]
    draws: tuple[BoardDraw, ...]
    drawn_by_players: frozenset[int]
    """Who of those that took cards out plays in the event, by account: also who joined it afterwards."""
    maker_plays: bool
    discarded_because: str
    openings: tuple["Opening", ...]

    @property
    def last_number(self) -> int:
        """The number of the last board that is no reserve board."""
        return self.board_set.first_number + self.board_set.count - 1

    @property
    def is_waiting_for_value(self) -> bool:
        """Whether the cards do not even exist yet."""
        return self.delayed is not None and not self.delayed.value

    @property
    def open_boards(self) -> int:
        """How many boards are public."""
        return sum(line.state == "open" for line in self.boards)


@dataclass(frozen=True, slots=True)
class Opening:
    """When boards were made public, by whom and why."""

    at: datetime
    who: str
    what: str
    why: str


def set_page(board_set: BoardSet) -> SetPage:
    """The page of a set, whose competition and round were read with it; seven queries."""
    draws = tuple(board_set.draws.all())
    return SetPage(
        board_set=board_set,
        title=str(named(board_set)),
        delayed=delayed_of(board_set),
        boards=lines_of(board_set),
        draws=draws,
        drawn_by_players=embargo.players_among(
            {draw.drawn_by_id for draw in draws if draw.drawn_by_id is not None}, board_set.competition
        ),
        maker_plays=embargo.plays_in_event(board_set.made_by, board_set.competition)
        if board_set.made_by
        else False,
        discarded_because=_reason(board_set, "boards.discarded") if board_set.discarded_at else "",
        openings=_openings(board_set),
    )


def named(board_set: BoardSet) -> sentences.Sentence:
    """ "Round 3, boards 1 to 4", also for what is kept."""
    names = {"first": board_set.first_number, "last": board_set.first_number + board_set.count - 1}
    if board_set.round is None:
        return sentences.gettext("Boards %(first)d to %(last)d") % names
    name = round_names.of_round(Round(stage=board_set.competition.stage, number=board_set.round.number))
    return sentences.gettext("%(round)s, boards %(first)d to %(last)d") % {**names, "round": name}


def names_of_rounds(competition: Competition, sets: Collection[BoardSet]) -> dict[int, str]:
    """What the rounds are called that the sets are for, by the key of the set; empty for a whole evening."""
    names = round_names.of_numbers(competition.stage, {each.round.number for each in sets if each.round})
    return {each.pk: names[each.round.number] if each.round else "" for each in sets}


def delayed_of(board_set: BoardSet) -> Delayed | None:
    """What was mixed into the deals; None for boards from a file."""
    held = board_set.delayed
    if not held:
        return None
    day = date.fromisoformat(held["on"]) if held["on"] else None
    return Delayed(_(DelayedKind(held["kind"]).label), held["source"], day, held["value"] or "")


def lines_of(board_set: BoardSet) -> tuple[BoardLine, ...]:
    """The boards in the order of their numbers, reserve boards that nobody plays last."""
    boards = board_set.boards.annotate(
        expected=Count("plays", filter=EXPECTED),
        played=Count("plays", filter=PLAYED),
        fouled=Count("plays", filter=~Q(plays__version="")),
    ).select_related("replaced_by")
    lines = [_line(board) for board in boards]
    return tuple(sorted(lines, key=lambda line: (line.state == "spare", line.board.number, line.board.pk)))


def _line(board: Any) -> BoardLine:
    state, tone = "sealed", "brass"
    if board.released_at is not None:
        state, tone = "open", "green"
    if board.purpose == Board.Purpose.RESERVE and board.stands_for_id is None:
        state, tone = ("spare", "neutral") if state == "sealed" else (state, tone)
    if getattr(board, "replaced_by", None) is not None:
        state, tone = "replaced", "neutral"
    return BoardLine(board, state, tone, board.expected, board.played, board.fouled)


def _trail(board_set: BoardSet, *actions: str) -> list[AuditEntry]:
    acts = AuditEntry.objects.filter(competition=board_set.competition_id, action__in=actions).order_by("pk")
    return [each for each in acts if each.after and each.after.get("board_set") == board_set.pk]


def _reason(board_set: BoardSet, action: str) -> str:
    found = _trail(board_set, action)
    return found[-1].reason if found else ""


def _openings(board_set: BoardSet) -> tuple[Opening, ...]:
    found = _trail(board_set, "boards.released", "boards.opened")
    return tuple(Opening(each.at, each.actor_name, each.told, each.reason) for each in found)


# A director's list


@dataclass(frozen=True, slots=True)
class Place:
    """Where a set belongs: a round, or the whole evening."""

    round: Round | None
    sets: tuple[BoardSet, ...]
    title: str

    @property
    def current(self) -> BoardSet | None:
        """The set that is played; None where one is still to be made."""
        return next((each for each in self.sets if each.discarded_at is None), None)

    @property
    def discarded(self) -> tuple[BoardSet, ...]:
        """Those that another took the place of."""
        return tuple(each for each in self.sets if each.discarded_at is not None)

    @property
    def query(self) -> str:
        """What names the place in an address."""
        return f"?round={self.round.number}" if self.round else ""


def places(competition: Competition) -> tuple[Place, ...]:
    """Every round of a league, or the one place of an evening, with its sets; two queries."""
    sets: dict[int | None, list[BoardSet]] = {}
    for each in competition.board_sets.select_related("round", "made_by").order_by("pk"):
        each.competition = competition
        sets.setdefault(each.round_id, []).append(each)
    if competition.stage.is_evening:
        return (Place(None, tuple(sets.get(None, ())), str(competition)),)
    rounds = list(competition.stage.rounds.order_by("number"))
    names = round_names.of_rounds(rounds)
    return tuple(Place(each, tuple(sets.get(each.pk, ())), names[each.pk]) for each in rounds)


def next_round(competition: Competition) -> Round:
    """The first round of a league that has no boards yet. Raises Conflict where all have."""
    missing = next((each for each in places(competition) if each.current is None), None)
    if missing is None or missing.round is None:
        raise Conflict(_("Every round already has its boards."))
    return missing.round


def in_play(board_set: BoardSet) -> QuerySet[Board]:
    """The boards that tables play: neither replaced by a reserve board, nor such a board in reserve."""
    spare = Q(purpose=Board.Purpose.RESERVE, stands_for=None)
    found: QuerySet[Board] = board_set.boards.filter(replaced_by=None).exclude(spare).order_by("number")
    return found


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table that plays or played a board."""

    play: FixtureBoard
    round_name: str

    @property
    def where(self) -> str:
        """Its round and table, as far as they have names."""
        names = {"round": self.round_name, "table": self.play.fixture.table}
        return _("%(round)s, table %(table)s") % names if names["table"] else self.round_name


def tables_of(board: Board) -> tuple[TableLine, ...]:
    """All tables of a board; two queries, and those for the names of a knock-out's rounds."""
    plays = FixtureBoard.objects.filter(board=board).select_related(
        "fixture__round__stage__competition__club"
    )
    plays = plays.prefetch_related(*sides_with_pairs("fixture__"))
    found = list(plays.order_by("fixture__round__number", "fixture__table", "pk"))
    names = round_names.of_fixtures([each.fixture for each in found])
    return tuple(TableLine(each, names[each.fixture_id]) for each in found)


def commands_of(page: SetPage) -> Mapping[str, str]:
    """What to type to check a released set on your own computer: by what it shows."""
    board_set = page.board_set
    if board_set.origin == BoardSet.Origin.IMPORTED:
        return {"commitment": "sha256sum boards.txt"}
    value = page.delayed.value if page.delayed else ""
    arguments = f"--value {_quoted(value)} --first {board_set.first_number}"
    given = f'{{"session_key": "{board_set.opened}"}}'
    commitment = f"printf %s {_quoted(board_set.opened)} | sha256sum"
    if not has_board_files(board_set.competition.game):
        return {"commitment": commitment}
    return {
        "commitment": commitment,
        "deals": f"echo {_quoted(given)} | python -m engine sealed-deals - {arguments} --boards {board_set.count}",
        "verify": f"python -m engine verify-seal boards.pbn --key {_quoted(board_set.opened)} {arguments} "
        f"--commitment {board_set.commitment}",
        "program": PROGRAM.format(
            key=board_set.opened,
            value=json.dumps(value),
            first=board_set.first_number,
            count=board_set.count,
        ),
    }


def _quoted(text: str) -> str:
    """The text as a shell takes it, whatever stands in it."""
    return "'" + text.replace("'", "'\\''") + "'"


#: The steps of the check page as a program of its own, which needs nothing of this site. It prints PBN.
PROGRAM = """\
from base64 import b64encode
from hashlib import new
from math import comb

KEY = "{key}"
VALUE = {value}
FIRST, COUNT, PURPOSE = {first}, {count}, "original"

def rmd(data):
    return new("ripemd160", data).digest()

def hand(rank, cards):
    taken, wanted = [], 13
    for place, card in enumerate(cards):
        if wanted == 0:
            break
        with_it = comb(len(cards) - place - 1, wanted - 1)
        if rank < with_it:
            taken.append(card)
            wanted -= 1
        else:
            rank -= with_it
    return taken

def shown(cards):
    return ".".join("".join(card[0] for card in cards if card[1] == suit) for suit in "SHDC")

left, right = KEY[:30].encode(), KEY[30:].encode()
seed = rmd(right + b64encode(VALUE.encode()) + PURPOSE.encode()) + rmd(left)
south, east = comb(26, 13), comb(39, 13)
board, s = FIRST, 0
while board < FIRST + COUNT:
    s += 1
    n = int.from_bytes(rmd(s.to_bytes(4, "little") + seed)[:12], "big")
    if n >= comb(52, 13) * east * south:
        continue
    cards = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    hands = []
    for rank in (n // south // east, n // south % east, n % south):
        hands.append(hand(rank, cards))
        cards = [card for card in cards if card not in hands[-1]]
    print(board, "N:" + " ".join(map(shown, [*hands, cards])))
    board += 1
"""


# The desk


@dataclass(frozen=True, slots=True)
class Wanted:
    """A round that has no boards yet, or a set whose delayed value is known to the world and not here."""

    competition: Competition
    round: Round | None
    board_set: BoardSet | None = None

    @property
    def url(self) -> str:
        """Where it is seen to."""
        where = [self.competition.club.slug, self.competition.slug]
        if self.board_set is not None:
            return reverse("desk_board_set", args=[*where, self.board_set.pk])
        address = reverse("desk_boards_make", args=where)
        return f"{address}?round={self.round.number}" if self.round else address


def rounds_without_boards(competitions: Iterable[Competition], until: date) -> tuple[Wanted, ...]:
    """The rounds that begin until that day and have matches to play, but no boards; one query."""
    by_key = {each.pk: each for each in competitions}
    having = BoardSet.objects.filter(discarded_at=None, round__isnull=False).values("round")
    found = (
        Round.objects.filter(stage__competition__in=by_key, starts_on__lte=until)
        .exclude(pk__in=having)
        .select_related("stage")
        .filter(fixtures__status__in=[Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY])
        .distinct()
        .order_by("starts_on", "number")
    )
    return tuple(Wanted(by_key[each.stage.competition_id], each) for each in found)


def values_to_fill_in(competitions: Iterable[Competition], today: date) -> tuple[Wanted, ...]:
    """The sets whose delayed value is known since its day; one query."""
    by_key = {each.pk: each for each in competitions}
    found = BoardSet.objects.filter(
        competition__in=by_key, discarded_at=None, released_at=None, origin=BoardSet.Origin.DEALT
    ).select_related("round")
    return tuple(
        Wanted(by_key[each.competition_id], each.round, each)
        for each in found
        if not each.delayed.get("value") and (each.delayed.get("on") or "") <= today.isoformat()
    )
