from league.models.accounts import User
from league.models.audit import AuditEntry
from league.models.clubs import Club, Invitation, Membership, Role
from league.models.competitions import Adjustment, Competition, Division, Entry, LotDraw, Season, Stage
from league.models.delivery import IdempotencyKey, ImportBatch, OutboxMessage, SweepFailure
from league.models.drafts import DraftChange
from league.models.fixtures import Appearance, DateProposal, Fixture, FixtureResult, Round, Substitution
from league.models.players import Lineup, LineupMember, Player, PlayerClaim, PlayerMerge
from league.models.standings import StandingsTable
from league.models.tokens import ApiToken

__all__ = [
    "Adjustment",
    "ApiToken",
    "Appearance",
    "AuditEntry",
    "Club",
    "Competition",
    "DateProposal",
    "Division",
    "DraftChange",
    "Entry",
    "Fixture",
    "FixtureResult",
    "IdempotencyKey",
    "ImportBatch",
    "Invitation",
    "Lineup",
    "LineupMember",
    "LotDraw",
    "Membership",
    "OutboxMessage",
    "Player",
    "PlayerClaim",
    "PlayerMerge",
    "Role",
    "Round",
    "Season",
    "Stage",
    "StandingsTable",
    "Substitution",
    "SweepFailure",
    "User",
]
