"""A round of a duplicate league, one of its two matches played and one not, with everything that a leak could show."""

import random
import string
from dataclasses import dataclass, field
from typing import Any

from engine.boards.sealing import KEY_LENGTH, commitment
from engine.concerto.game import CONCERTO
from engine.deals import Deal
from games import board_cards
from games.boards.services import boards
from games.concerto.demo import play_out
from games.concerto.rules_page import EXAMPLE_DEAL
from games.models import Board, BoardSet, Scoresheet
from games.scoresheets.services import scoresheets
from league.models import Fixture, Membership, PlayerClaim, Role
from league.storage import board_keys
from tests.games.boards import AGREED, duplicate_scene
from tests.kept_scenes import kept
from tests.leaks.needles import Needle, of_deal, of_key, of_play, of_words
from tests.permissions import walking
from tests.permissions.walking import Stage
from tests.scenes import Scene

#: Boards that were written down card by card; of the others only totals, no two alike and none like anything else.
BY_CARDS = (1, 2)
TOTALS = {3: {"NS": 137, "EW": 26}, 4: {"NS": 31, "EW": 149}}
KEY = "".join(random.Random("leaks").choices(string.ascii_letters + string.digits, k=KEY_LENGTH))
REASON = "Board 2: hand 4 was a flush in hearts"


@dataclass
class Event:
    """The scene, the sealed set of its first round, and what tells of it.

    Anna & Chidi are to play Eva & Luis: Chidi is a director besides. Iris & Tom have played Olga & Kenji.
    """

    scene: Scene
    board_set: BoardSet
    stage: Stage
    deals: dict[int, Deal]
    records: dict[int, dict[str, Any]] = field(default_factory=dict)

    @property
    def unplayed(self) -> Fixture:
        """The match that is still to be played."""
        return Fixture.objects.with_pairs().get(pk=self.scene.fixtures[0].pk)

    @property
    def played(self) -> Fixture:
        """The match that was played."""
        return Fixture.objects.with_pairs().get(pk=self.scene.fixtures[1].pk)

    @property
    def boards(self) -> dict[int, Board]:
        """The boards by number."""
        return {board.number: board for board in Board.objects.filter(board_set=self.board_set)}

    def needles(self) -> list[Needle]:
        """Everything that must not be found."""
        found = [of_key(board_keys.decrypt(self.board_set.secret)), of_words(REASON)]
        for number, deal in self.deals.items():
            others = [each for other, each in self.deals.items() if other != number]
            # Everybody may read it on the page of the rules.
            others.append(Deal.parse(EXAMPLE_DEAL))
            found += of_deal(number, deal, others)
        for number, record in self.records.items():
            found += of_play(number, record)
        return found


@kept
def make_event() -> Event:
    """The event as it is while its boards are sealed."""
    scene = duplicate_scene()
    Membership.objects.filter(user=scene.users["chidi"]).update(role=Role.DIRECTOR)
    # Always the same cards: whether a page has something that reads like them must not be an item of luck.
    board_set = boards.made(
        actor=scene.users["dora"],
        board_set=BoardSet(
            competition=scene.competition,
            round=scene.rounds[0],
            count=4,
            commitment=commitment(KEY),
            delayed=AGREED.as_json(),
            secret=board_keys.encrypt(KEY),
            made_by=scene.users["dora"],
        ),
    )
    cards = board_cards.cards_of(board_set)
    deals = {board.number: Deal.parse(cards[board.pk]) for board in Board.objects.filter(board_set=board_set)}
    event = Event(scene, board_set, _stage(scene), deals)
    _play(event)
    return event


def _stage(scene: Scene) -> Stage:
    scene.users["foreign"] = walking.make_user("Foreign Director")
    claim = PlayerClaim.objects.create(player=scene.players[0], user=scene.users["stranger"])
    stage = Stage(scene, Scoresheet(), claim)
    stage.names = walking._names(scene)
    return stage


def _play(event: Event) -> None:
    """A sheet that is rejected for a reason that tells of a deal, a correction, and its confirmation."""
    event.records = {number: record_of(event, number, seed=number) for number in sorted(event.deals)}
    content = content_of(event)
    home, away = event.scene.users["iris"], event.scene.users["olga"]
    first = scoresheets.submit(actor=home, fixture=event.played, content=content, origin="page")
    scoresheets.reject(actor=away, sheet=first, reason=REASON)
    sheet = scoresheets.submit(actor=home, fixture=event.played, content=content, origin="page")
    scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest)
    scoresheets.save_draft(actor=home, fixture=event.played, content=content)


def content_of(event: Event) -> dict[str, Any]:
    """The sheet of the match that was played."""
    return {"deals": [event.records[number] for number in sorted(event.records)]}


def record_of(event: Event, number: int, *, seed: int) -> dict[str, Any]:
    """The board as it was played and written down."""
    if number in TOTALS:
        return {"total": dict(TOTALS[number])}
    rules = event.scene.competition.rules
    state = CONCERTO.start(event.deals[number], CONCERTO.dealer_of_board(number), rules)
    played = play_out(state, random.Random(seed), (2, 2))
    return {"deal": str(event.deals[number]), "hands": list(played.hand_lines)}
