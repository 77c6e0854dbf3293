"""`manage.py import_club FILE --owner ADDRESS`: a new club from a file that export_club wrote."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.club_files import services
from league.errors import LeagueError
from league.models import User


class Command(BaseCommand):
    help = "Makes a new club from a file; its results are computed again and must come to the tables in the file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--owner", required=True, help="the e-mail address of the account that will own it"
        )
        parser.add_argument("--name", default="", help="another name for the club")

    def handle(self, *_args: Any, **options: Any) -> None:
        owner = User.objects.filter(email__iexact=options["owner"], is_active=True).first()
        if owner is None:
            raise CommandError("There is no account with this address.")
        try:
            with options["file"].open("rb") as source:
                made = services.import_at_once(
                    owner=owner,
                    source=source,
                    file_name=options["file"].name,
                    name=options["name"],
                    at=timezone.now(),
                )
        except OSError as fault:
            raise CommandError(f"The file can't be read: {fault.strerror}.") from fault
        except LeagueError as refusal:
            details = [str(each["message"]) for each in refusal.details if isinstance(each, dict)]
            raise CommandError("\n".join(details or [refusal.message])) from refusal
        found = made.preview
        self.stdout.write(
            f"{made.club}: {found['players']} players, {len(found['competitions'])} competitions, "
            f"{found['matches']} matches, {found['sheets']} scoresheets."
        )
        for each in found["left_out"]:
            self.stdout.write(f"Not in the file: {each['what'].replace('_', ' ')} ({each['count']})")
