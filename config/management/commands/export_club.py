"""`manage.py export_club CLUB FILE`: a club, or one of its competitions, as one file."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.club_files import exporting
from league.actors import System
from league.models import Club


class Command(BaseCommand):
    help = (
        "Writes a club, or one of its competitions, into a file that import_club reads on any installation."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", help="the club's address, such as riverside")
        parser.add_argument("file", type=Path, help="the file to write; it must not be there yet")
        parser.add_argument("--competition", default="", help="only the competition with this address")

    def handle(self, *_args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError("There is no club with this address.")
        competition = club.competitions.filter(slug=options["competition"]).first()
        if options["competition"] and competition is None:
            raise CommandError("The club has no competition with this address.")
        try:
            # Names of people are in it: for nobody else on this computer.
            made = os.open(options["file"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as fault:
            raise CommandError(f"The file can't be written: {fault.strerror}.") from fault
        with os.fdopen(made, "wb") as target:
            exporting.export(actor=System("Concertmaster"), club=club, competition=competition, target=target)
        for each in exporting.left_out(exporting.scope_of(club, competition)):
            self.stdout.write(f"Left out: {each['what'].replace('_', ' ')} ({each['count']})")
        self.stdout.write(f"{club} was written to {options['file']}.")
