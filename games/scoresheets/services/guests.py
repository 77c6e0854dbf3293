"""The code on a match's paper: it opens the sheet, and somebody without an account enters it and gives a name."""

from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from games import locks
from games.models import Scoresheet
from games.scoresheets import entry_links
from games.scoresheets.services import scoresheets
from league import policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, NotAllowed
from league.models import Fixture, User
from league.words import sentences

#: An address that nobody has, so that no mail goes there and nobody asks for a password.
NOBODY = "guests.invalid"


def may_enter(*, fixture: Fixture, token: str) -> bool:
    """Whether this link opens the match's sheet to somebody without an account."""
    if not entry_links.is_good(fixture, token):
        return False
    # Nobody's key: an empty one would be that of players without an account.
    guest = User(pk=0, is_active=False)
    entry_links.hold_as_guest(guest, fixture)
    return policies.may(guest, "sheet.enter", fixture)


@transaction.atomic
def submit(*, fixture: Fixture, token: str, name: str, content: object) -> Scoresheet:
    """Enters the one sheet that the paper's code opens. It waits for both sides or an official.

    The name is kept as that of an account which nobody can log in to.
    """
    if not entry_links.is_good(fixture, token):
        raise NotAllowed(
            _("This link doesn’t work, or its competition is over. Ask the person who gave you the paper.")
        )
    match = locks.match(fixture=fixture)
    if Scoresheet.objects.filter(match=match).exists():
        raise Conflict(_("Someone has already entered a scoresheet for this match. Log in to correct it."))
    name = validation.one_line(name)
    # Players without an account enter their own match.
    validation.check_guest_name(name, club=match.fixture.round.competition.club, may_be_members=True)
    said = _("%(name)s (without an account)") % {"name": name}
    guest = User(email=f"{uuid4().hex}@{NOBODY}", name=said, is_active=False)
    guest.set_unusable_password()
    validation.check(guest)
    guest.save()
    entry_links.hold_as_guest(guest, match.fixture)
    policies.require(guest, "sheet.enter", match.fixture)
    return scoresheets.submit(
        actor=guest, fixture=match.fixture, content=content, origin=Scoresheet.Origin.PAGE
    )


def open_by_link(*, actor: Actor, fixture: Fixture, token: str) -> None:
    """Somebody who could not enter this sheet otherwise has come by its link: written down. Raises NotAllowed."""
    if not entry_links.is_good(fixture, token):
        raise NotAllowed(
            _("This link doesn’t work, or its competition is over. Ask the person who gave you the paper.")
        )
    policies.require(actor, "sheet.enter_by_link", fixture)
    audit.record(
        actor=actor,
        action="sheet.opened_by_link",
        summary=sentences.gettext("Opened the entry by the link on the paper"),
        fixture=fixture,
    )
