"""`manage.py verify`: recomputes all that is stored, from tables to daily deals, and exits 1 on a difference."""

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.analysis.services import analyses
from games.comparisons.services import comparisons
from games.conventions import verification as conventions
from games.daily import queries as daily
from games.grades import services as grades
from games.grades import verification as grade_verification
from games.matches import verification
from league.models import Competition
from league.standings.services import standings


class Command(BaseCommand):
    help = (
        "Recomputes every table, stored score, figure of a board, ranking and daily deal from the facts, and reads "
        "every convention card; exits 1 if anything is wrong. What a worker is still to compute is told apart."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--competition", type=int, help="only the competition with this key")
        parser.add_argument(
            "--settle", action="store_true", help="first compute what waits for a worker, as the sweep does"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["settle"]:
            standings.sweep(at=timezone.now())
            while comparisons.sweep(at=timezone.now()):
                pass
            while analyses.sweep(at=timezone.now()):
                pass
            while grades.sweep(at=timezone.now()):
                pass
        competitions = Competition.objects.select_related("club").order_by("pk")
        if options["competition"]:
            competitions = competitions.filter(pk=options["competition"])
        wrong = stale = 0
        checks = [verification.differences(competition=each) for each in competitions]
        if not options["competition"]:
            checks += [daily.differences(), conventions.differences(), grade_verification.differences()]
        for difference in chain.from_iterable(checks):
            self.stdout.write(str(difference))
            wrong, stale = wrong + (not difference.is_stale), stale + difference.is_stale
        if wrong:
            raise CommandError(f"{wrong} differences, and {stale} that wait for a worker", returncode=1)
        if stale:
            self.stdout.write(f"{stale} wait for a worker: --settle computes them first.")
        self.stdout.write(f"{len(competitions)} competitions verified: everything follows from its facts.")
