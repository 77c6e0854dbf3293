"""What people see of Concerto."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from engine.deals import Deal
from games.concerto import api, demo, labels, lessons, paper, replay, rules_page, values
from games.concerto.deals import ConcertoMaker
from games.concerto.places import ConcertoPlaces
from games.concerto.sheet import entry, page
from games.concerto.sheet.plain import PlainDealForm
from games.concerto.study import best_play, board_best, hands_played
from games.concerto.urls import urlpatterns
from games.front import Figures, GameFront, Json, Lesson, Practised
from games.models import Analysis, Match, PlayedDeal, Scoresheet
from games.records.display.shown import ShownSheet
from games.records.parsing import Reading
from league.actors import Visitor
from league.models import Fixture
from league.templatetags.ui import script_modules


class ConcertoFront(GameFront):
    """Sheets down to the card, best play, signals, and a felt of its own."""

    maker = ConcertoMaker
    places = ConcertoPlaces()
    plain_form = PlainDealForm
    replay_template = "concerto/replay.html"
    paper_template = "concerto/_paper_deals.html"
    paper_file = "concerto/templates/concerto/scoresheets"
    compare_template = "concerto/_hands_compared.html"
    felt = "concerto/js/table"
    felt_template = "concerto/_felt.html"
    felt_style = "concerto/css/felt.css"
    summary = gettext_lazy(
        "You and your partner build poker hands together, without seeing each other’s cards."
    )
    length = gettext_lazy("four deals: about an hour")
    record_serializer = api.DealRecordSerializer
    sheet_examples = (api.AS_TOTALS, api.AS_COMBINATIONS)
    rules_page = "concerto/rules.html"
    scoring = "concerto/_scoring.html"
    has_lessons = True
    urls = tuple(urlpatterns)

    def rules_content(self) -> Json:
        return rules_page.content(self.key)

    def scoring_values(self) -> Any:
        return rules_page.values(self.key)

    def played_match(self, rng: Random, options: Json, skill: tuple[int, ...]) -> Json:
        return demo.played_match(rng, options, (skill[0], skill[1]))

    def played_boards(
        self, rng: Random, options: Json, skill: tuple[int, ...], boards: Sequence[tuple[str, str]]
    ) -> Json:
        dealt = [(dealer, Deal.parse(deal)) for dealer, deal in boards]
        return demo.played_boards(rng, options, (skill[0], skill[1]), dealt)

    def sheet_page(
        self, request: HttpRequest, fixture: Fixture, content: Json, *, saved: str
    ) -> HttpResponse | None:
        return page.sheet_page(request, fixture, content, saved=saved)

    def sheet_answer(self, fixture: Fixture, reading: Reading, content: Json, focus: Any) -> Json:
        return page.sheet_answer(fixture, reading, content, focus)

    def place_in_sheet(self, fixture: Fixture, page: Json | None, *, is_empty: bool) -> Json:
        if page is not None:
            return entry.place_in_sheet(fixture, page)
        return {"deal": 0, "spot": "seats"} if is_empty else {}

    def files_to_keep(self) -> tuple[str, ...]:
        return ("concerto/css/sheet.css", *script_modules("concerto/js/sheet"))

    def take_figures(self, match: Match, deal: PlayedDeal, reading: Reading) -> Iterator[Figures]:
        return hands_played.take_figures(match, deal, reading)

    def summaries(self, deals: Collection[int]) -> Mapping[tuple[int, int], Any]:
        return hands_played.summaries(deals, self.key)

    def best_play(
        self, *, fixture: Fixture, visitor: Visitor, row: Scoresheet, sheet: ShownSheet
    ) -> Mapping[int, Any]:
        return best_play.best_play(fixture=fixture, visitor=visitor, row=row, sheet=sheet)

    def best_in(self, analysis: Analysis) -> Any:
        return board_best.best_in(analysis)

    def practised(self, analysis: Analysis, score: Json, seat: str) -> Practised | None:
        return board_best.practised(analysis, score, seat)

    def replay(
        self,
        played: Any,
        *,
        step: int,
        seen_from: str,
        costs: Mapping[int, int],
        analysis: Analysis | None = None,
    ) -> Any:
        return replay.replay(played, step=step, seen_from=seen_from, costs=costs, analysis=analysis)

    def replay_views(self, names: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        return replay.seats_to_choose(names)

    def lessons(self) -> Iterable[Lesson]:
        return lessons.lessons()

    def table_labels(self) -> Json:
        return labels.texts(self.key)

    def table_keys(self) -> tuple[tuple[str, str], ...]:
        return (*super().table_keys(), *labels.call_keys())

    def paper_how(self) -> str:
        return paper.how()

    def paper_values(self) -> Any:
        return values.paper_values(self.key)

    def paper_content(self, sheet: Any) -> Json:
        return paper.content(sheet)

    def paper_deal(self, sheet: Any, deal: Any) -> Json:
        return paper.deal(sheet, deal)
