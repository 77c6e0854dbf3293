"""Ladders: an order of entries, folded from challenges, results and what falls due (shared rules F100 to F106).

::

    {"start": ["A", "B", "C"], "options": {"reach": 2, "idle_days": 30}, "today": 9,
     "events": [{"day": 1, "kind": "challenge", "id": "c1", "by": "C", "to": "A"},
                {"day": 3, "kind": "accept", "id": "c1"},
                {"day": 5, "kind": "result", "id": "c1", "winner": "C"},
                {"day": 6, "kind": "away", "entry": "B"}]}

Days are whole numbers. `decline` and `withdraw` name a challenge; `join`, `leave`, `away` and `back` an entry. Who won
nothing is a winner of null. Events after today are not folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from engine.contest.faults import Faults
from engine.contest.json_fields import Fields, key_of
from engine.contest.results import Key
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

_SHAPE = gettext_noop("A ladder must be an object with its start, its events and today.")
_LISTED = gettext_noop("This must be a list.")
_KEY = gettext_noop("“%(value)s” isn’t a name. Write a text or a whole number.")
_TWICE = gettext_noop("“%(value)s” is on the ladder twice.")
_ID_TWICE = gettext_noop("There are two challenges “%(value)s”.")
_KIND = gettext_noop("“%(value)s” isn’t something that happens on a ladder.")
_WAY = gettext_noop("“%(value)s” isn’t a way to move up: choose insert or swap.")
_WINNER = gettext_noop("“%(value)s” isn’t one of the two who met.")


class Kind(StrEnum):
    """What people and directors do."""

    CHALLENGE = "challenge"
    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    RESULT = "result"
    HOLD = "hold"
    """It was played and waits for its confirmation: it no longer lapses."""
    CANCEL = "cancel"
    """A director has ended it: nothing moves."""
    JOIN = "join"
    LEAVE = "leave"
    AWAY = "away"
    BACK = "back"


_OF_CHALLENGES = frozenset(
    (
        Kind.CHALLENGE,
        Kind.ACCEPT,
        Kind.DECLINE,
        Kind.WITHDRAW,
        Kind.RESULT,
        Kind.HOLD,
        Kind.CANCEL,
    )
)


#: Later than every day there is.
NEVER = 10**9


class Refusal(StrEnum):
    """Why an event has no effect."""

    NOT_ON_LADDER = "not on the ladder"
    AWAY = "away"
    NOT_ABOVE = "not above"
    OUT_OF_REACH = "out of reach"
    ALREADY_CHALLENGES = "already challenges"
    ALREADY_CHALLENGED = "already challenged"
    TOO_RECENTLY = "met too recently"
    NO_CHALLENGE = "no open challenge"
    ALREADY_ACCEPTED = "already accepted"
    NOT_ACCEPTED = "not accepted"
    ALREADY_ON_LADDER = "already on the ladder"
    HAS_CHALLENGE = "has an open challenge"


@dataclass(frozen=True, slots=True)
class Options:
    """F101 to F105: places a challenge may reach, how the winner moves, and the days of each term."""

    reach: int = 3
    is_swap: bool = False
    answer_days: int = 7
    play_days: int = 14
    rematch_days: int = 14
    idle_days: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on a day: to a challenge (``of`` is its id), or to an entry (``of`` is its key).

    A challenge that ``is_made`` was allowed by the order of its day; after a correction it stands, whatever the order
    would have been (F106). A walkover is a result without a meeting (F7).
    """

    day: int
    kind: Kind
    of: Key
    by: Key = ""
    to: Key = ""
    winner: Key | None = None
    is_made: bool = False
    is_walkover: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """What the trail says of an event, or of what fell due, and the order after it."""

    day: int
    what: str
    of: Key
    order: tuple[Key, ...]
    reason: Refusal | None = None


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that has not ended; ``since`` is its day, or that of its acceptance."""

    key: Key
    by: Key
    to: Key
    since: int
    is_accepted: bool = False
    is_held: bool = False


@dataclass
class Ladder:
    """A ladder as it stands: `apply` events in the order of their days, then `pass_until` today."""

    order: list[Key]
    options: Options = Options()
    trail: list[Step] = field(default_factory=list)
    _open: dict[Key, OpenChallenge] = field(default_factory=dict)
    _away: set[Key] = field(default_factory=set)
    #: The day from which somebody has closed no challenge, or was dropped for it.
    _idle_since: dict[Key, int] = field(default_factory=dict)
    _met: dict[frozenset[Key], int] = field(default_factory=dict)
    begins: int = 0
    """The day from which nobody has closed a challenge yet."""
    start: tuple[Key, ...] = ()
    """The order before anything happened."""

    def __post_init__(self) -> None:
        self.start = tuple(self.order)

    @property
    def open(self) -> list[Key]:
        """The ids of the open challenges, sorted."""
        return sorted(self._open, key=str)

    @property
    def challenges(self) -> tuple[OpenChallenge, ...]:
        """The open challenges, in the order in which they were made."""
        return tuple(self._open.values())

    @property
    def away(self) -> frozenset[Key]:
        """Who keeps the place and cannot challenge or be challenged."""
        return frozenset(self._away)

    @property
    def next_due(self) -> int | None:
        """The day on which something falls due next; None while nothing will."""
        return min((due for due, *_rest in self._due(NEVER)), default=None)

    def last_day(self, challenge: OpenChallenge) -> int | None:
        """The last day on which it can be answered, or played; None where it waits for its confirmation."""
        if challenge.is_held:
            return None
        days = self.options.play_days if challenge.is_accepted else self.options.answer_days
        return challenge.since + days

    def apply(self, event: Event) -> None:
        """Let fall due what does until the event's day, then fold the event. Raises ContestError for a winner who
        was not one of the two."""
        self.pass_until(event.day)
        act: Mapping[Kind, Callable[[Event], Refusal | None]] = {
            Kind.CHALLENGE: self._challenge,
            Kind.ACCEPT: self._accept,
            Kind.DECLINE: self._decline,
            Kind.WITHDRAW: self._withdraw,
            Kind.RESULT: self._result,
            Kind.HOLD: self._hold,
            Kind.CANCEL: self._cancel,
            Kind.JOIN: self._join,
            Kind.LEAVE: self._leave,
            Kind.AWAY: self._go_away,
            Kind.BACK: self._come_back,
        }
        refusal = act[event.kind](event)
        self._note(event.day, event.kind.value if refusal is None else "refused", event.of, refusal)

    def refusal_of(self, by: Key, to: Key, day: int) -> Refusal | None:
        """F101: why one may not challenge the other on that day; None if it may. Several reasons: the first."""
        if by not in self.order or to not in self.order:
            return Refusal.NOT_ON_LADDER
        own, other = self.order.index(by), self.order.index(to)
        between = [entry for entry in self.order[other + 1 : own] if entry not in self._away]
        met = self._met.get(frozenset((by, to)))
        reasons = (
            (Refusal.AWAY, by in self._away or to in self._away),
            (Refusal.NOT_ABOVE, other >= own),
            (Refusal.OUT_OF_REACH, len(between) >= self.options.reach),
            (Refusal.ALREADY_CHALLENGES, any(each.by == by for each in self._open.values())),
            (Refusal.ALREADY_CHALLENGED, any(each.to == to for each in self._open.values())),
            (Refusal.TOO_RECENTLY, met is not None and day - met < self.options.rematch_days),
        )
        return next((refusal for refusal, holds in reasons if holds), None)

    def pass_until(self, day: int) -> None:
        """F100: let fall due what does until that day's end: challenges before idleness, the earliest first."""
        while due := min(self._due(day), default=None, key=lambda found: found[:3]):
            due[3]()

    def _due(self, last: int) -> Iterator[tuple[int, int, int, Callable[[], None]]]:
        for number, challenge in enumerate(self._open.values()):
            last_day = self.last_day(challenge)
            if last_day is None:
                continue
            due = last_day + 1
            if due <= last:
                yield due, 0, number, partial(self._lapse, challenge, due)
        if self.options.idle_days is None:
            return
        for place, entry in enumerate(self.order):
            due = self._idle_since.get(entry, self.begins) + self.options.idle_days
            if due <= last:
                # From the bottom: whoever drops passes nobody who drops on the same day.
                yield due, 1, -place, partial(self._drop, entry, due)

    def _lapse(self, challenge: OpenChallenge, day: int) -> None:
        self._end(challenge, day)
        if challenge.is_accepted:
            self._note(day, "unplayed", challenge.key)
        else:
            self._move_up(challenge)
            self._note(day, "unanswered", challenge.key)

    def _drop(self, entry: Key, day: int) -> None:
        self._idle_since[entry] = day
        if entry in self._away or self._is_challenged(entry):
            return
        place = self.order.index(entry)
        self.order[place : place + 2] = reversed(self.order[place : place + 2])
        self._note(day, "idle", entry)

    def _challenge(self, event: Event) -> Refusal | None:
        refusal = self.refusal_of(event.by, event.to, event.day)
        if event.is_made and refusal is not Refusal.NOT_ON_LADDER:
            refusal = None
        if refusal is None:
            self._open[event.of] = OpenChallenge(event.of, event.by, event.to, event.day)
        return refusal

    def _accept(self, event: Event) -> Refusal | None:
        challenge, refusal = self._unanswered(event)
        if challenge is not None:
            self._open[event.of] = replace(challenge, since=event.day, is_accepted=True)
        return refusal

    def _decline(self, event: Event) -> Refusal | None:
        challenge, refusal = self._unanswered(event)
        if challenge is not None:
            self._end(challenge, event.day)
            self._move_up(challenge)
        return refusal

    def _withdraw(self, event: Event) -> Refusal | None:
        challenge, refusal = self._unanswered(event)
        if challenge is not None:
            self._end(challenge, event.day)
        return refusal

    def _unanswered(self, event: Event) -> tuple[OpenChallenge | None, Refusal | None]:
        challenge = self._open.get(event.of)
        if challenge is None:
            return None, Refusal.NO_CHALLENGE
        return (None, Refusal.ALREADY_ACCEPTED) if challenge.is_accepted else (challenge, None)

    def _result(self, event: Event) -> Refusal | None:
        challenge = self._open.get(event.of)
        if challenge is None:
            return Refusal.NO_CHALLENGE
        if event.winner not in (None, challenge.by, challenge.to):
            raise ContestError("winner", _WINNER, given=event.winner, value=quoted(event.winner))
        if not challenge.is_accepted:
            return Refusal.NOT_ACCEPTED
        self._end(challenge, event.day)
        if not event.is_walkover:
            self._met[frozenset((challenge.by, challenge.to))] = event.day
        if event.winner == challenge.by:
            self._move_up(challenge)
        return None

    def _hold(self, event: Event) -> Refusal | None:
        challenge = self._open.get(event.of)
        if challenge is None:
            return Refusal.NO_CHALLENGE
        if not challenge.is_accepted:
            return Refusal.NOT_ACCEPTED
        self._open[event.of] = replace(challenge, is_held=True)
        return None

    def _cancel(self, event: Event) -> Refusal | None:
        challenge = self._open.get(event.of)
        if challenge is None:
            return Refusal.NO_CHALLENGE
        self._end(challenge, event.day)
        return None

    def _join(self, event: Event) -> Refusal | None:
        if event.of in self.order:
            return Refusal.ALREADY_ON_LADDER
        self.order.append(event.of)
        self._idle_since[event.of] = event.day
        return None

    def _leave(self, event: Event) -> Refusal | None:
        if event.of not in self.order:
            return Refusal.NOT_ON_LADDER
        for challenge in [each for each in self._open.values() if event.of in (each.by, each.to)]:
            self._end(challenge, event.day)
        self.order.remove(event.of)
        self._away.discard(event.of)
        return None

    def _go_away(self, event: Event) -> Refusal | None:
        if event.of not in self.order:
            return Refusal.NOT_ON_LADDER
        if self._is_challenged(event.of):
            return Refusal.HAS_CHALLENGE
        self._away.add(event.of)
        return None

    def _come_back(self, event: Event) -> Refusal | None:
        if event.of not in self.order:
            return Refusal.NOT_ON_LADDER
        self._away.discard(event.of)
        self._idle_since[event.of] = event.day
        return None

    def _is_challenged(self, entry: Key) -> bool:
        return any(entry in (challenge.by, challenge.to) for challenge in self._open.values())

    def _end(self, challenge: OpenChallenge, day: int) -> None:
        del self._open[challenge.key]
        self._idle_since[challenge.by] = self._idle_since[challenge.to] = day

    def _move_up(self, challenge: OpenChallenge) -> None:
        """F103: the challenger takes the other's place, unless it stands above already."""
        own, other = self.order.index(challenge.by), self.order.index(challenge.to)
        if own < other:
            return
        if self.options.is_swap:
            self.order[own], self.order[other] = self.order[other], self.order[own]
        else:
            self.order.insert(other, self.order.pop(own))

    def _note(self, day: int, what: str, of: Key, reason: Refusal | None = None) -> None:
        self.trail.append(Step(day, what, of, tuple(self.order), reason))


def fold(
    start: Iterable[Key],
    events: Iterable[Event],
    today: int,
    options: Options | None = None,
    *,
    begins: int = 0,
) -> Ladder:
    """The ladder of today. Raises ContestError for a winner who was not one of the two."""
    ladder = Ladder(list(start), options or Options(), begins=begins)
    for event in sorted(events, key=lambda event: event.day):
        if event.day <= today:
            ladder.apply(event)
    ladder.pass_until(today)
    return ladder


def as_json(ladder: Ladder) -> dict[str, object]:
    """The order, everything that happened, and the open challenges."""
    trail = []
    for step in ladder.trail:
        said: dict[str, object] = {"day": step.day, "what": step.what, "of": step.of}
        if step.reason is not None:
            said["reason"] = step.reason.value
        trail.append(said | {"order": list(step.order)})
    return {"order": list(ladder.order), "trail": trail, "open": ladder.open}


# Reading

_PARTS = frozenset(("start", "options", "events", "today"))
_DAYS = ("answer_days", "play_days", "rematch_days")


def read_ladder(data: object) -> Ladder:
    """The ladder as it stands today (see above). Raises ContestError with all faults as its `causes`."""
    if not isinstance(data, Mapping):
        raise ContestError("ladder", _SHAPE, given=data)
    faults = Faults()
    fields = Fields(data, (), faults, _PARTS)
    start: list[Key] = []
    for number, item in enumerate(_list(fields, "start", faults)):
        key = key_of(item)
        if key is None or key in start:
            template = _KEY if key is None else _TWICE
            faults.add("entry", template, given=item, place=("start", number), value=quoted(item))
        else:
            start.append(key)
    options = _options(data.get("options", {}), faults)
    events = [
        _event(item, ("events", number), faults)
        for number, item in enumerate(_list(fields, "events", faults))
    ]
    seen: set[Key] = set()
    for number, event in enumerate(events):
        if event.kind is Kind.CHALLENGE and event.of in seen:
            faults.add("twice", _ID_TWICE, place=("events", number, "id"), value=quoted(event.of))
        if event.kind is Kind.CHALLENGE:
            seen.add(event.of)
    today = fields.whole("today")
    faults.refuse()
    return fold(start, events, today, options)


def _list(fields: Fields, name: str, faults: Faults) -> list[object]:
    given = fields.raw(name)
    if given is None and name == "events":
        return []
    if isinstance(given, list):
        return given
    faults.add("list", _LISTED, given=given, place=(name,))
    return []


def _options(data: object, faults: Faults) -> Options:
    fields = Fields(data, ("options",), faults, frozenset(("reach", "move", "idle_days", *_DAYS)))
    usual = Options()
    if fields.raw("move") not in (None, "insert", "swap"):
        fields.note("move", _WAY, "move")
    days = {name: fields.whole(name, getattr(usual, name)) for name in _DAYS}
    return Options(
        reach=fields.whole("reach", usual.reach, least=1),
        is_swap=fields.raw("move") == "swap",
        idle_days=None if fields.raw("idle_days") is None else fields.whole("idle_days", least=1),
        **days,
    )


def _event(item: object, place: Place, faults: Faults) -> Event:
    kind = item.get("kind") if isinstance(item, Mapping) else None
    if not isinstance(kind, str) or kind not in set(Kind):
        faults.add("kind", _KIND, given=kind, place=(*place, "kind"), value=quoted(kind))
        return Event(0, Kind.BACK, "")
    names = {"entry"}
    if kind in _OF_CHALLENGES:
        names = {"id"} | {"challenge": {"by", "to"}, "result": {"winner"}}.get(kind, set())
    fields = Fields(item, place, faults, frozenset({"day", "kind"} | names))
    winner = fields.raw("winner")
    return Event(
        day=fields.whole("day"),
        kind=Kind(kind),
        of=fields.key("id" if "id" in names else "entry"),
        by=fields.key("by") if "by" in names else "",
        to=fields.key("to") if "to" in names else "",
        winner=None if winner is None else fields.key("winner"),
    )
