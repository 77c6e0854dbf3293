"""Who plays in the next season, as far as they have said."""

from dataclasses import dataclass
from datetime import UTC, datetime

from league.models import Competition, Entry, Lineup, SeasonAnswer, User
from league.web.local_time import Moment

LAST, NEVER = 1000, datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A lineup that is asked; `division` is where it is entered, if it is. Without `people` it has no account."""

    row: SeasonAnswer
    entry: Entry | None
    people: int
    answered: Moment | None
    asked: Moment | None

    @property
    def is_unlike(self) -> bool:
        """Whether the draft is not what they said."""
        return (self.row.is_in is False and self.entry is not None) or (
            self.row.is_in is True and self.entry is None
        )


def of(competition: Competition) -> dict[int, SeasonAnswer]:
    """What was said, by the lineup's key; of two that became one the last answer."""
    rows = competition.answers.select_related("lineup", "answered_by").prefetch_related("lineup__members")
    ordered = sorted(rows, key=lambda row: (row.answered_at or NEVER, row.pk))
    return {row.lineup_id: row for row in ordered}


def people(lineup: Lineup) -> list[User]:
    """The accounts of its players."""
    keys = [player.user_id for player in lineup.players if player.user_id is not None]
    return list(User.objects.filter(pk__in=keys, is_active=True).order_by("pk"))


def lines(competition: Competition) -> list[AnswerLine]:
    """Everybody who is asked: in the order of the draft, then who is not in it."""
    entered = {entry.lineup_id: entry for entry in competition.entries.with_pairs()}
    zone = competition.club.time_zone
    found = [
        AnswerLine(
            row,
            entered.get(key),
            sum(player.user_id is not None for player in row.lineup.players),
            Moment(row.answered_at, zone) if row.answered_at else None,
            Moment(row.asked_at, zone) if row.asked_at else None,
        )
        for key, row in of(competition).items()
    ]
    return sorted(found, key=_place)


def _place(line: AnswerLine) -> tuple[int, int, int]:
    entry = line.entry
    return (entry.division.level, entry.number, 0) if entry else (LAST, 0, line.row.pk)
