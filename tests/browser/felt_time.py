"""How long a table of nine takes to be drawn after a message, on a phone four times slower than this machine.

    .venv/bin/pytest tests/browser/felt_time.py -s -n0 -p no:randomly

From the text of a message to the end of layout, in Chromium at 390 px: the common felt with Put and Take, whose nine
players act by turns. Ordinary runs leave this file alone.
"""

import json
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest
from django.utils import timezone

from engine.put_and_take.game import PUT_AND_TAKE
from games.models import Table
from games.tables.services import opening, play, seats
from games.tables.state import facts as reading
from games.tables.state.reader import standing_of
from games.tables.state.seat_view import view_for
from tests.benchmarks.loading import SLOWDOWN
from tests.browser.pages import PHONE
from tests.browser.table_windows import Window
from tests.engine.conformance.adapters import registered
from tests.live.tables import START, Laid, all_ready, sent
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
PEOPLE = ("anna", "chidi", "iris", "tom", "olga", "kenji", "eva", "luis", "dora")
MESSAGES = 40
GOAL_MILLISECONDS = 16
# As the socket does with a message, and then what the browser does before it can draw.
MEASURE = """async (messages) => {
  const links = [...document.querySelectorAll("link[rel=modulepreload]")];
  const { receive } = await import(links.find((link) => link.href.endsWith("/js/table/pace.js")).href);
  const times = [];
  for (const text of messages) {
    const begun = performance.now();
    receive(JSON.parse(text).view);
    document.body.getBoundingClientRect();
    times.push(performance.now() - begun);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
  return times;
}"""


class OfNine(Laid):
    """A table at which nine people sit."""

    def at(self, seat: str) -> Any:
        return self.scene.users[PEOPLE[self.table.places.index(seat)]]


def messages(laid: OfNine, seat: str) -> list[str]:
    """What this seat is told while the deal goes on."""
    found: list[str] = []
    while len(found) < MESSAGES and laid.facts().state == Table.State.PLAYING:
        deal = laid.facts().deal
        assert deal is not None
        play.act(
            actor=laid.at(laid.turn()),
            table_id=laid.table.pk,
            sent=sent(laid.facts(), deal.fold.state.legal()[0]),
        )
        facts = reading.current(laid.table.pk)
        standing = standing_of(laid.at(seat), Table.objects.with_match().get(pk=laid.table.pk))
        view = view_for(facts=facts, reader=standing.reader(facts, "w"), at=timezone.now())
        found.append(json.dumps({"view": view}))
    return found


def test_a_table_of_nine_is_drawn_within_a_frame(window: Callable[..., Window]) -> None:
    with registered(PUT_AND_TAKE):
        scene = make_scene()
        table = opening.open_casual(
            actor=scene.users["anna"],
            club=scene.club,
            terms={},
            options={"deals": 6},
            game_key="put-and-take",
            players=9,
        )
        laid = OfNine(scene, table)
        for seat in table.places:
            seats.sit(actor=laid.at(seat), table_id=table.pk, seat=seat, at=START)
        all_ready(laid)
        page = window(laid, table.places[0], width=PHONE).page
        told = messages(laid, table.places[0])
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        times: list[float] = page.evaluate(MEASURE, told)
    longest = f"longest {max(times):.1f} ms (number {times.index(max(times)) + 1})"
    figures = f"fastest {min(times):.1f}, median {median(times):.1f}, {longest}"
    print(f"{len(times)} messages: {figures}")
    assert median(times) < GOAL_MILLISECONDS
