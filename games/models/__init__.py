from games.models.analyses import Analysis, PlayedHand, PlayedSide
from games.models.boards import Board, BoardDraw, BoardSet
from games.models.chat import ChatLine
from games.models.conventions import Agreement, ConventionCard
from games.models.daily import DailyDeal, DailyPlay
from games.models.duplicate import (
    AdjustedScore,
    BoardAverage,
    BoardConsent,
    Comparison,
    Duplicate,
    EarlyPlay,
    EventRanking,
    FixtureBoard,
    NeutralInvitation,
    Participation,
    Ruling,
)
from games.models.evenings import Evening, SectionMovement
from games.models.grades import (
    GradeBook,
    GradeSession,
    GradeSource,
    GradeStart,
    GradeStep,
    Handicap,
    HandicapGrade,
    HiddenGrade,
)
from games.models.guests import GuestLink, TableGuest
from games.models.matches import (
    Match,
    MatchSeat,
    PlayedDeal,
    RobotHand,
    Scoresheet,
    ScoresheetDraft,
    SilenceNotice,
    SilencePeriod,
    Vouch,
)
from games.models.papers import Paper
from games.models.people import LearningProgress, LobbyChoice
from games.models.photos import SheetPhoto
from games.models.tables import Action, OnlinePlay, Table, TableDeal, TableRequest, TableSeat

__all__ = [
    "Action",
    "AdjustedScore",
    "Agreement",
    "Analysis",
    "Board",
    "BoardAverage",
    "BoardConsent",
    "BoardDraw",
    "BoardSet",
    "ChatLine",
    "Comparison",
    "ConventionCard",
    "DailyDeal",
    "DailyPlay",
    "Duplicate",
    "EarlyPlay",
    "Evening",
    "EventRanking",
    "FixtureBoard",
    "GradeBook",
    "GradeSession",
    "GradeSource",
    "GradeStart",
    "GradeStep",
    "GuestLink",
    "Handicap",
    "HandicapGrade",
    "HiddenGrade",
    "LearningProgress",
    "LobbyChoice",
    "Match",
    "MatchSeat",
    "NeutralInvitation",
    "OnlinePlay",
    "Paper",
    "Participation",
    "PlayedDeal",
    "PlayedHand",
    "PlayedSide",
    "RobotHand",
    "Ruling",
    "Scoresheet",
    "ScoresheetDraft",
    "SectionMovement",
    "SheetPhoto",
    "SilenceNotice",
    "SilencePeriod",
    "Table",
    "TableDeal",
    "TableGuest",
    "TableRequest",
    "TableSeat",
    "Vouch",
]
