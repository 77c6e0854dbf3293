"""How much of the same kind `make test` tries, and `make thorough` all of.

Tests marked `thorough` run in the latter only. Others walk over many things of one kind, and take a share of them: each
thing's turn comes with another version of the files, so that what is committed is walked over in full by and by. The
tests of some files take turns themselves (`BY_TURNS`).
"""

import os
import zlib
from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

IS_THOROUGH = os.environ.get("THOROUGH") == "1"
#: Whose turn it is; `tests.run` says so. Without it the share is the same each time.
TURN = int(os.environ.get("TURN", "0"))

#: Of the tests whose names begin so `make test` runs one in so many, by turns; the longest beginning counts. None that
#: is a main path (`both_databases`). docs/development.md says which tests of every run try the same.
BY_TURNS = {
    "tests/attacks/test_admin.py": 4,
    "tests/attacks/test_coalition.py": 6,
    "tests/attacks/test_linked_accounts.py": 4,
    "tests/attacks/test_playing_officials.py": 5,
    "tests/attacks/test_redis_away.py": 4,
    "tests/attacks/test_table_play.py": 3,
    "tests/attacks/test_table_sockets.py": 3,
    "tests/attacks/test_tables_again.py": 6,
    "tests/attacks/test_taking_accounts.py": 3,
    "tests/attacks/test_two_good_parts.py": 2,
    "tests/attacks/test_what_was_seen.py": 3,
    "tests/benchmarks/": 3,
    "tests/browser/": 8,
    "tests/browser/test_scoresheet_phone.py": 6,
    "tests/concurrency/test_comparison_races.py": 3,
    "tests/concurrency/test_contention.py": 2,
    "tests/concurrency/test_real_worker.py": 2,
    "tests/concurrency/test_season_end_races.py": 2,
    "tests/concurrency/test_table_ruling_races.py": 2,
    "tests/config/test_background.py": 3,
    "tests/config/test_half_sent_bodies.py": 2,
    "tests/config/test_readiness.py": 3,
    "tests/config/test_serve.py": 8,
    "tests/engine/boards/files/test_fuzz.py": 4,
    "tests/engine/concerto/test_expert.py": 2,
    "tests/engine/concerto/test_forming.py": 3,
    "tests/engine/concerto/test_par.py::test_two_hands": 3,
    "tests/engine/concerto/test_par_cost.py": 3,
    "tests/engine/concerto/test_record_fuzz.py": 3,
    "tests/engine/concerto/test_robots.py": 3,
    "tests/engine/concerto/test_signals.py": 3,
    "tests/engine/contest/test_changes.py": 2,
    "tests/engine/contest/test_standings_properties.py": 2,
    "tests/engine/contest/test_tables.py": 3,
    "tests/engine/test_conformance.py": 4,
    "tests/engine/concerto/test_poker.py::test_r9_the_frequency": 3,
    "tests/games/test_board_leaks.py": 4,
    "tests/games/test_board_pages.py": 3,
    "tests/games/test_club_files.py": 4,
    "tests/games/test_comparisons.py": 2,
    "tests/games/test_convention_cards.py": 2,
    "tests/games/test_duplicate_pages.py": 6,
    "tests/games/test_embargo.py": 2,
    "tests/games/test_evening_pages.py": 3,
    "tests/games/test_evenings.py": 5,
    "tests/games/test_felt_replays.py": 6,
    "tests/games/test_individuals.py": 2,
    "tests/games/test_learning_deals.py": 3,
    "tests/games/test_match_pages.py": 3,
    "tests/games/test_papers.py": 3,
    "tests/games/test_photos.py": 3,
    "tests/games/test_replays.py": 5,
    "tests/games/test_scoresheet_page.py": 3,
    "tests/games/test_sheets_of_any_game.py": 6,
    "tests/games/test_table_pages.py": 3,
    "tests/games/test_table_terms.py": 3,
    "tests/games/test_team_pages.py": 3,
    "tests/games/test_typed_sheets.py": 4,
    "tests/games/test_usebio.py": 4,
    "tests/games/test_vouches.py": 3,
    "tests/hostile/test_drafts.py": 3,
    "tests/hostile/test_sheets.py": 3,
    "tests/league/results/test_charts_geometry.py": 2,
    "tests/league/results/test_pages_standings.py": 2,
    "tests/league/competitions/test_choosing_a_game.py::test_every_game": 10,
    "tests/league/desk/test_desk_links.py": 2,
    "tests/league/competitions/test_desk_season.py": 3,
    "tests/league/clubs/test_invitations.py": 2,
    "tests/league/people/test_merging.py": 2,
    "tests/league/competitions/test_points_at_tables.py": 3,
    "tests/league/entries/test_withdrawals.py": 2,
    "tests/leaks/test_guests.py": 2,
    "tests/leaks/test_learning.py": 2,
    "tests/leaks/test_logs.py": 2,
    "tests/leaks/test_public_names.py": 2,
    "tests/leaks/test_visitors_pages.py": 3,
    "tests/live/test_addresses.py": 4,
    "tests/live/test_any_game.py": 16,
    "tests/live/test_any_match.py": 8,
    "tests/live/test_broken_lines.py": 4,
    "tests/live/test_bytes_by_socket.py": 3,
    "tests/live/test_chat.py": 2,
    "tests/live/test_hidden_counts.py": 3,
    "tests/live/test_hostile.py": 2,
    "tests/live/test_kept_results.py": 2,
    "tests/live/test_meeting.py": 2,
    "tests/live/test_play.py": 4,
    "tests/live/test_practice.py": 3,
    "tests/live/test_rights.py": 4,
    "tests/live/test_robot_hands.py": 6,
    "tests/live/test_sockets.py": 4,
    "tests/live/test_table_guests.py": 2,
    "tests/test_servers.py": 2,
    "tests/upgrades/test_upgrades.py::test_a_release": 2,
    "tests/upgrades/test_upgrades.py::test_every_answer": 3,
}


def waiting_for_their_turn(names: Iterable[str]) -> set[str]:
    """Those of these tests that another version of the files runs. Each file has its own turn: a half may lack some."""
    waiting, places = set[str](), Counter[tuple[str, str]]()
    for name in sorted(names):
        beginning = max((each for each in BY_TURNS if name.startswith(each)), key=len, default="")
        file = name.partition("::")[0]
        place = places[file, beginning] + zlib.crc32(file.encode()) + TURN
        places[file, beginning] += 1
        if place % BY_TURNS.get(beginning, 1):
            waiting.add(name)
    return waiting


def is_in_turn(name: str, *, one_in: int) -> bool:
    """Whether the thing of this name belongs to the share of this run."""
    return IS_THOROUGH or (zlib.crc32(name.encode()) + TURN) % one_in == 0


def share(name: str, values: Iterable[T], *, one_in: int) -> list[T]:
    """The values that the thing of this name gets: others than the next thing, so that all are sent to some."""
    found = list(values)
    if IS_THOROUGH:
        return found
    return found[zlib.crc32(name.encode()) % one_in :: one_in] or found[:1]


def examples(number: int) -> int:
    """How many examples hypothesis tries. Without chance they are the same each time: a part of them holds the gate."""
    return number if IS_THOROUGH else max(number // 4, 10)
