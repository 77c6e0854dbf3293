"""`manage.py renew_board_locks`: after a new first key in BOARD_KEYS, encrypts everything with it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.boards.services import locks
from league.actors import System


class Command(BaseCommand):
    help = "Encrypts all that BOARD_KEYS protect with the newest of them; then the older keys can go."

    def handle(self, *_args: Any, **_options: Any) -> None:
        found = locks.renew(actor=System("renew_board_locks"))
        for column, rows in found.rows.items():
            self.stdout.write(f"{column}: {rows}")
        self.stdout.write(f"{sum(found.rows.values())} values came under the newest key.")
        if found.unreadable:
            named = "; ".join(
                f"{column} {', '.join(map(str, ks))}" for column, ks in found.unreadable.items()
            )
            raise CommandError(f"No key opens these rows, keep looking for it: {named}", returncode=1)
