from games.models.analyses import Analysis, PlayedHand, PlayedSide
from games.models.boards import Board, BoardDraw, BoardSet
from games.models.conventions import Agreement
from games.models.duplicate import Award, Comparison, Duplicate, EventRanking, FixtureBoard
from games.models.evenings import Evening, SectionMovement
from games.models.matches import Match, MatchSeat, PlayedDeal, Scoresheet, ScoresheetDraft
from games.models.papers import Paper
from games.models.tables import Action, OnlinePlay, Table, TableDeal, TableRequest, TableSeat

__all__ = [
    "Action",
    "Agreement",
    "Analysis",
    "Award",
    "Board",
    "BoardDraw",
    "BoardSet",
    "Comparison",
    "Duplicate",
    "Evening",
    "EventRanking",
    "FixtureBoard",
    "Match",
    "MatchSeat",
    "OnlinePlay",
    "Paper",
    "PlayedDeal",
    "PlayedHand",
    "PlayedSide",
    "Scoresheet",
    "ScoresheetDraft",
    "SectionMovement",
    "Table",
    "TableDeal",
    "TableRequest",
    "TableSeat",
]
