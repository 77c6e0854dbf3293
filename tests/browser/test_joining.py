"""A player joins by the link in a mail, on a phone; a director sees it, and prints slips."""

import re
from typing import Any

from django.core import mail
from django.utils import timezone
from playwright.sync_api import expect

from league.models import Player
from league.notices.services import outbox
from tests.scenes import make_scene

PASSWORD = "seven green teapots"


def test_from_the_directors_press_to_my_matches(transactional_db: None, new_page: Any) -> None:
    scene = make_scene()
    for name, email in (("Mia Mail", "mia@example.org"), ("Nora No-Mail", "")):
        Player.objects.create(club=scene.club, name=name, email=email)
    desk = new_page(user=scene.users["dora"], width=1280)
    desk.goto(f"/clubs/{scene.club.slug}/desk/players/")
    desk.get_by_role("link", name="Invite players").click()
    desk.get_by_role("button", name=re.compile("Invite the player with an address")).click()
    expect(desk.get_by_text("1 invitation is on its way.")).to_be_visible()
    outbox.deliver(at=timezone.now())
    (path,) = re.findall(r"/invited/[\w-]+/", str(mail.outbox[-1].body))

    phone = new_page(width=390)
    phone.goto(path)
    expect(phone.get_by_role("heading", name=re.compile("invites you"))).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_label("Choose a password").fill(PASSWORD)
    phone.get_by_label("Repeat password").fill(PASSWORD)
    phone.get_by_role("button", name="Join", exact=True).click()
    expect(phone.get_by_text("Welcome! You are Mia Mail")).to_be_visible()
    assert phone.url.endswith("/my/")

    desk.reload()
    row = desk.get_by_role("row", name=re.compile("Mia Mail"))
    expect(row.get_by_text("joined")).to_be_visible()
    with desk.expect_download() as slips:
        desk.get_by_role("button", name=re.compile("Print 1 slip")).click()
    assert slips.value.suggested_filename.endswith(".pdf")
    desk.reload()
    with desk.expect_download() as again:
        desk.get_by_role("button", name=re.compile("Print again")).click()
    assert again.value.suggested_filename.endswith(".pdf")
