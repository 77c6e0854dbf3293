"""Draws of lots: recorded, and repeatable from the seed."""

import pytest

from league.draws.services import lots
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, LotDraw, Role
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db


def test_the_order_follows_from_the_seed_alone():
    assert lots.order_of([3, 1, 2], seed="spring") == lots.order_of([1, 2, 3], seed="spring")
    orders = {tuple(lots.order_of(range(4), seed=str(seed))) for seed in range(500)}
    assert len(orders) == 24


def test_a_draw_is_recorded_and_can_be_repeated():
    division = factories.running(factories.club(), 4).stage.divisions.get()
    tied = list(division.entries.all()[:3])
    made = lots.draw(actor=DIRECTOR, division=division, entries=tied)
    assert made.order == lots.order_of([entry.pk for entry in tied], seed=made.seed)
    assert len(made.seed) == 32
    trail = AuditEntry.objects.get(action="division.lots_drawn")
    assert (trail.after["seed"], trail.after["order"]) == (made.seed, made.order)


def test_the_table_follows_the_newest_draw():
    division = factories.running(factories.club(), 4).stage.divisions.get()
    for seed in ("one", "two", "three"):
        made = lots.draw(actor=DIRECTOR, division=division, seed=seed)
        assert [row.entry for row in compute_table(read_facts(division)).rows] == made.order


def test_lots_are_drawn_among_pairs_of_the_division():
    division = factories.running(factories.club(), 4).stage.divisions.get()
    stranger = factories.running(division.competition.club, 2).entries.first()
    with pytest.raises(Invalid, match="within one division"):
        lots.draw(actor=DIRECTOR, division=division, entries=[stranger, division.entries.first()])
    with pytest.raises(Invalid, match="two or more to draw"):
        lots.draw(actor=DIRECTOR, division=division, entries=[division.entries.first()])
    assert not LotDraw.objects.exists()


def test_a_draft_has_no_ties_to_break():
    division = factories.competition(factories.club()).stage.divisions.get()
    with pytest.raises(Conflict, match="Publish"):
        lots.draw(actor=DIRECTOR, division=division)


def test_only_directors_draw_lots():
    competition = factories.running(factories.club(), 4)
    with pytest.raises(NotAllowed):
        lots.draw(
            actor=factories.member(competition.club, Role.SCORER), division=competition.stage.divisions.get()
        )
