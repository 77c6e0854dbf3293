"""A league of a game in which everybody plays alone: set up as its preset has it, a match played, the table read."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

from django.test import Client
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.models import Competition, Fixture, Round
from league.standings.services import standings
from tests.league.competitions.test_duplicate_setup import publish
from tests.league.setting_up import send
from tests.scenes import Scene

NEW = "/clubs/riverside/desk/competitions/new/"


class League:
    """Four players, published; its first round may be played."""

    def __init__(self, scene: Scene, game: str, players: int = 4) -> None:
        self.director = Client()
        self.director.force_login(scene.users["dora"])
        form = self.director.get(f"{NEW}?game={game}").context["form"]
        values = {field.html_name: field.value() for field in form}
        filled = {name: value for name, value in values.items() if value is not None and value is not False}
        assert self.director.post(NEW, {**filled, "name": "Our League"}).status_code == 302
        made = Competition.objects.get(name="Our League")
        keys = [player.pk for player in scene.players[:players]]
        division = made.stage.divisions.get()
        assert send(self.director, made, "pairs", division=division.pk, lineups=keys).status_code == 302
        publish(self.director, made)
        assert made.state == Competition.State.RUNNING
        self.competition = made
        Round.objects.filter(stage=made.stage, number=1).update(starts_on=timezone.now() - timedelta(days=1))

    @property
    def fixture(self) -> Fixture:
        """The first match."""
        return Fixture.objects.of_competition(self.competition.pk).with_pairs().order_by("pk")[0]

    def confirm(self, deals: list[dict[str, Any]]) -> Fixture:
        """The first match with these deals, entered by its first player and confirmed by all others."""
        fixture = self.fixture
        home, *others = (entry.lineup.players[0].user for entry in fixture.entries)
        assert home is not None
        sheet = scoresheets.submit(
            actor=home, fixture=fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
        )
        for user in others:
            assert user is not None
            sheet = scoresheets.confirm(actor=user, sheet=sheet, digest=sheet.digest)
        standings.compute(competition_id=self.competition.pk, at=timezone.now())
        return self.fixture

    def first_in_table(self) -> str:
        """The first row of the table as people read it."""
        page = self.director.get(self.competition.get_absolute_url()).content.decode()
        rows = re.findall(r"<tr.*?</tr>", page, re.S)
        return unescape(next(row for row in rows if "<td" in row))
