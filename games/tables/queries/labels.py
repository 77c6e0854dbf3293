"""What the page of an online table says, whatever is played there; the game adds what it says of cards and play.

Why an action is refused is not said here, but by the game's rules in the engine.

The page's script fills {places}; what it says is all here, in the reader's language.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine import game
from engine.game import Game
from games import front
from games.options import robot_in_words
from games.tables.services.requests import PHRASES, TO_PARTNER
from games.templatetags.cards import RANKS, SUITS

Words = dict[str, Any]


def table_labels(game_key: str, *, replaces_absent: bool = True, is_match: bool = True) -> Words:
    """Everything that the page's script says to a person, by name; texts, or texts by key.

    replaces_absent: as the table's terms have it.
    """
    return {
        **_of_game(game_key),
        **_of_play(),
        **_of_places(),
        **_of_requests(),
        **_of_steps(replaces_absent=replaces_absent, is_match=is_match),
        **_of_line(),
        **_of_practice(),
    }


def table_keys(game_key: str) -> tuple[tuple[str, str], ...]:
    """The keys of the page, and what each does."""
    return (
        *front.of(game_key).table_keys(),
        ("W", _("reads out the table")),
        ("?", _("shows these keys")),
    )


def _of_game(key: str) -> Words:
    offered = game.get(key)
    most = offered.players.stop - 1
    has_partners = any(len(seats) > 1 for seats in offered.sides(most).values())
    return {
        **_of_cards(offered),
        "turns_right": offered.turns_right,
        **_of_zones(),
        "seats": {seat: _(str(offered.title(seat))) for seat in offered.seats(most)},
        "sides": {side: _(str(offered.title(side))) for side in offered.sides(most)},
        **front.of(key).table_labels(),
        "robots": {robot.key: _(str(robot.name)) for robot in offered.practice_robots},
        "robots_to_choose": {robot.key: robot_in_words(robot) for robot in offered.practice_robots},
        "phrases": {key: str(text) for key, text in PHRASES.items() if has_partners or key not in TO_PARTNER},
    }


def _of_cards(offered: Game) -> Words:
    suits = {
        suit: {"css": css, "symbol": symbol, "name": str(word)} for suit, (css, symbol, word) in SUITS.items()
    }
    return {
        "ranks": {rank: str(word) for rank, word in RANKS.items()},
        "suits": {**suits, "k": {"css": "joker", "symbol": "★", "name": _("joker")}},
        "order": {
            "by": "rank" if offered.sorts_by_rank else "suit",
            "ranks": offered.ranks,
            "suits": offered.suits + "k",
        },
        "card": _("{rank} of {suit}"),
        "joker": _("joker"),
        "plays": _("{player}: {card}"),
        "play_card": _("Play {card}"),
        "press_again": _("Press again to play it."),
        "side_points": _("{side} {points}"),
    }


def _of_zones() -> Words:
    """What the common felt says of what lies on it."""
    return {
        "one_trick": _("{count} trick"),
        "tricks": _("{count} tricks"),
        "one_point": _("{count} point"),
        "points": _("{count} points"),
        "stake": _("stake {count}"),
        "out": pgettext("of a player who has left the deal", "out"),
        "open": _("Open cards"),
        "meld": _("On the table"),
        "one_stock_card": _("{count} card in the stock"),
        "stock_cards": _("{count} cards in the stock"),
        "discards": _("Discards: {count}"),
        "upcard": _("Turned up: {card}"),
        "upcard_name": _("Turned up"),
        "trump": _("Trumps: {card}"),
        "trump_name": _("Trumps"),
        "in_pot": _("{count} in the pot"),
        "history_now": _("This trick"),
        "history_before": _("The trick before"),
        "history_last": _("The last actions"),
        "takes_trick": _("{player} takes the trick"),
        "you_hold": _("You hold: {cards}"),
        "with_cards": _("{label} ({count})"),
        "chosen": _("{card} chosen, {count} in all."),
        "put_back": _("{card} put back, {count} left."),
        "your_turn_choose": _("Your turn: choose cards, then press what to do."),
        "choose_first": _("First choose the cards for this, at least {count}."),
        "card_uses": _card_uses(),
    }


def _card_uses() -> Words:
    """What is said of a single card that is not played but put away, in place of what is said of playing it."""
    return {
        "discard": {
            "play_card": _("Discard {card}"),
            "press_again": _("Press again to discard it."),
            "your_turn_one": _("Your turn. Press a card to discard it."),
            "your_turn_two": _("Your turn. Press a card to pick it up, and again to discard it."),
        },
        "bury": {
            "play_card": _("Bury {card}"),
            "press_again": _("Press again to bury it."),
            "your_turn_one": _("Your turn. Press a card to bury it."),
            "your_turn_two": _("Your turn. Press a card to pick it up, and again to bury it."),
        },
    }


def _of_play() -> Words:
    return {
        "you": _("You"),
        "your_turn": _("Your turn."),
        "taken_back": _("The last action was undone."),
        "deal_over": _("The deal is over."),
        "deal_begins": _("Deal {number} of {of} begins."),
    }


def _of_places() -> Words:
    return {
        "free": _("Free seat"),
        "seat_free": pgettext("of a seat", "free"),
        "you_mark": _("(you)"),
        "to_play": _("to play"),
        "ready": _("ready"),
        "robot": _("Robot ({name})"),
        "robot_for": _("{robot} for {player}"),
        "robot_at": pgettext("at a seat of the table", "{seat} (robot)"),
        "robot_plays_on": _("a robot plays on"),
        "partner": _("partner"),
        "dealer": _("dealer"),
        "one_card": _("{count} card"),
        "cards": _("{count} cards"),
        "sit": _("Sit here"),
        "seat_robot": _("Robot: {name}"),
        "stands_in": _("for {name}"),
        "ask_return": _("Ask to come back"),
        "absent": _("Absent?"),
        "deal_of": _("deal {number} of {of}"),
        "board": _("board {number}"),
        "paused": _("pause"),
        "in_deal": _("this deal"),
        "match_points": _("match {points}"),
        "in_match": _("this deal · match {points}"),
        "hidden": _("Other tables still have to play this board. You’ll see its cards once they all have."),
        "waiting": _("The deal starts when every seat is taken and everyone is ready."),
        "closed": _("This table is closed."),
        "behind": _("{seconds} s behind"),
        "nothing_yet": _("You’re watching with a delay of {seconds} seconds. There’s nothing to see yet."),
        "match_over": _("The match is over."),
        "to_match": _("Go to the match"),
        "to_tables": _("To the tables"),
        "to_replay": _("Step through the deal"),
        "replay": _("Deal {number}"),
        "ask_reasons": _("Why?"),
        "ask_reasons_of": _("Why did {player} do that?"),
        "no_reasons": _("It hasn’t done anything in this deal yet."),
        "ask_meaning": _("What do the cards of hand {number} mean?"),
        "no_meaning": _("Nothing in this pair’s system."),
    }


def _of_requests() -> Words:
    return {
        "requests": {
            "take_back": _("{who} would like to undo the last action."),
            "pause": _("{who} would like a pause."),
            "return": _("{who} stood up and would like to come back into this deal."),
            "director": _("{who} has called a director. {text}"),
            "time": _("{who} is out of time. A director has been called."),
        },
        "return_refused": _("Your opponents didn’t agree. You can come back when this deal is over."),
        "time_robot": _("{who} is out of time. A robot will finish the deal."),
        "pause_of": _("Pause, as {who} asked."),
        "pause_line": _("Paused. Anyone at the table can restart."),
        "pause_over": _("The pause is over."),
        "time_low": _("{side}: less than a minute left."),
        "needs": _("Waiting for {players}."),
        "agreed": _("{player} agrees."),
        "gone": {
            "take_back": _("The request to undo is closed."),
            "pause": _("The request for a pause is closed."),
            "return": _("The request to come back is closed."),
            "director": _("The call for a director is closed."),
        },
        "agree": _("Agree"),
        "refuse": _("Decline"),
        "settle": _("Settled"),
        "said": _("{player}: {phrase}"),
        "mute": _("Mute {name}"),
        "unmute": _("Show {name} again"),
        "muted": _("{name} is muted."),
        "report": _("Report"),
        "reported": _("reported"),
    }


def _of_steps(*, replaces_absent: bool, is_match: bool) -> Words:
    return _of_buttons() | {
        "sure": {
            "absence": _("Report this player as absent? A robot will take the seat.")
            if replaces_absent
            else _("Report this player as absent? A director will be called."),
            "director": _("Call a director to this table?"),
            "roll_back": _("Roll the deal back to an earlier action?"),
            "add_time": _("Give all sides more time?"),
            "settle": _("Is this settled?"),
            "count": _("Count this match as played?"),
            "stand": _(
                "Leave your seat? You can come back after this deal, or sooner if your opponents agree."
            )
            if is_match
            else _("Leave your seat?"),
            "close": _("Close this table?"),
            "report": _("Report this message to the club’s directors?"),
        },
        "fields": {
            "text": _("What happened (the director can read this)"),
            "reason": _("Reason"),
            "minutes": _("Minutes"),
            "to": _("Continue after"),
            "answer": _("Answer to the table"),
        },
        "from_start": _("the start of the deal"),
        "after": _("{number}. {action}"),
    }


def _of_buttons() -> Words:
    return {
        "steps": {
            "ready": _("Ready for the deal"),
            "take_back": _("Undo"),
            "again": _("Same deal again"),
            "hint": _("Hint"),
            "pause": pgettext("ask for it", "Pause"),
            "resume": _("Continue"),
            "director": _("Call a director"),
            "roll_back": _("Roll back"),
            "add_time": _("Add time"),
            "swap": _("Swap seats with partner"),
            "stand": _("Leave the seat"),
            "count": _("Count the match"),
            "close": _("Close the table"),
            "guests_talk": _("Let guests chat"),
            "guests_silent": _("Stop guests chatting"),
        },
    }


def _of_practice() -> Words:
    return {
        "card_played": _("{side}: convention card, version {number}"),
        "next_deal": _("Next deal"),
        "hint": _("Hint ({robot}): {action}"),
    }


def _of_line() -> Words:
    return {
        "sending": _("Sending…"),
        "failed": _("That didn’t work. Please try again."),
        "connected": _("The live connection is back."),
        "connection_lost": _("The live connection is lost. The page refreshes every few seconds."),
        "offline": _("No connection. Your last action hasn’t arrived. The table is waiting for you."),
        "other_window": _("You’re now playing in another window."),
        "skip": _("Press anywhere to skip ahead."),
        "play_here": _("Play here"),
        "not_your_turn": _("It isn’t your turn."),
        "not_allowed": _("You can’t do that now."),
        "waits_for": _("It’s {player} to play."),
        "ready_for_next": _("Say when you are ready for the next deal."),
        "your_turn_one": _("Your turn. Press a card to play it."),
        "your_turn_two": _("Your turn. Press a card to pick it up, and again to play it."),
    }
