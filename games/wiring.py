"""Tells the league what it must not import: which games there are, and who may do what with a sheet."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from games import front
from games import policies as games_policies
from games.boards.queries import extra
from games.boards.queries.items import items as board_items
from games.boards.services import duplicate_leagues, releases
from games.boards.setup_part import BoardsPart, OnlinePart
from games.bouillotte.front import BouillotteFront
from games.brag.front import BragFront
from games.burraco.front import BurracoFront
from games.comparisons import handicaps
from games.comparisons.handicaps import HandicapPart
from games.comparisons.masked_reasons import masked_reasons
from games.comparisons.reckoning import rankings
from games.comparisons.services import comparisons
from games.concerto.front import ConcertoFront
from games.conquian.front import ConquianFront
from games.daily.queries import offers as daily_offers
from games.ecarte.front import EcarteFront
from games.events.views.events import evening_page
from games.events.views.tabs import duplicate_tabs, round_parts
from games.fixture_boards import without_sealed
from games.fuenfzehnern.front import FuenfzehnernFront
from games.grades import queries as grades
from games.kowah.front import KowahFront
from games.options import port_of
from games.pinochle.auction_front import AuctionFront
from games.pinochle.front import PinochleFront
from games.play_or_pay.front import PlayOrPayFront
from games.poch.front import PochFront
from games.pontoon.front import PontoonFront
from games.primiera.front import PrimeroFront, PrimieraFront
from games.proof import participations
from games.put_and_take.front import PutAndTakeFront
from games.scoresheets import policies as sheet_rules
from games.scoresheets.queries.pending import pending_sheets, unusual_results
from games.scoresheets.services import scoresheets
from games.sessions.queries.items import items as evening_items
from games.sessions.queries.own import own_evenings
from games.sessions.services import duplicate_rows, setting_up
from games.stealing_bundles.front import StealingBundlesFront
from games.tables import policies as table_rules
from games.tables.queries.items import items as table_items
from games.tables.queries.own import calling_table, kept_on_device, own_data, own_tables
from games.tables.services import leaving
from games.tien_len.front import TienLenFront
from games.tute.front import TuteFront
from games.twenty_down.front import TwentyDownFront
from league import extension, formats, policies
from league.competitions.services import draft_rows
from league.extension import FormatPages, GamePort, OwnEvent, ReportedItem, SetupPart, Trial
from league.models import Fixture
from league.teams.services import rooms

EVENING_TABS = (
    ("competition", gettext_lazy("Ranking")),
    ("evening_room", gettext_lazy("The room")),
    ("competition_fixtures", gettext_lazy("Rounds")),
)


class Games:
    """What league.extension.GamesLayer asks for."""

    games: Mapping[str, GamePort] = {offered.key: port_of(offered) for offered in game.all_games()}
    setup_parts: Sequence[SetupPart] = (BoardsPart(), HandicapPart(), OnlinePart())
    pages: Mapping[str, FormatPages] = {
        formats.EVENING: FormatPages(evening_page, EVENING_TABS, director="evening_desk")
    }
    beside_competition: Sequence[str] = ("duplicate", "handicap", "online")
    beside_fixture: Sequence[str] = ("match", "round__stage__competition__duplicate")

    pending_sheets = staticmethod(pending_sheets)
    unusual_results = staticmethod(unusual_results)
    masked_reasons = staticmethod(masked_reasons)
    calling_table = staticmethod(calling_table)
    own_data = staticmethod(own_data)
    sits_somewhere = staticmethod(leaving.sits_somewhere)
    stand_up = staticmethod(leaving.stand_up)
    erased = staticmethod(leaving.erased)
    without_sealed = staticmethod(without_sealed)
    tabs = staticmethod(duplicate_tabs)
    round_parts = staticmethod(round_parts)
    copied = staticmethod(setting_up.copied)
    substituted = staticmethod(participations.substituted)
    linked = staticmethod(participations.linked)

    def seeds(self, *, competition: Any, at: datetime) -> Mapping[int, float]:
        today = at.astimezone(ZoneInfo(competition.club.time_zone)).date()
        return grades.seeds(competition, today=today)

    def provisional(self, *, competition: Any, at: datetime) -> frozenset[int]:
        today = at.astimezone(ZoneInfo(competition.club.time_zone)).date()
        return grades.provisional(competition, today=today)

    def places(self, *, competition: Any) -> list[list[tuple[int, int]]]:
        return rankings.places(competition)

    def desk_items(self, *, club: Any, user: Any, at: datetime) -> Iterable[ReportedItem]:
        readers = (board_items, evening_items, table_items)
        return chain.from_iterable(read(club=club, user=user, at=at) for read in readers)

    def own_events(self, *, user: Any, at: datetime, cookies: Mapping[str, str]) -> Iterable[OwnEvent]:
        return (
            *own_evenings(user=user, at=at),
            *own_tables(user=user, at=at),
            *kept_on_device(user=user, cookies=cookies),
        )

    def offers(self, *, user: Any, at: datetime) -> Iterable[OwnEvent]:
        return daily_offers(user=user, at=at)

    def trials(self) -> Iterable[Trial]:
        for offered in game.all_games():
            if offered.robots:
                lessons = (
                    reverse("try_hands", args=[offered.key]) if front.of(offered.key).has_lessons else ""
                )
                yield Trial(
                    _(str(offered.name)),
                    reverse("try_deal", args=[offered.key]),
                    lessons,
                    self.rules_url(offered.key),
                )

    def rules_url(self, game_key: str) -> str:
        return front.of(game_key).rules_url()

    extra_boards = staticmethod(extra.next_boards)
    tie_decided = staticmethod(releases.tie_decided)

    def drawn(self, *, actor: Any, competition: Any) -> None:
        duplicate_leagues.supply(actor=actor, competition=competition)
        handicaps.fix(competition=competition, at=timezone.now())

    def ruled(self, *, actor: Any, fixture: Fixture, reason: str) -> None:
        for listen in (scoresheets.close_pending, releases.ruled, comparisons.ruled):
            listen(actor=actor, fixture=fixture, reason=reason)
        if fixture.is_team_match:
            rooms.follow(actor=actor, fixture=fixture, reason=reason)


def connect() -> None:
    """Called once, when the application is ready."""
    for rules in (games_policies.RULES, sheet_rules.RULES, table_rules.RULES):
        policies.register(rules)
    draft_rows.register(setting_up.PART, duplicate_rows.PART)
    front.register(ConcertoFront("concerto"))
    front.register(TuteFront("tute"))
    front.register(EcarteFront("ecarte"))
    front.register(ConquianFront("conquian"))
    front.register(PinochleFront("pinochle-partnership"))
    front.register(AuctionFront("pinochle-auction"))
    front.register(TienLenFront("tien-len"))
    front.register(FuenfzehnernFront("fuenfzehnern"))
    front.register(TwentyDownFront("twenty-down"))
    front.register(KowahFront("kowah"))
    front.register(BurracoFront("burraco"))
    front.register(PochFront("poch"))
    front.register(PontoonFront("pontoon"))
    front.register(PutAndTakeFront("put-and-take"))
    for key in ("brag-nine", "brag-seven", "brag-six"):
        front.register(BragFront(key))
    front.register(PlayOrPayFront("play-or-pay"))
    front.register(StealingBundlesFront("stealing-bundles"))
    front.register(BouillotteFront("bouillotte"))
    front.register(PrimieraFront("primiera"))
    front.register(PrimeroFront("primero"))
    extension.connect(Games())
