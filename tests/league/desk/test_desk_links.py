"""Every link of the desk leads somewhere, for everybody who sees it."""

import re
from collections import deque

import pytest
from django.test import Client

from league.manage.queries import setup_steps
from league.models import Adjustment, ImportBatch, Player, PlayerClaim, PlayerMerge
from tests.league.setting_up import arrangement, draft, enter, send, step
from tests.scenes import Scene, make_scene

# Where links lead does not hang on the database.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

LINK = re.compile(r'<a\b[^>]*\bhref="([^"]*)"')
ACTION = re.compile(r'<form\b[^>]*\baction="([^"]*)"')
DESK = "/clubs/riverside/desk/"
OURS = re.compile(r"^/clubs/riverside/(desk|[\w-]+/manage)/|^/fixtures/\d+/ruling/|^/my/token/|^/clubs/new/")


@pytest.fixture
def scene() -> Scene:
    """A league with one of everything that the desk links to, and a draft that is still empty."""
    scene = make_scene()
    Adjustment.objects.create(entry=scene.entries[0], points="-1", reason="Late")
    twins = [Player.objects.create(club=scene.club, name=name) for name in ("Twin One", "Twin One")]
    PlayerClaim.objects.create(player=twins[0], user=scene.users["stranger"])
    gone = Player.objects.create(club=scene.club, name="Gone", merged_into=twins[0])
    PlayerMerge.objects.create(kept=twins[0], merged=gone, moved=[])
    for state in ImportBatch.State.values:
        ImportBatch.objects.create(club=scene.club, kind="players", rows=[], state=state)
    return scene


@pytest.mark.parametrize("who", ["sam", "dora", "olive"])
def test_every_link_of_the_desk_leads_somewhere(scene: Scene, client: Client, who: str) -> None:
    client.force_login(scene.users[who])
    waiting, seen, broken = deque([DESK]), {DESK}, []
    while waiting:
        here = waiting.popleft()
        answer = client.get(here)
        if answer.status_code != 200:
            broken.append((here, str(answer.status_code)))
            continue
        if not answer["Content-Type"].startswith("text/html"):
            continue
        page = answer.content.decode()
        links = LINK.findall(page)
        broken += [(here, "an empty link") for link in [*links, *ACTION.findall(page)] if not link]
        for link in links:
            address = link.replace("&amp;", "&").partition("#")[0]
            if OURS.search(address) and address not in seen:
                seen.add(address)
                waiting.append(address)
    assert broken == []
    assert len(seen) > {"sam": 6, "dora": 30, "olive": 30}[who]


@pytest.mark.parametrize("stage", ["empty", "entered", "drawn"])
def test_every_link_of_a_draft_leads_somewhere(scene: Scene, client: Client, stage: str) -> None:
    client.force_login(scene.users["dora"])
    made = draft(client, name="Cup")
    manage = "/clubs/riverside/cup/manage/"
    send(client, made, "divisions", divisions="A\nB\nC", moving="1")
    if stage != "empty":
        enter(client, made, scene)
    if stage == "drawn":
        send(client, made, "divisions", **{**arrangement(client, made), "divisions": "A"})
        assert client.post(f"{manage}draw/", {"order": "lot"}).status_code == 302
    for address in (f"{manage}draw/", *(step(made, name) for name in setup_steps.STEPS)):
        page = client.get(address).content.decode()
        links = [*LINK.findall(page), *ACTION.findall(page)]
        assert all(links), address
        ours = [link.partition("#")[0] for link in LINK.findall(page) if OURS.search(link)]
        assert {client.get(link, follow=True).status_code for link in ours} == {200}
