"""People who enter and confirm scoresheets, a ledger of what they were told, and an audit of it against the database.

python -m tests.reliability.writers PAIRS   makes a league of so many pairs, and prints who plays in its matches
"""

import json
import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.reliability.production import MAILS, TABLES, UNDONE, Answer, PostgreSQL, Site, python

TOTALS = {"deals": [{"total": {"NS": points, "EW": 20}} for points in (30, 18, 25, 22)]}
PATIENCE_SECONDS = 300.0
#: What was written, by match: sheets, results, entries of the trail that say so.
WRITTEN = """
    SELECT id, status,
        (SELECT count(*) FROM games_scoresheet WHERE match_id = fixture.id),
        (SELECT count(*) FROM league_auditentry WHERE action = 'sheet.submitted' AND fixture_id = fixture.id),
        (SELECT count(*) FROM league_auditentry WHERE action = 'sheet.confirmed' AND fixture_id = fixture.id)
    FROM league_fixture fixture
"""


def league(environment: dict[str, str], pairs: int) -> list[dict[str, Any]]:
    """The matches of a new league: their keys, and a token of each side."""
    told = python(environment, "-m", "tests.reliability.league", str(pairs))
    made: list[dict[str, Any]] = json.loads(told.splitlines()[-1])
    return made


@dataclass
class Ledger:
    """What people were told: the matches whose sheet was acknowledged, and those that were confirmed."""

    submitted: set[int] = field(default_factory=set)
    confirmed: set[int] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)
    unexpected: list[tuple[int, str]] = field(default_factory=list)

    def audit(self, postgresql: PostgreSQL) -> tuple[int, int]:
        """How many acknowledged writes are lost, and how many writes are there twice."""
        rows: defaultdict[int, tuple[str, list[int]]] = defaultdict(lambda: ("", [0, 0, 0]))
        rows |= {key: (status, counts) for key, status, *counts in postgresql.rows(WRITTEN)}
        lost = sum(not all(rows[each][1][:2]) for each in self.submitted)
        lost += sum(rows[each][0] != "confirmed" or not rows[each][1][2] for each in self.confirmed)
        doubled = sum(max(count - 1, 0) for _status, counts in rows.values() for count in counts)
        return lost, doubled


class People:
    """So many clients at once; each takes a match, enters its sheet, and confirms it for the other side."""

    def __init__(
        self,
        site: Site,
        matches: list[dict[str, Any]],
        *,
        clients: int,
        times: int = 1,
        confirm_with: int = 1,
    ) -> None:
        self.site, self.matches, self.times, self.confirm_with = site, list(matches), times, confirm_with
        self.ledger, self.over, self.lock = Ledger(), threading.Event(), threading.Lock()
        self.threads = [threading.Thread(target=self._play) for _ in range(clients)]

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def finish(self) -> Ledger:
        """When every match is done."""
        for thread in self.threads:
            thread.join()
        return self.ledger

    def give_up(self) -> None:
        """Nobody enters anything any more, or waits for an answer."""
        self.matches.clear()
        self.over.set()

    def _play(self) -> None:
        while True:
            with self.lock:
                if not self.matches:
                    return
                match = self.matches.pop()
            key, path = match["key"], f"/api/v1/matches/{match['key']}/sheets/"
            entered = self._until_told(path, TOTALS, match["home"][0], f"enter-{key}")
            if entered is None:
                return
            self.ledger.submitted.add(key)
            digest = {"digest": entered.json["digest"]}
            confirm = [
                threading.Thread(
                    target=self._until_told,
                    args=(f"{path}1/confirm/", digest, token, f"confirm-{token[-8:]}-{key}"),
                )
                for token in match["away"][: self.confirm_with]
            ]
            for each in confirm:
                each.start()
            for each in confirm:
                each.join()
            if self.over.is_set():
                return
            self.ledger.confirmed.add(key)

    def _until_told(self, path: str, sent: object, token: str, key: str) -> Answer | None:
        """The first answer that says it is done; nothing once people gave up.

        Each attempt is sent `times` times, as a nervous phone does.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            for answer in self._at_once(lambda: self._send(path, sent, token, key)):
                if answer is None or answer.status in {502, 503}:
                    continue
                if answer.status in {200, 201} or "sheet_settled" in answer.text:
                    return answer
                self.ledger.unexpected.append((answer.status, answer.text[:300]))
            if self.over.wait(random.uniform(0.05, 0.2)):
                return None
        raise AssertionError(f"nobody answered {path}: {self.ledger.unexpected[-3:]}")

    def _send(self, path: str, sent: object, token: str, key: str) -> Answer | None:
        begun = time.perf_counter()
        try:
            answer = self.site.ask(path, sent, token=token, key=key)
        except (OSError, ValueError):
            # A server that is killed in the middle answers nothing, or half of it.
            return None
        self.ledger.seconds.append(time.perf_counter() - begun)
        return answer

    def _at_once(self, send: Callable[[], Answer | None]) -> Iterator[Answer | None]:
        answers: list[Answer | None] = []
        others = [threading.Thread(target=lambda: answers.append(send())) for _ in range(self.times - 1)]
        for thread in others:
            thread.start()
        answers.append(send())
        for thread in others:
            thread.join()
        yield from answers


@contextmanager
def writing(
    site: Site, matches: list[dict[str, Any]], *, clients: int = 20, times: int = 1, confirm_with: int = 1
) -> Iterator[People]:
    """People write; at the end all of them are done."""
    people = People(site, matches, clients=clients, times=times, confirm_with=confirm_with)
    people.start()
    try:
        yield people
    finally:
        people.finish()


#: What a repetition waits for, where something is not done in the end.
HELD_UP = (
    "SELECT work, key, failures, fault, next_at, now() FROM league_sweepfailure LIMIT 5",
    "SELECT id, attempts, leased_until, next_try_at, now() FROM league_outboxmessage WHERE sent_at IS NULL LIMIT 5",
)


def made_up_after(postgresql: PostgreSQL, patience: float = 60.0) -> float:
    """How many seconds until what is behind at this moment is done, while people go on; infinite where it never is."""
    mails = set(postgresql.rows(MAILS))
    wanted = {division: version for division, _made, version in postgresql.rows(TABLES)}

    def is_behind() -> bool:
        made = {division: version for division, version, _wanted in postgresql.rows(TABLES)}
        return bool(mails & set(postgresql.rows(MAILS))) or any(made[each] < wanted[each] for each in wanted)

    return _seconds_while(is_behind, postgresql, patience)


def current_after(postgresql: PostgreSQL, patience: float = 60.0) -> float:
    """How many seconds until every table and every mail is as the results are; infinite where they never are."""
    return _seconds_while(lambda: postgresql.run(UNDONE) != 0, postgresql, patience)


def _seconds_while(holds: Callable[[], bool], postgresql: PostgreSQL, patience: float) -> float:
    begun = time.monotonic()
    pause = threading.Event()
    while holds():
        if time.monotonic() > begun + patience:
            print("held up:", *(postgresql.rows(each) for each in HELD_UP))
            return float("inf")
        pause.wait(0.05)
    return time.monotonic() - begun
