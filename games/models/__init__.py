from games.models.matches import Match, MatchSeat, PlayedDeal, Scoresheet, ScoresheetDraft

__all__ = ["Match", "MatchSeat", "PlayedDeal", "Scoresheet", "ScoresheetDraft"]
