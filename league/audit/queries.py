"""What changed in a club, as its directors read it: who did what, when, to what, and why."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db.models import QuerySet
from django.urls import reverse

from league import extension
from league.actors import Visitor
from league.models import AuditEntry, Club, Competition, Fixture, Player
from league.web.local_time import Moment

# What one act writes about one match stands together.
ONE_ACT = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class Subject:
    """What an act was about; `url` is empty when there is no page of it any more."""

    name: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One act. `is_masked` says that there is a reason which is not for the reader yet; `why` is empty then."""

    when: Moment
    who: str
    what: tuple[str, ...]
    about: Subject
    why: str
    is_masked: bool = False


def of_club(club: Club) -> QuerySet[AuditEntry]:
    """The club's audit entries, the newest first."""
    entries: QuerySet[AuditEntry] = AuditEntry.objects.filter(club=club)
    return entries


def lines(entries: Iterable[AuditEntry], club: Club, *, reader: Visitor) -> tuple[TrailLine, ...]:
    """The entries in words; what one person did to one match in one go is one line.

    Three queries at most, and those of the games that keep reasons from a reader who still plays.
    """
    listed = list(entries)
    subjects = _Subjects(listed, club)
    masked = extension.layer().masked_reasons(reader=reader, entries=listed)
    told: list[tuple[AuditEntry, TrailLine]] = []
    for entry in listed:
        last = told[-1] if told else None
        if last and _is_same_act(last[0], entry):
            told[-1] = (last[0], _joined(last[1], _line(entry, subjects, masked)))
        else:
            told.append((entry, _line(entry, subjects, masked)))
    return tuple(line for _entry, line in told)


def _line(entry: AuditEntry, subjects: "_Subjects", masked: Collection[int]) -> TrailLine:
    is_masked = entry.pk in masked
    return TrailLine(
        when=Moment(entry.at, subjects.club.time_zone),
        who=entry.actor_name,
        what=(entry.told,),
        about=subjects.of(entry),
        why="" if is_masked else entry.reason.strip(),
        is_masked=is_masked,
    )


def _is_same_act(newer: AuditEntry, older: AuditEntry) -> bool:
    return (
        newer.fixture_id is not None
        and newer.fixture_id == older.fixture_id
        and newer.actor_name == older.actor_name
        and newer.at - older.at < ONE_ACT
        # The match and its sheet each tell of it; two acts on the same thing stay two.
        and newer.action.partition(".")[0] != older.action.partition(".")[0]
    )


def _joined(line: TrailLine, older: TrailLine) -> TrailLine:
    what = line.what + tuple(each for each in older.what if each not in line.what)
    return replace(line, what=what, why=line.why or older.why, is_masked=line.is_masked or older.is_masked)


class _Subjects:
    """Names and addresses of what entries are about, read together."""

    def __init__(self, entries: Sequence[AuditEntry], club: Club) -> None:
        self.club = club
        fixtures = {entry.fixture_id for entry in entries if entry.fixture_id}
        competitions = {entry.competition_id for entry in entries if entry.competition_id}
        players = {entry.player_id for entry in entries if entry.player_id}
        # The trail outlives what it tells of: what is gone is not found here.
        self._fixtures = Fixture.with_rooms.with_pairs().in_bulk(fixtures) if fixtures else {}
        self._competitions = Competition.objects.in_bulk(competitions) if competitions else {}
        self._players = Player.objects.in_bulk(players) if players else {}

    def of(self, entry: AuditEntry) -> Subject:
        """What the entry is about."""
        fixture = self._fixtures.get(entry.fixture_id)
        if fixture is not None:
            return Subject(str(fixture), reverse("match", args=[fixture.pk]))
        competition = self._competitions.get(entry.competition_id)
        if competition is not None:
            url = reverse("competition_manage", args=[self.club.slug, competition.slug])
            return Subject(competition.name, url)
        player = self._players.get(entry.player_id)
        if player is not None:
            return Subject(player.name, player.get_absolute_url())
        return Subject()
