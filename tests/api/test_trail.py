"""A club's trail, for programs of its directors."""

from datetime import UTC, datetime

from league.models import AuditEntry, ClubImport, ImportedTrailLine, Role
from league.people.services import players
from tests.league import factories

AT = datetime(2026, 3, 1, tzinfo=UTC)


def test_directors_read_who_changed_what(program, db: None) -> None:
    club = factories.club()
    director = factories.member(club, Role.DIRECTOR)
    player = players.add(actor=director, club=club, name="Anna Berg")
    here = f"/api/v1/clubs/{club.slug}/trail/"
    told = program(director).get(here).json()["results"]
    assert told[0]["who"] == str(director)
    assert told[0]["about"] == player.name
    assert told[0]["what"][0]
    for other in (factories.member(club, Role.SCORER), factories.member(factories.club(), Role.OWNER)):
        assert program(other).get(here).status_code == 403
    count = AuditEntry.objects.count()
    assert len(program(director).get(here, {"page_size": 1}).json()["results"]) == min(count, 1)


def test_directors_read_what_the_file_of_their_club_says(program, db: None) -> None:
    club = factories.club()
    director, owner = factories.member(club, Role.DIRECTOR), factories.member(factories.club(), Role.OWNER)
    here = f"/api/v1/clubs/{club.slug}/imported-trail/"
    assert program(director).get(here).status_code == 404
    ClubImport.objects.create(club=club, state="done", digest="0" * 64, made_at=AT, done_at=AT)
    line = {
        "at": AT,
        "who": "Dora",
        "action": "fixture.ruled",
        "what": "A walkover",
        "about": "A – B",
        "why": "Ill",
    }
    ImportedTrailLine.objects.create(club=club, **line)
    (told,) = program(director).get(here).json()["results"]
    assert {**told, "at": AT} == line
    assert program(owner).get(here).status_code == 403
