"""Who is invited stands on the page of members, and an owner takes it back there."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.clubs.services import invitations
from league.models import Invitation
from tests.browser.pages import PHONE
from tests.scenes import make_scene

pytestmark = pytest.mark.browser


def test_an_owner_takes_an_invitation_back_on_a_phone(transactional_db: None, new_page: Any) -> None:
    scene = make_scene()
    owner = scene.users["olive"]
    invitations.invite(actor=owner, club=scene.club, email="eva@example.com", at=timezone.now())
    page = new_page(user=owner, width=PHONE)
    page.goto("/clubs/riverside/desk/members/")
    expect(page.get_by_role("button", name="Save").first).to_be_hidden()
    page.get_by_role("button", name="Cancel").click(timeout=8000)
    expect(page.get_by_text("You have cancelled the invitation.")).to_be_visible()
    assert not Invitation.objects.exists()
