"""`manage.py renew_board_locks`: after a new first key in BOARD_KEYS, locks everything with it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import locks
from league.actors import System


class Command(BaseCommand):
    help = "Locks sealed boards, papers and deals anew with the newest of BOARD_KEYS; then the older keys can go."

    def handle(self, *_args: Any, **_options: Any) -> None:
        found = locks.renew(actor=System("renew_board_locks"))
        counts = f"{found.boards} sets, {found.papers} papers and {found.deals} deals of tables"
        self.stdout.write(f"{counts} are locked with the newest key.")
        if found.unreadable:
            named = ", ".join(map(str, found.unreadable))
            raise CommandError(f"No key opens these sets, keep looking for it: {named}", returncode=1)
