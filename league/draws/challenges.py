"""What a page shows of a challenge, and of who may make one."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import QuerySet

from league import policies
from league.actors import Visitor
from league.models import Challenge, Competition, Entry, User
from league.standings import ladders


@dataclass(frozen=True, slots=True)
class Shown:
    """A challenge, its last day, where both stand, and what this reader may do about it."""

    challenge: Challenge
    last_day: date | None
    places: tuple[int | None, int | None]
    may_answer: bool
    may_withdraw: bool
    is_due: bool
    """Whether its last day is over, and the sweep has only to say so."""


def who_may_challenge(entry: Entry, user: Visitor, *, at: datetime) -> list[tuple[Entry, str]]:
    """Those below it for whom this reader may speak, each with the reason why it may not ("" where it may)."""
    ladder = ladders.of_division(entry.division)
    if ladder is None:
        return []
    standing = ladders.standing(ladder, max(ladders.day_of(ladder, at), ladder.folded_on))
    entries = entry.division.entries.with_pairs().select_related("competition__club")
    by_key = {each.pk: each for each in entries}
    found = []
    place = standing.places.get(entry.pk, 0)
    for key, other in standing.places.items():
        if other > place and policies.may(user, "entry.challenge", by_key[key]):
            refusal = standing.refusal(by_key[key], entry)
            found.append((by_key[key], str(ladders.REASONS[refusal]) if refusal else ""))
    return found


def of_challenge(pk: int, user: Visitor, *, at: datetime) -> Shown | None:
    """The challenge as this reader may see it; None where they may not."""
    rows = Challenge.objects.select_related("ladder__division__stage__competition__club", "fixture")
    row = rows.filter(pk=pk).first()
    if row is None:
        return None
    pairs = Entry.objects.with_pairs().select_related("competition__club")
    row.challenger, row.challenged = pairs.get(pk=row.challenger_id), pairs.get(pk=row.challenged_id)
    is_own = isinstance(user, User) and any(
        policies.may(user, "entry.challenge", each) for each in row.entries
    )
    if not is_own and not policies.may(user, "competition.see", row.competition):
        return None
    standing = ladders.standing(row.ladder, max(ladders.day_of(row.ladder, at), row.ladder.folded_on))
    is_open = row.state == Challenge.State.OPEN and pk in standing.open
    return Shown(
        row,
        standing.last_day(row),
        (standing.places.get(row.challenger_id), standing.places.get(row.challenged_id)),
        may_answer=is_open and policies.may(user, "entry.challenge", row.challenged),
        may_withdraw=is_open and policies.may(user, "entry.challenge", row.challenger),
        is_due=row.is_open and pk not in standing.open,
    )


def waiting_for(user: User) -> QuerySet[Challenge]:
    """The challenges that this person, or a partner, can answer."""
    rows: QuerySet[Challenge] = Challenge.objects.filter(
        state=Challenge.State.OPEN,
        challenged__lineup__members__player__user=user,
        ladder__division__stage__competition__state=Competition.State.RUNNING,
    ).select_related("ladder__division__stage__competition", "challenger__lineup", "challenged__lineup")
    return rows.order_by("made_at")
