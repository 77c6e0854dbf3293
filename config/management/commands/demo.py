"""`manage.py demo`: fills an empty installation with the demo club."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from config import demo
from config.demo import federation
from league.models import User

SEED = 1977


class Command(BaseCommand):
    help = "Makes the demo club: two divisions, half a season, and everything that can happen to a match."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--seed", type=int, default=SEED, help="the deals and the evenings follow from it"
        )
        parser.add_argument(
            "--today", type=date.fromisoformat, help="as of which day (YYYY-MM-DD); default: today"
        )
        parser.add_argument(
            "--scale",
            type=int,
            metavar="CLUBS",
            help="so many clubs to measure with, on PostgreSQL; 200 are usual",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.exists():
            raise CommandError("The demo is for an empty installation; this one has people already.")
        today = options["today"] or timezone.localdate()
        if options["scale"]:
            if connection.vendor != "postgresql":
                raise CommandError("--scale is for PostgreSQL: set DATABASE_URL.")
            federation.build(seed=options["seed"], today=today, clubs_in_all=options["scale"])
            return
        demo.build(seed=options["seed"], today=today)
        for login in demo.logins():
            self.stdout.write(str(login))
