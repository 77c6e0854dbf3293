"""Every link of the desk leads somewhere, for everybody who sees it."""

import re
from collections import deque

import pytest
from django.test import Client

from league.models import Adjustment, ImportBatch, Player, PlayerClaim, PlayerMerge
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db

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
    form = {"name": "Cup", "starts_on": "2027-03-01", "days_between_rounds": "7", "play_time": "19:30"}
    form |= {"format": "round_robin", "divisions": "A\nB\nC", "moving": "1", "scheme": "plain", "win": "2"}
    form |= {"draw": "1", "loss": "0", "visibility": "public", "correction_hours": "0"}
    form |= {"rules_rules": "concerto-2013", "rules_deals": "4"}
    assert client.post(f"{DESK}competitions/new/", form).status_code == 302
    manage = "/clubs/riverside/cup/manage/"
    if stage != "empty":
        divisions = client.get(manage).context["divisions"]
        pairs = [entry.partnership_id for entry in scene.entries]
        client.post(f"{manage}entries/", {"division": divisions[0].division.pk, "partnerships": pairs})
    if stage == "drawn":
        client.post(f"{manage}edit/", {**form, "divisions": "A"})
        assert client.post(f"{manage}draw/", {"order": "lot"}).status_code == 302
    for address in (manage, f"{manage}draw/", f"{manage}edit/"):
        page = client.get(address).content.decode()
        links = [*LINK.findall(page), *ACTION.findall(page)]
        assert all(links), address
        ours = [link.partition("#")[0] for link in LINK.findall(page) if OURS.search(link)]
        assert {client.get(link).status_code for link in ours} == {200}
