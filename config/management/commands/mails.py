"""`manage.py mails`: what waits, what was given up; and sends that again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.actors import System
from league.models import OutboxMessage
from league.notices.services import outbox


class Command(BaseCommand):
    help = "Says how many mails wait, and lists those that were given up after three days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--retry", action="store_true", help="have those that were given up sent again")

    def handle(self, *_args: Any, **options: Any) -> None:
        waiting = OutboxMessage.objects.waiting()
        oldest = waiting.order_by("made_at").first()
        since = f", the oldest since {oldest.made_at:%Y-%m-%d %H:%M} UTC" if oldest else ""
        self.stdout.write(f"{_mails(waiting.count(), 'waits', 'wait')}{since}.")
        given_up = OutboxMessage.objects.given_up()
        self.stdout.write(f"{_mails(given_up.count(), 'was', 'were')} given up.")
        for mail in given_up.order_by("pk"):
            self.stdout.write(f"  {mail.pk}  {mail.made_at:%Y-%m-%d %H:%M}  {mail.to}  {mail.last_error}")
        if options["retry"]:
            count = outbox.retry(actor=System("mails"))
            self.stdout.write(f"{_mails(count, 'will', 'will')} be sent again.")


def _mails(count: int, one: str, many: str) -> str:
    return f"1 mail {one}" if count == 1 else f"{count} mails {many}"
