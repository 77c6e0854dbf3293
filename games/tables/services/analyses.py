"""What the cards of a deal at a table without a match could have made: asked for by who studies it.

A worker works it out: it is one of the analyses of played deals (games.analysis.services.analyses), whose tasks and
sweep serve it as well. A match's deals are analysed with its result.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engine import game
from games.analysis.services import analyses
from games.models import Analysis, TableDeal
from games.tables.state.facts import cards_played
from games.tables.state.replays import replay_of
from league import policies
from league.actors import User
from league.background import announce
from league.errors import Conflict


@transaction.atomic
def request(*, actor: User, deal: TableDeal, asks_expert: bool = False) -> Analysis:
    """Asks for the analysis of a deal that is over and can be replayed. To ask twice is harmless.

    asks_expert: also what the best player would have done in place of each action, which takes seconds.
    """
    policies.require(actor, "table.watch", deal.table)
    told = replay_of(deal.table, deal.number, visitor=actor)
    question = question_of(deal, told["record"]) if told else None
    if question is None:
        raise Conflict(_("We can’t analyse this deal here."), code="not_analysed")
    offered = game.get(deal.table.game)
    analysis = next(iter(analyses.ask(offered, [question]).values()))
    if analysis.version != analyses.version_of(offered):
        announce.after_commit("games.tasks.analyse", analysis.pk)
    if asks_expert:
        cards = cards_played(deal.table, deal)
        analyses.ask_expert(
            analysis=analysis, cards={side: [card.pair, card.number] for side, card in cards.items()}
        )
    return analysis


def request_all(*, actor: User, deals: Iterable[TableDeal]) -> int:
    """Asks for those of these deals that nobody has asked about yet; gives how many."""
    asked = 0
    for deal in deals:
        told = replay_of(deal.table, deal.number, visitor=actor)
        if told and question_of(deal, told["record"]) and analysis_of(deal, told["record"]) is None:
            request(actor=actor, deal=deal)
            asked += 1
    return asked


def analysis_of(deal: TableDeal, record: Mapping[str, Any]) -> Analysis | None:
    """The analysis of a deal with this record, ready or waiting; None where nobody asked."""
    question = question_of(deal, record)
    if question is None:
        return None
    digests = analyses.digests_of_question(game.get(deal.table.game), question)
    return Analysis.objects.filter(digest__in=digests).first()


def question_of(deal: TableDeal, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """What would be analysed; None of a match's deal, or where the game has no analysis."""
    if deal.table.fixture_id is not None:
        return None
    return analyses.question_of(game.get(deal.table.game), record, deal.dealer)
