"""Setting up a season as a director does it: what the browser sends of each step."""

from typing import Any

from django.test import Client

from league.models import Competition
from tests.scenes import Scene

NEW = "/clubs/riverside/desk/competitions/new/"

COMPETITION = {
    "name": "Spring Cup",
    "format": "round_robin",
    "visibility": "public",
    "correction_hours": "48",
    "season": "",
    "rules_rules": "concerto-2013",
    "rules_deals": "4",
    "rules_early_end": "on",
    "rules_game_bonus": "on",
}
CALENDAR = {
    "starts_on": "2027-03-01",
    "days_between_rounds": "7",
    "play_time": "19:30",
    "place": "",
    "due_days": "",
}
POINTS = {"scheme": "plain", "win": "2", "draw": "1", "loss": "0", "bands": "", "tie_break_1": "head_to_head"}


def draft(director: Client, **changes: str) -> Competition:
    """A draft that has a name and nothing else."""
    assert director.post(NEW, {**COMPETITION, **changes}).status_code == 302
    return Competition.objects.select_related("club").get(name=changes.get("name", "Spring Cup"))


def step(competition: Competition, name: str) -> str:
    """The address of a step."""
    return f"/clubs/{competition.club.slug}/{competition.slug}/manage/set-up/{name}/"


def send(director: Client, competition: Competition, which: str, /, **fields: Any) -> Any:
    """Sends a step as it stands, with these changes."""
    usual = {"competition": COMPETITION, "calendar": CALENDAR, "points": POINTS}.get(which, {})
    return director.post(step(competition, which), {**usual, **fields})


def enter(director: Client, competition: Competition, scene: Scene, many: int = 4) -> Any:
    """Enters the first pairs of the scene in the highest division."""
    division = competition.stage.divisions.order_by("level")[0]
    keys = [entry.lineup_id for entry in scene.entries[:many]]
    return send(director, competition, "pairs", division=division.pk, lineups=keys)


def arrangement(director: Client, competition: Competition) -> dict[str, Any]:
    """What the browser sends of the third step as it stands."""
    page = director.get(step(competition, "divisions"))
    form, numbers = page.context["form"], page.context["numbers"]
    return {field.html_name: field.value() for each in (form, numbers) for field in each}
