from league.models.accounts import Contact, DayAway, User
from league.models.audit import AuditEntry, Erasure
from league.models.club_files import ClubImport, ImportedTrailLine
from league.models.clubs import Club, Invitation, JoinRequest, Membership, Role
from league.models.competitions import (
    Adjustment,
    Competition,
    Division,
    Entry,
    ForbiddenMeeting,
    LotDraw,
    RequestedBye,
    RoundDraw,
    Season,
    Stage,
)
from league.models.delivery import IdempotencyKey, ImportBatch, MailAccount, OutboxMessage, SweepFailure
from league.models.drafts import DraftChange
from league.models.fixtures import (
    Appearance,
    DateProposal,
    Fixture,
    FixtureResult,
    NamedPairs,
    Round,
    SeasonSubstitute,
    Substitution,
    TieDecision,
)
from league.models.handovers import Failure, Handover, MailFailure
from league.models.ladders import Challenge, Ladder, LadderEvent, LadderPlace
from league.models.notices import Notice, NoticeChoice, NoticeSettings
from league.models.players import Lineup, LineupMember, Player, PlayerClaim, PlayerMerge
from league.models.push import PushDelivery, PushSubscription
from league.models.seasons import FinalPlace, PlayOff, SeasonAnswer, SeasonEnd
from league.models.standings import StandingsTable
from league.models.tokens import ApiToken, CalendarAddress
from league.models.webhooks import Webhook, WebhookAttempt, WebhookDelivery

__all__ = [
    "Adjustment",
    "ApiToken",
    "Appearance",
    "AuditEntry",
    "CalendarAddress",
    "Challenge",
    "Club",
    "ClubImport",
    "Competition",
    "Contact",
    "DateProposal",
    "DayAway",
    "Division",
    "DraftChange",
    "Entry",
    "Erasure",
    "Failure",
    "FinalPlace",
    "Fixture",
    "FixtureResult",
    "ForbiddenMeeting",
    "Handover",
    "IdempotencyKey",
    "ImportBatch",
    "ImportedTrailLine",
    "Invitation",
    "JoinRequest",
    "Ladder",
    "LadderEvent",
    "LadderPlace",
    "Lineup",
    "LineupMember",
    "LotDraw",
    "MailAccount",
    "MailFailure",
    "Membership",
    "NamedPairs",
    "Notice",
    "NoticeChoice",
    "NoticeSettings",
    "OutboxMessage",
    "PlayOff",
    "Player",
    "PlayerClaim",
    "PlayerMerge",
    "PushDelivery",
    "PushSubscription",
    "RequestedBye",
    "Role",
    "Round",
    "RoundDraw",
    "Season",
    "SeasonAnswer",
    "SeasonEnd",
    "SeasonSubstitute",
    "Stage",
    "StandingsTable",
    "Substitution",
    "SweepFailure",
    "TieDecision",
    "User",
    "Webhook",
    "WebhookAttempt",
    "WebhookDelivery",
]
