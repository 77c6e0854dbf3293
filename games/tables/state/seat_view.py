"""What somebody at a table is shown: who sits at it, a spectator, or who directs it. Nothing else leaves the server.

What is told is put together from nothing: of a deal only what the game's own `view` of that seat has, and of the table
what is named here. docs/tables.md has the form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from engine import game
from engine.errors import RuleError
from engine.game.zones import Zones
from games.models import Table, TableRequest
from games.models.guests import called
from games.models.tables import CALLS, OPEN
from games.tables.state import spectators
from games.tables.state.clocks import clock_of
from games.tables.state.log import Fold, thinking
from games.tables.state.reader import Reader
from games.tables.state.snapshot import Asked, CardPlayed, Holder, Played, TableSnapshot
from games.tables.state.zones import as_shown
from league.web.wording import in_words

Kind, Request = TableRequest.Kind, TableRequest.State
State = Table.State
CHAT_LASTS = timedelta(days=1)
# A page that has missed more than that shows them all at once.
MOST_STEPS = 12
#: How far a window has been told: the number of a deal, and of the next line of its log.
Told = tuple[int, int]


def view_for(
    *, facts: TableSnapshot, reader: Reader, at: datetime, since: Told | None = None
) -> dict[str, Any]:
    """All that this reader is told of the table at that moment, ready for JSON.

    since: what the reader's window was told before. The deal then has the `steps` that lead from there to here.
    """
    until = spectators.shown_until(facts, reader.seat, at)
    played = tuple(each for each in facts.played if until is None or each.finished_at <= until)
    is_secret = spectators.is_secret(facts, reader.seat)
    return {
        "table": facts.table,
        "version": spectators.version_for(facts, reader.seat),
        "kind": facts.kind,
        "state": facts.state,
        "names": _names(facts, reader),
        "terms": dict(facts.terms),
        "you": _you(facts, reader),
        "seats": [_seat(facts, reader, seat) for seat in facts.places],
        "deal": _deal(facts, reader, at, until, since),
        "match": None if is_secret else _match(facts, played),
        "requests": [
            _request(facts, reader, each)
            for each in facts.requests
            if spectators.is_told_of(facts, each, reader)
        ],
        "phrases": _phrases(facts, reader),
        "chat": _chat(facts, reader, at),
        "result": {"match": facts.fixture, "fault": facts.fault} if facts.sheet or facts.fault else None,
    }


def _told(facts: TableSnapshot, reader: Reader, name: str) -> str:
    """A name for this reader."""
    return name if reader.is_inside else facts.masks.get(name, name)


def _names(facts: TableSnapshot, reader: Reader) -> dict[str, Any]:
    names = facts.names
    match: dict[str, Any] | None = None
    if facts.fixture is not None:
        sides = {side: _told(facts, reader, name) for side, name in names.entries.items()}
        match = {"id": facts.fixture, "sides": sides}
        if len(sides) == 2:
            (home_side, home), (_away_side, away) = sides.items()
            match |= {"home": home, "away": away, "home_side": home_side}
    return {"club": names.club, "match": match}


def _you(facts: TableSnapshot, reader: Reader) -> dict[str, Any]:
    seat = reader.seat
    return {
        "seat": seat,
        "side": facts.side_of(seat) if seat else None,
        "has_window": bool(seat) and facts.seats[seat].window in {"", reader.window} if seat else False,
        "may": list(steps(facts, reader)),
    }


def _seat(facts: TableSnapshot, reader: Reader, seat: str) -> dict[str, Any]:
    holder = facts.seats.get(seat)
    return {
        "seat": seat,
        "side": facts.side_of(seat),
        "name": _told(facts, reader, _name(holder) if holder else facts.expected.get(seat, "")),
        "player": holder.player if holder else None,
        "is_guest": bool(holder and holder.guest),
        "robot": (holder.robot or None) if holder else None,
        # That a side's time is up tells of the play.
        "played_by_robot": (
            holder.robot if holder and spectators.is_hidden(facts, reader.seat) else facts.robot_at(seat)
        )
        or None,
        "is_free": holder is None,
        "is_you": seat == reader.seat,
        "is_ready": bool(holder and (holder.robot or holder.ready_for > facts.deal_number)),
        "may_sit": facts.state in OPEN and seat in reader.may_sit,
        "robots": list(robots_for(facts, reader, seat)),
        "stands_in": _told(facts, reader, facts.expected[seat])
        if holder and holder.robot and seat in facts.expected
        else None,
        "explains": explains(facts, reader, seat) and _has_acted(facts, seat),
        "may_return": seat == reader.plays and _may_return(facts, reader),
    }


def _name(holder: Holder) -> str:
    return called(holder.name) if holder.guest else holder.name


def explains(facts: TableSnapshot, reader: Reader, seat: str) -> bool:
    """Whether a robot there tells this reader, its partner, why it did what it did: where help is allowed."""
    is_helped = facts.fixture is None and bool(facts.terms["helps"])
    if not is_helped or facts.offered.signals is None or reader.seat in {None, seat}:
        return False
    holder = facts.seats.get(seat)
    is_partner = reader.seat is not None and facts.side_of(reader.seat) == facts.side_of(seat)
    return is_partner and holder is not None and bool(holder.robot)


def _has_acted(facts: TableSnapshot, seat: str) -> bool:
    """Whether anything was done there in this deal."""
    return facts.deal is not None and any(line.seat == seat for line in facts.deal.fold.counting)


def robots_for(facts: TableSnapshot, reader: Reader, seat: str) -> tuple[str, ...]:
    """Which robots this reader may put at the seat: in a match those of the terms, its own side or a director."""
    if facts.state not in OPEN or not facts.terms["robots"] or seat in facts.seats:
        return ()
    if facts.fixture is None:
        return tuple(robot.key for robot in facts.offered.robots) if reader.seat is not None else ()
    is_own = bool(reader.plays) and facts.side_of(reader.plays) == facts.side_of(seat)
    return (facts.stand_in,) if is_own or reader.may_rule else ()


def _deal(
    facts: TableSnapshot, reader: Reader, at: datetime, until: datetime | None, since: Told | None
) -> dict[str, Any] | None:
    deal = facts.deal
    if deal is None or (until is not None and deal.started_at > until):
        return None
    told: dict[str, Any] = {
        "number": deal.number,
        "of": facts.deals,
        "dealer": deal.dealer,
        "board": deal.board_number,
        "is_hidden": spectators.is_hidden(facts, reader.seat),
    }
    if told["is_hidden"]:
        # Not one card, not one point, and not how far they are: others play this board.
        return told
    clock = clock_of(facts, at) if until is None else None
    fold = deal.fold if until is None else deal.fold.until(until)
    return {
        **told,
        "next": fold.next_number,
        "is_paused": facts.is_paused,
        "clock": clock.as_json() if clock else None,
        "cards": {side: _card_played(card) for side, card in deal.cards.items()},
        "turn_ms": thinking(fold.since, at, facts.pauses) if until is None else None,
        **_cards(facts, fold, reader),
        "steps": _steps(facts, fold, reader, since) if since and since[0] == deal.number else [],
    }


def _card_played(card: CardPlayed) -> dict[str, Any]:
    address = reverse("pair_card_version", args=[card.pair, card.number])
    return {"pair": card.pair, "version": card.number, "url": address}


def reach_of(view: Mapping[str, Any]) -> Told | None:
    """How far somebody has been told who was told this view: the deal's number, and that of its next line."""
    deal = view["deal"]
    return (deal["number"], deal["next"]) if deal and "next" in deal else None


def _cards(facts: TableSnapshot, fold: Fold, reader: Reader) -> dict[str, Any]:
    """What the reader sees of the cards: the game's own view of the seat, and what follows from it."""
    offered = facts.offered
    view = offered.view(fold.state, reader.seat)
    helps = bool(facts.terms["helps"]) and reader.seat is not None
    shown = as_shown(offered, view, fold.seen_by(reader.seat))
    mine: Any = shown["mine"]
    calls = [call.token for call in view.barred] if isinstance(view, Zones) else offered.calls()
    tokens = [*calls, *dict.fromkeys(mine)]
    return {
        "view": shown,
        "why_not": _why_not(tokens, fold.state) if _is_on_turn(fold.state, reader) else [],
        "help": offered.still_possible(view) if helps else None,
        "last": _last(fold, reader) if fold.counting else None,
        "robots": _robots_of(fold),
    }


def _robots_of(fold: Fold) -> dict[str, list[int]]:
    """Which actions a robot did: their places among those that count, by the robot's key."""
    found: dict[str, list[int]] = {}
    for place, line in enumerate(fold.counting):
        if line.robot:
            found.setdefault(line.robot, []).append(place)
    return found


def _last(fold: Fold, reader: Reader) -> dict[str, Any]:
    """The last action, as the reader may see it: not always whole."""
    last = fold.counting[-1]
    token = fold.token_seen_by(len(fold.counting) - 1, reader.seat)
    return {"number": last.number, "seat": last.seat, "token": token}


def _steps(facts: TableSnapshot, fold: Fold, reader: Reader, since: Told) -> list[dict[str, Any]]:
    """The actions since then, each with the cards as this reader saw them after it.

    Without the last, which has led to what lies on the table. None where there is one only, where there are too many,
    and where an action was taken back.
    """
    fresh = fold.lines[since[1] :]
    if not 1 < len(fresh) <= MOST_STEPS or any(line.back_to is not None for line in fresh):
        return []
    first = len(fold.counting) - len(fresh)
    return [_step(facts, fold, reader, place) for place in range(first, len(fold.counting) - 1)]


def _step(facts: TableSnapshot, fold: Fold, reader: Reader, place: int) -> dict[str, Any]:
    """The action at this place, and the cards after it; what was done before it stands with the deal."""
    line, after = fold.counting[place], fold.before[place + 1]
    return {
        "number": line.number,
        "seat": line.seat,
        "token": fold.token_seen_by(place, reader.seat),
        "done": place + 1,
        "view": as_shown(facts.offered, facts.offered.view(after, reader.seat), ()),
    }


def _is_on_turn(state: game.State, reader: Reader) -> bool:
    return state.turn is not None and state.turn == reader.seat


def _why_not(tokens: Iterable[str], state: game.State) -> list[dict[str, Any]]:
    """Why the player on turn may not call that or play that card. The reasons are the rules', of what lies open."""
    refused = []
    for token in tokens:
        try:
            state.verify(token)
        except RuleError as error:
            refused.append(
                {
                    "token": token,
                    "code": error.code,
                    "message": in_words(error.message),
                }
            )
    return refused


def _match(facts: TableSnapshot, played: tuple[Played, ...]) -> dict[str, Any]:
    result = facts.result_of(played)
    deals = [
        {"number": each.number, "dealer": each.dealer, "board": each.board, "score": dict(each.score)}
        for each in played
    ]
    # Whose points are best: not always the most.
    return {"deals": deals, **result.as_json(), "ranks": dict(result.ranks), "winners": list(result.winners)}


def _request(facts: TableSnapshot, reader: Reader, asked: Asked) -> dict[str, Any]:
    return {
        "id": asked.row,
        "kind": asked.kind,
        "seat": asked.seat or None,
        "side": asked.side or None,
        "action": asked.number,
        "text": asked.text if spectators.hears_reasons(reader) else "",
        "agreed": list(asked.agreed),
        "needs": [seat for seat in asked_of(facts, asked.kind, asked.seat) if seat not in asked.agreed],
        "state": asked.state,
        "asked_at": asked.asked_at.isoformat(),
    }


def _phrases(facts: TableSnapshot, reader: Reader) -> list[dict[str, Any]]:
    """What was said since the deal ended; during a deal nobody is told anything."""
    if facts.state == State.PLAYING or not spectators.hears_phrases(reader):
        return []
    deal = facts.deal.row if facts.deal else None
    said = [each for each in facts.requests if each.kind == Kind.PHRASE and each.deal == deal]
    return [{"seat": each.seat, "phrase": each.text} for each in said]


def may_chat(facts: TableSnapshot, seat: str | None) -> bool:
    """Whether there is a chat for who sits there: at a casual table, with somebody to talk to. Guests talk where the
    host lets them."""
    talking = [each for each in people(facts) if facts.guests_talk or not facts.seats[each].guest]
    return facts.kind == Table.Kind.CASUAL and seat in talking and len(talking) > 1


def reads(facts: TableSnapshot, seat: str | None, *, guests_read: bool) -> bool:
    """Whether who sits there may read a line: guests only what was said while they could take part."""
    if facts.kind != Table.Kind.CASUAL or seat is None or seat not in people(facts):
        return False
    return not facts.seats[seat].guest or (facts.guests_talk and guests_read)


def _chat(facts: TableSnapshot, reader: Reader, at: datetime) -> list[dict[str, Any]] | None:
    """What was said among those who sit there, of the last day; None for everybody else.

    Who is left alone reads it on: what somebody said who then got up can still be reported.
    """
    told = _told_of_chat(facts, reader, reader.seat, at) if reader.seat is not None else []
    return told if told or may_chat(facts, reader.seat) else None


def _told_of_chat(facts: TableSnapshot, reader: Reader, seat: str, at: datetime) -> list[dict[str, Any]]:
    return [
        {
            "id": said.row,
            "seat": said.seat,
            "speaker": said.speaker,
            "name": called(said.name) if said.is_guests else _told(facts, reader, said.name),
            "text": said.text,
            "at": said.at.isoformat(),
            "is_yours": said.speaker == facts.speaker_at(seat),
            "is_reported": said.reported_from == seat,
        }
        for said in facts.chat
        if said.at > at - CHAT_LASTS and reads(facts, seat, guests_read=said.guests_read)
    ]


def people(facts: TableSnapshot) -> tuple[str, ...]:
    """The seats that persons hold, in order: a robot agrees to everything."""
    return tuple(seat for seat in facts.places if seat in facts.seats and facts.seats[seat].who)


def opponents(facts: TableSnapshot, seat: str) -> tuple[str, ...]:
    """The seats that persons hold on the other side."""
    side = facts.side_of(seat)
    return tuple(each for each in people(facts) if facts.side_of(each) != side)


def asked_of(facts: TableSnapshot, kind: str, seat: str) -> tuple[str, ...]:
    """Whose answer a request needs: the opponents' where a player comes back, else everybody's."""
    return opponents(facts, seat) if kind == Kind.RETURN else people(facts)


#: What nobody needs who is alone with robots.
SOCIAL = frozenset({"director", "pause", "absence", "phrase"})


def steps(facts: TableSnapshot, reader: Reader) -> tuple[str, ...]:
    """What the reader may do at the table now, besides playing: names as POST /tables/<id>/steps/<name>/ takes them."""
    found: list[str] = []
    if reader.may_sit and facts.state in OPEN and reader.seat is None:
        found.append("sit")
    if facts.fixture is not None and facts.deal_number == 0 and facts.state in OPEN and _has_pairs(facts):
        # Partners choose their seats while nobody has seen a card.
        found += ["swap"] if reader.seat is not None or reader.may_sit else []
    if reader.seat is not None:
        found += _steps_with_seat(facts, reader.seat)
    if _may_return(facts, reader):
        found.append("return")
    if any(robots_for(facts, reader, seat) for seat in facts.places):
        found.append("robot")
    if reader.may_rule:
        found += _rulings(facts)
    if reader.may_close and facts.kind == Table.Kind.CASUAL and _has_guests(facts):
        found.append("guests_silent" if facts.guests_talk else "guests_talk")
    if reader.may_close and _is_worth_closing(facts):
        found.append("close")
    return tuple(found)


def _has_guests(facts: TableSnapshot) -> bool:
    return facts.state in OPEN and any(holder.guest for holder in facts.seats.values())


def _steps_with_seat(facts: TableSnapshot, seat: str) -> Iterable[str]:
    alone = SOCIAL if facts.kind in {Table.Kind.PRACTICE, Table.Kind.DAILY} else frozenset()
    if facts.state in OPEN:
        yield from (step for step in _steps_of_seat(facts, seat) if step not in alone)
    if may_deal_again(facts):
        yield "again"
    if may_ask_hint(facts, seat):
        yield "hint"


def may_deal_again(facts: TableSnapshot) -> bool:
    """Whether the deal on the table can be begun once more: where somebody practises, and something was done in it."""
    is_there = facts.state in {*OPEN, State.FINISHED} and facts.kind == Table.Kind.PRACTICE
    return is_there and facts.deal is not None and bool(facts.deal.fold.counting)


def may_ask_hint(facts: TableSnapshot, seat: str) -> bool:
    """Whether a robot may be asked what it would do there: where somebody practises, and is on turn."""
    is_there = (
        facts.state == State.PLAYING and facts.kind == Table.Kind.PRACTICE and bool(facts.offered.robots)
    )
    return is_there and not facts.is_paused and facts.deal is not None and facts.deal.fold.turn == seat


def _has_pairs(facts: TableSnapshot) -> bool:
    return all(len(seats) == 2 for seats in facts.sides.values())


def _may_return(facts: TableSnapshot, reader: Reader) -> bool:
    """Whether this reader, who stood up, may ask the opponents to come back in this deal."""
    is_time = reader.has_stood_up and facts.state == State.PLAYING
    return is_time and not _was_asked_to_return(facts, reader.plays)


def _was_asked_to_return(facts: TableSnapshot, seat: str) -> bool:
    """Whether the opponents have been asked in this deal, and wait or have refused."""
    deal = facts.deal.row if facts.deal else None
    known = {Request.OPEN, Request.REFUSED}
    return any(
        (each.kind, each.seat, each.deal) == (Kind.RETURN, seat, deal) and each.state in known
        for each in facts.requests
    )


def _is_worth_closing(facts: TableSnapshot) -> bool:
    """While it is in use; or when a match was played to the end and became no result."""
    return facts.state in OPEN or (
        facts.state == State.FINISHED and facts.fixture is not None and facts.sheet is None
    )


def _rulings(facts: TableSnapshot) -> Iterable[str]:
    if facts.deal is not None and (facts.state == State.PLAYING or may_go_back(facts)):
        yield "roll_back"
    if facts.state == State.PLAYING and facts.terms["clock_seconds"]:
        yield "add_time"
    if any(each.state == Request.OPEN and each.kind in CALLS for each in facts.requests):
        yield "settle"
    if facts.state == State.FINISHED and facts.fixture is not None and facts.sheet is None and facts.fault:
        yield "count"


def may_go_back(facts: TableSnapshot) -> bool:
    """Whether a deal that is over can still be played on from an earlier action.

    Without a match its replay shows all four hands as soon as it is over; a match keeps them to its end.
    """
    return facts.state == State.BETWEEN and facts.fixture is not None


def _may_take_back(facts: TableSnapshot, fold: Fold, seat: str) -> bool:
    """Whether the last action is the seat's; alone with robots, any action is."""
    last = fold.counting if facts.kind == Table.Kind.PRACTICE else fold.counting[-1:]
    return any(line.seat == seat for line in last)


def _steps_of_seat(facts: TableSnapshot, seat: str) -> Iterable[str]:
    yield "stand"
    if may_chat(facts, seat):
        yield "chat"
    waiting = {each.kind: each for each in facts.requests if each.state == Request.OPEN}
    if Kind.DIRECTOR not in waiting and not facts.seats[seat].guest:
        yield "director"
    if facts.state != State.PLAYING:
        holder = facts.seats[seat]
        if holder.ready_for <= facts.deal_number:
            yield "ready"
        if len(people(facts)) > 1:
            yield "phrase"
        return
    if facts.is_paused:
        yield "resume"
        return
    yield "absence"
    if Kind.PAUSE not in waiting:
        yield "pause"
    fold = facts.deal.fold if facts.deal else None
    if fold and Kind.TAKE_BACK not in waiting and _may_take_back(facts, fold, seat):
        yield "take_back"
    if any(
        seat in asked_of(facts, each.kind, each.seat) and seat not in each.agreed
        for each in facts.requests
        if each.state == Request.OPEN and each.kind in {Kind.TAKE_BACK, Kind.PAUSE, Kind.RETURN}
    ):
        yield "answer"
