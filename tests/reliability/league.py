"""Makes a league of so many pairs in the database of a production, and prints who plays in its matches.

python -m tests.reliability.league PAIRS   [{"key": match, "home": [token, token], "away": [token, token]}]
"""

import json
import sys
import time

import django

django.setup()

from django.utils import timezone  # noqa: E402

from league.models import Fixture  # noqa: E402
from league.people.services import tokens  # noqa: E402
from tests.league import factories  # noqa: E402


def main(pairs: int) -> None:
    """Everybody has an account and a token; names and addresses are of this league alone."""
    mark = f"{time.time_ns():x}"
    club = factories.club(f"Club {mark}", slug=f"club-{mark}")
    rules = {"rules": "concerto-2013", "deals": 4, "duplicate": False, "early_end": True, "game_bonus": True}
    competition = factories.running(
        club, pairs, rules=rules, points={"win": 2, "draw": 1, "loss": 0}, name=f"League {mark}"
    )
    texts: dict[int, list[str]] = {}
    for lineup in {side.lineup for side in competition.entries.select_related("lineup")}:
        for player in lineup.players:
            player.user = factories.member(
                club, who=factories.user(f"{mark}-{player.pk}@example.org", player.name)
            )
            player.save(update_fields=["user"])
            _made, text = tokens.make(actor=player.user, at=timezone.now())
            texts.setdefault(lineup.pk, []).append(text)
    matches = [
        {"key": each.pk, "home": texts[each.home.lineup_id], "away": texts[each.away.lineup_id]}
        for each in Fixture.objects.with_pairs().filter(division__stage__competition=competition)
    ]
    print(json.dumps(matches))


if __name__ == "__main__":
    main(int(sys.argv[1]))
