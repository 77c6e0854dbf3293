"""What workers do for matches. Each task takes keys, calls one service, and may run twice, late or never."""

import structlog
from celery import shared_task
from django.utils import timezone

from games.analysis.services import analyses
from games.boards.services import boards, releases
from games.club_files import services as club_files
from games.comparisons.services import comparisons
from games.daily import services as daily
from games.grades import services as grades
from games.matches import verification
from games.papers.services import papers
from games.scoresheets.services import photos, silence_sweep
from games.tables.services import chat, guests, play, results, sweeping
from league.background import sweeps
from league.models import Competition
from league.standings.services import verification as league_verification
from league.standings.services.verification import Difference

log = structlog.get_logger(__name__)


@shared_task
def analyse(*analysis_ids: int) -> int:
    """Works out what the cards of these deals could have made; gives how many were new."""
    return analyses.compute_all(analysis_ids=analysis_ids, at=timezone.now())


@shared_task
def sweep_analyses() -> int:
    """Heals analyses whose message was lost; gives how many were worked out."""
    return analyses.sweep(at=timezone.now())


@shared_task
def compare_board(board_id: int) -> None:
    """Stores the figures of a board's newest results."""
    comparisons.compute(board_id=board_id, at=timezone.now())


@shared_task
def rank_event(competition_id: int) -> None:
    """Stores the rankings of a duplicate event's newest results."""
    comparisons.rank(competition_id=competition_id, at=timezone.now())


@shared_task
def sweep_comparisons() -> int:
    """Heals figures and rankings whose message was lost; gives how many boards and events were out of date."""
    return comparisons.sweep(at=timezone.now())


@shared_task
def sweep_grades() -> int:
    """Rates new and corrected results; gives for how many competitions there was anything."""
    return grades.sweep(at=timezone.now())


@shared_task
def sweep_boards() -> int:
    """Heals boards that were missed: matches added to a round, releases that could not be made; gives how many."""
    at = timezone.now()
    return boards.assign_added(at=at) + releases.open_overdue(at=at) + releases.release_missed(at=at)


@shared_task
def forget_guests() -> int:
    """Forgets guests whose tables are over for a day; gives how many."""
    return guests.purge(at=timezone.now())


@shared_task
def make_paper(paper_id: int) -> None:
    """Makes a paper that somebody asked for."""
    papers.make_paper(paper_id=paper_id, at=timezone.now())


@shared_task
def sweep_papers() -> int:
    """Makes printouts whose message was lost, deletes old ones; gives how many were made."""
    return papers.sweep(at=timezone.now())


@shared_task
def import_club(import_id: int) -> None:
    """Makes the club of a file that somebody sent."""
    club_files.carry_out(import_id=import_id, at=timezone.now())


@shared_task
def sweep_club_files() -> int:
    """Imports files whose message was lost, and forgets old ones; gives how many clubs were made."""
    return club_files.sweep(at=timezone.now())


@shared_task
def prepare_photo(photo_id: int) -> None:
    """Makes a plain picture of a photo that somebody added."""
    photos.prepare(photo_id=photo_id, at=timezone.now())


@shared_task
def sweep_photos() -> int:
    """Prepares photos whose message was lost, deletes old ones; gives how many it looked at."""
    return photos.sweep(at=timezone.now())


@shared_task
def sweep_silence() -> int:
    """Reminds of sheets that count by silence, and lets them count; gives how many it looked at."""
    return silence_sweep.sweep(at=timezone.now())


# Twice what the most actions in a row take: other tables wait behind a robot that never ends.
@shared_task(time_limit=120)
def play_robots(table_id: int) -> int:
    """Lets the robots of a table act until a person is on turn; gives how often."""
    return play.play_robots(table_id=table_id)


@shared_task
def record_table(table_id: int) -> None:
    """Makes the result of a match that was played to the end at a table."""
    results.record(table_id=table_id)


@shared_task
def sweep_tables() -> int:
    """Heals what a lost message left at tables, and looks at their clocks; gives how much was done."""
    return sweeping.sweep(at=timezone.now())


@shared_task
def sweep_daily() -> int:
    """Makes the daily deals to come and releases those that are over; gives how many were released."""
    return daily.sweep(at=timezone.now())


@shared_task
def sweep_chat() -> int:
    """Deletes what was said at tables a day ago, and what was reported thirty days ago; gives how many lines."""
    return chat.sweep(at=timezone.now())


@shared_task
def verify_everything() -> int:
    """Asks for each competition that was not verified in this night; gives how many there were."""
    keys = list(league_verification.due(at=timezone.now()).values_list("pk", flat=True))
    for key in keys:
        verify_competition.delay(key)
    return len(keys)


@shared_task
def verify_competition(competition_id: int) -> int:
    """Recomputes every table and score of one, and reports each difference; gives how many are wrong."""
    at = timezone.now()
    found: list[Difference] = []

    def verify(key: int) -> bool:
        found[:] = verification.differences(competition=Competition.objects.get(pk=key))
        league_verification.record(competition_id=key, found=found, at=at)
        return True

    due = league_verification.due(at=at).filter(pk=competition_id)
    sweeps.run(work="verification", rows=due, do=verify, at=at, is_all=False)
    for difference in found:
        report = log.info if difference.is_stale else log.error
        report(
            "stored_value_stale" if difference.is_stale else "stored_value_differs",
            difference=difference.place,
        )
    return sum(not difference.is_stale for difference in found)
