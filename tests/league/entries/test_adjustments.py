"""League points given and taken by a director."""

from fractions import Fraction

import pytest
from django.utils import translation

from league.entries.services import adjustments
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Adjustment, AuditEntry, Competition, Role
from league.notices import events, texts
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.league.factories import DIRECTOR, NOW

pytestmark = pytest.mark.django_db


def adjust(entry, points="-1", reason="Late", **more):
    return adjustments.adjust(actor=DIRECTOR, entry=entry, points=points, reason=reason, **more)


def points_of(entry):
    table = compute_table(read_facts(entry.division))
    return next(row.metrics["league_points"] for row in table.rows if row.entry == entry.pk)


@pytest.fixture
def entry():
    return factories.running(factories.club(), 4).entries.get(number=1)


@pytest.mark.parametrize(
    ("written", "worth"), [("-1", -1), ("1/2", Fraction(1, 2)), ("0.5", Fraction(1, 2)), ("−2", -2)]
)
def test_points_count_exactly(entry, written, worth):
    adjust(entry, written)
    assert points_of(entry) == worth


@pytest.mark.parametrize("written", ["", "0", "x", "1/0", "1e9", "1001", "9" * 400, "nan", "0.00001"])
def test_what_is_no_number_of_points_is_refused(entry, written):
    with pytest.raises(Invalid) as refusal:
        adjust(entry, written)
    assert refusal.value.details[0]["place"] == ["points"]
    assert not Adjustment.objects.exists()


def test_a_reason_is_needed(entry):
    with pytest.raises(Invalid, match="reason"):
        adjust(entry, reason=" ")


def test_a_round_must_exist(entry):
    assert adjust(entry, round_number=3).round_number == 3
    with pytest.raises(Invalid, match="no round 4"):
        adjust(entry, round_number=4)


def test_taken_back_it_counts_no_more_and_stays_on_record(entry):
    made = adjust(entry)
    version = Competition.objects.get(pk=entry.competition_id).results_version
    adjustments.revoke(actor=DIRECTOR, adjustment=made, reason="Wrong pair", at=NOW)
    assert points_of(entry) == 0
    assert Adjustment.objects.get().revoked_at == NOW
    assert Competition.objects.get(pk=entry.competition_id).results_version == version + 1
    assert AuditEntry.objects.get(action="entry.adjustment_revoked").reason == "Wrong pair"
    with pytest.raises(Conflict, match="already"):
        adjustments.revoke(actor=DIRECTOR, adjustment=made, reason="Again", at=NOW)


def test_only_directors_adjust(entry):
    scorer = factories.member(entry.competition.club, Role.SCORER)
    with pytest.raises(NotAllowed):
        adjustments.adjust(actor=scorer, entry=entry, points="1", reason="Nice")


@pytest.mark.parametrize(("points", "english", "german"), [("-1/2", "−0.5", "−0,5"), ("1/3", "+1/3", "+1/3")])
def test_the_trail_and_the_notice_write_points_as_the_reader_does(entry, points, english, german):
    player = factories.account_of(entry.lineup)
    adjust(entry, points)
    kept = AuditEntry.objects.get(action="entry.adjusted")
    assert kept.summary.endswith(f": {english} points")
    with translation.override("de"):
        assert german in kept.told
        assert german in texts.words(events.ADJUSTED, player.notices.get().context).title
    assert english in kept.told
