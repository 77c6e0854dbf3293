"""Opening a match's entry by the code on its paper."""

from django.utils.translation import gettext as _

from games.scoresheets import entry_links
from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.errors import NotAllowed
from league.models import Fixture
from league.words import sentences


def use(*, actor: Actor, fixture: Fixture, token: str) -> None:
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
