"""`manage.py mail ID`: one mail, whole."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template import TemplateDoesNotExist

from league.models import OutboxMessage
from league.notices.services import outbox


class Command(BaseCommand):
    help = "Prints a mail with its links, those to accounts with a role in a club, too."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", type=int, help="the number at the end of the mail's address on the site")

    def handle(self, *_args: Any, **options: Any) -> None:
        mail = OutboxMessage.objects.filter(pk=options["id"]).first()
        if mail is None:
            raise CommandError("There is no such mail.")
        if not mail.contents:
            raise CommandError("This mail has been handed to a mail server, so its text isn't kept.")
        try:
            text = outbox.written(mail)
        except (TemplateDoesNotExist, ValueError) as failure:
            raise CommandError(f"This mail can't be read: {failure}") from failure
        self.stdout.write(f"To: {mail.to}\nSubject: {text.subject}\n\n{text.body}")
