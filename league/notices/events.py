"""What people are told of: one entry each, with what it is called and how it is told unless somebody chooses otherwise.

The texts are templates/notices/KEY_title.txt (one line) and KEY.txt (paragraphs). They hold no card, no result that is
not for the reader, and nobody's address.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import NoticeChoice

Channel = NoticeChoice.Channel


@dataclass(frozen=True, slots=True)
class Event:
    """Something to tell people. `action` is written on the button to the page where they see to it."""

    key: str
    name: Promise
    action: Promise
    channel: str = Channel.MAIL
    is_for_directors: bool = False
    is_urgent: bool = False
    """Whether a mail that comes after the quiet hours would come too late: then none is sent."""
    has_own_mail: bool = False
    """Whether it is told of by a mail of its own, whoever the address belongs to: then the notice is none."""


TO_CONFIRM = Event("to_confirm", _("A scoresheet for you to confirm"), _("Check the scoresheet"))
SILENCE_ENDS = Event("silence_ends", _("A scoresheet that counts tomorrow"), _("Check the scoresheet"))
COUNTS_SIGNED = Event("counts_signed", _("A result that counts"), _("View the match"))
SCORESHEET_REJECTED = Event(
    "scoresheet_rejected", _("Your scoresheet was rejected"), _("Correct the scoresheet")
)
DATE_PROPOSED = Event("date_proposed", _("Another time proposed"), _("View the proposal"))
DATE_ANSWERED = Event("date_answered", _("The answer to a proposed time"), _("View the match"))
DATE_WITHDRAWN = Event("date_withdrawn", _("A proposed time withdrawn"), _("View the match"))
SHEET_CONFIRMED = Event("sheet_confirmed", _("A scoresheet confirmed"), _("View the match"), Channel.INBOX)
SHEET_CORRECTED = Event("sheet_corrected", _("A result corrected"), _("View the match"))
REOPENED = Event("reopened", _("Your match was reopened"), _("View the match"))
SEASON_PUBLISHED = Event("season_published", _("Your matches of a new season"), _("View the competition"))
NEW_MATCHES = Event("new_matches", _("New matches during the season"), _("View the competition"))
ENTRY_WITHDRAWN = Event("entry_withdrawn", _("A pair you play against withdraws"), _("View the competition"))
ADJUSTED = Event("adjusted", _("League points given or taken"), _("View the table"))
SEASON_FINISHED = Event("season_finished", _("Your place at the end of a season"), _("View the table"))
PRIZES_CHANGED = Event(
    "prizes_changed", _("A prize you win or lose by a correction"), _("View the competition")
)
BOARDS_OPEN = Event("boards_open", _("Boards you played are public"), _("Compare"), Channel.INBOX)
ARRANGED = Event("arranged", _("Date or place of a match set"), _("View the match"))
POSTPONED = Event("postponed", _("A match postponed"), _("View the match"))
RULED = Event("ruled", _("A director decided your match"), _("View the match"))
TIE = Event("tie", _("A level match in a cup, and who goes on from it"), _("View the match"))
SUBSTITUTE = Event("substitute", _("A substitute in your match"), _("View the match"))
SUBSTITUTE_ASKED = Event("substitute_asked", _("You’re asked to be a substitute"), _("Answer"))
SUBSTITUTE_ANSWERED = Event("substitute_answered", _("The answer of a substitute"), _("View the match"))
SUBSTITUTE_SAID = Event(
    "substitute_said",
    _("What a substitute answered"),
    _("View the match"),
    Channel.INBOX,
    is_for_directors=True,
)
SEASON_SUBSTITUTE = Event(
    "season_substitute", _("A player of a pair changes for the season"), _("View the competition")
)
MATCH_SOON = Event("match_soon", _("A match in three days, and tomorrow"), _("View the match"))
RESULT_OWED = Event("result_owed", _("Your match’s scoresheet is missing"), _("Enter the scoresheet"))
RESULT_ASKED = Event("result_asked", _("A director asks for a result"), _("Enter the scoresheet"))
CHALLENGED = Event("challenged", _("You’re challenged on a ladder"), _("Answer"))
CHALLENGE_ANSWERED = Event(
    "challenge_answered", _("The answer to a challenge, or its end"), _("View the challenge")
)
CHALLENGE_DUE = Event("challenge_due", _("A challenge whose days end soon"), _("View the challenge"))
LADDER_IDLE = Event("ladder_idle", _("A place lost on a ladder for not playing"), _("View the ladder"))
WEEK = Event("week", _("Your week, on Mondays"), _("View your matches"))
PLAYING_ON = Event("playing_on", _("Are you in again next season?"), _("Answer"))
TABLE_CALLED = Event("table_called", _("Your match’s table is open"), _("Sit down"), is_urgent=True)
TABLE_ASKS = Event("table_asks", _("A table is looking for players"), _("Sit down"), is_urgent=True)
INVITED = Event("invited", _("A club invites you"), _("Answer"), has_own_mail=True)
CLAIM_DECIDED = Event("claim_decided", _("The answer to your claim"), _("View the page"))
LINKED_YOU = Event("linked_you", _("You’re linked to a player"), _("View your matches"))
JOIN_ANSWERED = Event("join_answered", _("The answer of a club you asked to join"), _("View the club"))
MAIL_BOUNCED = Event("mail_bounced", _("Mail to you came back"), _("View your choices"), Channel.INBOX)
WEBHOOK_ENDED = Event(
    "webhook_ended", _("A webhook was turned off"), _("View the webhook"), is_for_directors=True
)
DISPUTED = Event(
    "disputed", _("The sides disagree about a scoresheet"), _("View the match"), is_for_directors=True
)
DIRECTOR_CALLED = Event(
    "director_called",
    _("A table calls a director"),
    _("Go to the table"),
    is_for_directors=True,
    is_urgent=True,
)
CLAIM = Event("claim", _("Someone claims a player"), _("Decide"), is_for_directors=True)
JOIN_ASKED = Event("join_asked", _("Someone asks to join the club"), _("Decide"), is_for_directors=True)
LINKED = Event("linked", _("A player has an account now"), _("View the player"), is_for_directors=True)

#: In the order in which people choose.
EVENTS = (
    TO_CONFIRM,
    SILENCE_ENDS,
    COUNTS_SIGNED,
    SCORESHEET_REJECTED,
    SHEET_CONFIRMED,
    SHEET_CORRECTED,
    REOPENED,
    SEASON_PUBLISHED,
    NEW_MATCHES,
    ENTRY_WITHDRAWN,
    ADJUSTED,
    SEASON_FINISHED,
    PRIZES_CHANGED,
    BOARDS_OPEN,
    DATE_PROPOSED,
    DATE_ANSWERED,
    DATE_WITHDRAWN,
    ARRANGED,
    POSTPONED,
    RULED,
    TIE,
    SUBSTITUTE,
    SUBSTITUTE_ASKED,
    SUBSTITUTE_ANSWERED,
    SEASON_SUBSTITUTE,
    MATCH_SOON,
    RESULT_OWED,
    RESULT_ASKED,
    CHALLENGED,
    CHALLENGE_ANSWERED,
    CHALLENGE_DUE,
    LADDER_IDLE,
    WEEK,
    PLAYING_ON,
    TABLE_CALLED,
    TABLE_ASKS,
    INVITED,
    CLAIM_DECIDED,
    LINKED_YOU,
    JOIN_ANSWERED,
    MAIL_BOUNCED,
    DISPUTED,
    DIRECTOR_CALLED,
    SUBSTITUTE_SAID,
    JOIN_ASKED,
    CLAIM,
    LINKED,
    WEBHOOK_ENDED,
)
_BY_KEY = {event.key: event for event in EVENTS}


def find(key: str) -> Event | None:
    """The event of that key; None for one that an older version knew, or for a mail that is no notice."""
    return _BY_KEY.get(key)
