"""How fast papers are made, from the row to the locked file: 121 scoresheets, 44 boards with slips, files, records."""

from typing import Any

import pytest
from django.utils import timezone

from games.models import Paper
from games.papers.services import papers
from tests.games.evening_papers import Room, ask, make_room

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PAIRS = 22


@pytest.fixture
def room() -> Room:
    """Eleven tables, eleven rounds of four boards."""
    return make_room(names=tuple(f"Player Number{number}" for number in range(2 * PAIRS)), boards=4)


@pytest.mark.parametrize(
    ("kind", "pages"),
    [("scoresheets", 121), ("slips", 23), ("records_to_deal", 6), ("guide_cards", 0), ("files", 2)],
)
def test_a_paper_is_made(room: Room, benchmark: Any, kind: str, pages: int) -> None:
    paper = ask(room, kind)

    def make() -> bool:
        Paper.objects.filter(pk=paper.pk).update(state="waiting", tries=0, content=None)
        return papers.make_paper(paper_id=paper.pk, at=timezone.now())

    assert benchmark(make) is True
    paper.refresh_from_db()
    assert not pages or paper.pages == pages
