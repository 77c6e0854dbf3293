"""`manage.py bounced ADDRESS`: a mail server sent our mail back later; no more notices go there."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.actors import System
from league.notices.services import notices


class Command(BaseCommand):
    help = "Sends no more notices to addresses that gave mail back. Their people are told on the site."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS")

    def handle(self, *_args: Any, **options: Any) -> None:
        unknown = [
            each
            for each in options["addresses"]
            if not notices.bounced(actor=System("bounced"), address=each, at=timezone.now())
        ]
        if unknown:
            raise CommandError(f"No account or open invitation has {', '.join(unknown)}.")
