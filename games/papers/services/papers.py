"""Papers for the room: asked for, made by a worker, fetched, and thrown away after a day.

The row is the promise: a lease keeps a paper with one worker at a time, and a sweep finds what a lost message or a
worker that died has left. Finished papers are kept encrypted, for there may be sealed cards on them; they are nowhere
else, and neither tasks nor logs nor errors say what stands on them.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from games import board_cards
from games import policies as games_policies
from games.boards.services import boards
from games.models import BoardSet, Duplicate, Paper
from games.options import has_board_files
from games.papers.kinds import KINDS, Asks, Kind
from games.papers.orders import NothingToPrint, Order, Product
from games.papers.typesetting import SIZES, NotSet
from league import locks, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.background import announce, sweeps
from league.competitions.services import competitions
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.models import Competition, Round
from league.storage import board_keys
from league.words import sentences

log = structlog.get_logger(__name__)

LEASE = timedelta(minutes=5)
KEPT = timedelta(days=1)
MOST_TRIES = 3
MOST_WAITING = 20
MOST_AT_ONCE = 10
#: Of how many places certificates and prize lists can be.
EVERYBODY = 999
PLACES = (3, 1, 2, 4, 5, 6, 8, 10, EVERYBODY)
# So often at most the row is told how far the work is.
TELL_EVERY = 5
State = Paper.State
TASK = "games.tasks.make_paper"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What was asked for, checked."""

    kind: Kind
    board_set: BoardSet | None
    round: Round | None
    size: str
    places: int

    @property
    def draws(self) -> bool:
        """Whether it has cards on it that are still sealed."""
        return bool(self.kind.draws) and self.board_set is not None and self.board_set.released_at is None


@transaction.atomic
def ask(*, actor: Actor, competition: Competition, kind: str, parameters: Mapping[str, Any]) -> Paper:
    """Asks a worker for a paper. With sealed cards on it this draws them out: publicly, with `parameters["reason"]`.

    The same asked again while it is being made is the same paper. `parameters` are "set" or "round" by key where the
    kind asks for one, "size", and "site", the address by which the asker found us.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "paper.ask", competition)
    wanted = _wanted(competition, kind, parameters)
    asker = person(actor)
    if asker is None:
        raise NotAllowed(_("Only a person can request a printout."))
    kept = {
        "set": wanted.board_set.pk if wanted.board_set else None,
        "round": wanted.round.pk if wanted.round else None,
        "places": wanted.places,
        "size": wanted.size,
        "language": get_language() or settings.LANGUAGE_CODE,
        "site": site_for_paper(str(parameters.get("site", ""))),
        "sealed": wanted.draws,
    }
    under_way = Paper.objects.filter(competition=competition, state__in=[State.WAITING, State.WORKING])
    same = under_way.filter(kind=kind, parameters=kept, asked_by=asker).first()
    if same is not None:
        return same
    if under_way.count() >= MOST_WAITING:
        raise Conflict(_("We’re already creating a lot of printouts. Please wait until some are ready."))
    if wanted.draws and wanted.board_set is not None:
        _draw_out(actor, wanted, str(parameters.get("reason", "")))
    paper = Paper.objects.create(competition=competition, kind=kind, parameters=kept, asked_by=asker)
    audit.record(
        actor=actor,
        action="paper.asked",
        summary=sentences.gettext("Printout requested: %(kind)s") % {"kind": wanted.kind.title},
        competition=competition,
        after={"kind": kind, "set": kept["set"], "round": kept["round"]},
    )
    announce.after_commit(TASK, paper.pk)
    return paper


@transaction.atomic
def ask_again(*, actor: Actor, paper: Paper) -> Paper:
    """Tries a paper that failed once more, for the person who asked; what was drawn out for it stays drawn out."""
    paper = locks.one(Paper.objects.filter(pk=paper.pk).select_related("competition__club"))
    policies.require(actor, "paper.take", paper)
    if paper.state != State.FAILED:
        raise Conflict(_("We’re already creating this printout, or it’s ready."))
    paper.state, paper.tries, paper.failure = State.WAITING, 0, ""
    paper.done = paper.pages = 0
    paper.save(update_fields=["state", "tries", "failure", "done", "pages"])
    announce.after_commit(TASK, paper.pk)
    return paper


def content_of(*, actor: Actor, paper: Paper) -> bytes:
    """The finished file, for somebody who may have it now. Raises NotAllowed, Conflict."""
    policies.require(actor, "paper.take", paper)
    if not games_policies.may_read_paper(actor, paper):
        raise NotAllowed(_("This printout shows sealed cards. Only the person who requested it may have it."))
    if paper.state != State.READY or paper.content is None:
        raise Conflict(_("This printout isn’t ready."))
    return board_keys.decrypt(paper.content)


def _wanted(competition: Competition, key: str, parameters: Mapping[str, Any]) -> _Wanted:
    kind = KINDS.get(key)
    if kind is None:
        raise Invalid(_("There’s no such printout."))
    size = parameters.get("size") or SIZES[0]
    if size not in SIZES:
        raise Invalid(_("Choose A4 or US Letter."))
    is_duplicate = Duplicate.objects.filter(competition=competition).exists()
    if kind.needs_boards and not is_duplicate:
        raise Conflict(_("The tables in this competition don’t play the same boards."))
    if kind.needs_files and not has_board_files(competition.game):
        raise Conflict(_("Dealing machines don’t know the cards of this game."))
    if not kind.suits(competition):
        raise Conflict(_("This kind of competition has no such printout."))
    board_set, played = None, None
    if kind.asks == Asks.SET:
        in_use = BoardSet.objects.filter(competition=competition, discarded_at=None)
        board_set = in_use.select_related("round").filter(pk=_key(parameters.get("set"))).first()
        if board_set is None:
            raise Invalid(_("Please choose which boards."))
    if kind.asks == Asks.ROUND and parameters.get("round"):
        played = Round.objects.filter(stage__competition=competition, pk=_key(parameters["round"])).first()
        if played is None:
            raise Invalid(_("There is no such round."))
    return _Wanted(kind, board_set, played, str(size), _wanted_places(kind, parameters))


def _wanted_places(kind: Kind, parameters: Mapping[str, Any]) -> int:
    if kind.asks != Asks.PLACES:
        return 0
    places = _key(parameters.get("places") or PLACES[0])
    if places not in PLACES:
        raise Invalid(_("Choose how many places."))
    return places


def _key(given: Any) -> int:
    """A row's key as it was sent; 0, which no row has, for anything else."""
    text = str(given or "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else 0


def _draw_out(actor: Actor, wanted: _Wanted, reason: str) -> None:
    board_set = wanted.board_set
    if board_set is None:
        return
    if not board_cards.are_known(board_set):
        raise Conflict(_("These boards have no cards yet, because the delayed value isn’t filled in."))
    boards.draw_out(actor=actor, board_set=board_set, kind=wanted.kind.draws, reason=reason)


def site_for_paper(found_by: str) -> str:
    """The address for links on paper: the site's own, or where it has none but this computer's, the asker's."""
    if urlsplit(settings.SITE_URL).hostname in {"localhost", "127.0.0.1"} and found_by.startswith("http"):
        return found_by.rstrip("/")[:200]
    return settings.SITE_URL


# What workers do


def make_paper(*, paper_id: int, at: datetime) -> bool:
    """Makes a paper that waits, unless another worker has it; whether it is ready now."""
    paper = _leased(paper_id, at)
    if paper is None:
        return False
    language = str(paper.parameters.get("language", settings.LANGUAGE_CODE))
    with override(language), timezone.override(paper.competition.club.time_zone):
        try:
            product = _made(paper)
        except (LeagueError, NothingToPrint) as reason:
            return _failed(paper, str(getattr(reason, "message", reason)))
        except NotSet:
            log.error("paper_not_set", paper=paper.pk, kind=paper.kind)
            return _failed(
                paper, _("We couldn’t typeset it. The people who run the site can find out more in the log.")
            )
        except Exception as fault:  # noqa: BLE001 (whatever it was, its words may be cards and stay here)
            return _failed_oddly(paper, fault)
        return _finished(paper, product, at)


def _leased(paper_id: int, at: datetime) -> Paper | None:
    with transaction.atomic():
        waiting = Paper.objects.filter(_free(at), pk=paper_id).select_related("competition__club", "asked_by")
        paper = next(iter(locks.lease(waiting, most=1)), None)
        if paper is None:
            return None
        paper.state, paper.leased_until, paper.tries = State.WORKING, at + LEASE, paper.tries + 1
        paper.save(update_fields=["state", "leased_until", "tries"])
    return paper


def _free(at: datetime) -> Q:
    lost = Q(state=State.WORKING) & (Q(leased_until=None) | Q(leased_until__lt=at))
    return (Q(state=State.WAITING) | lost) & Q(tries__lt=MOST_TRIES)


def _made(paper: Paper) -> Product:
    kind = KINDS[paper.kind]
    board_set = BoardSet.objects.filter(pk=paper.parameters.get("set")).select_related("round").first()
    if kind.asks == Asks.SET and (board_set is None or board_set.discarded_at is not None):
        raise Conflict(_("These boards were discarded."))
    if board_set is not None:
        board_set.competition = paper.competition
    order = Order(
        competition=paper.competition,
        size=paper.parameters["size"],
        language=paper.parameters["language"],
        site=paper.parameters["site"],
        tell=_teller(paper),
        board_set=board_set,
        round=Round.objects.filter(pk=paper.parameters.get("round")).first(),
        places=paper.parameters.get("places", 0),
    )
    return kind.make(order)


def _own(paper: Paper) -> Any:
    """The row as long as it is this worker's: a later one has counted the tries up."""
    return Paper.objects.filter(pk=paper.pk, state=State.WORKING, tries=paper.tries)


def _teller(paper: Paper) -> Any:
    def tell(done: int, pages: int) -> None:
        if done % TELL_EVERY == 0 or done == pages:
            _own(paper).update(done=done, pages=pages)

    return tell


def _finished(paper: Paper, product: Product, at: datetime) -> bool:
    content = board_keys.encrypt(product.content)
    written = _own(paper).update(
        state=State.READY,
        content=content,
        file_name=product.file_name,
        ready_at=at,
        leased_until=None,
        failure="",
    )
    return bool(written)


def _failed(paper: Paper, words: str) -> bool:
    _own(paper).update(state=State.FAILED, failure=words[:300], leased_until=None)
    return False


def _failed_oddly(paper: Paper, fault: Exception) -> bool:
    """Something that nobody foresaw: said without its words, which may be cards; tried again by the sweep."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    log.error("paper_not_made", paper=paper.pk, kind=paper.kind, fault=type(fault).__name__, where=where)
    if paper.tries >= MOST_TRIES:
        return _failed(
            paper,
            _("Something went wrong three times. The people who run the site can find out more in the log."),
        )
    _own(paper).update(state=State.WAITING, leased_until=None)
    return False


def sweep(*, at: datetime) -> int:
    """Makes what was left lying, and throws away what is a day old; gives how many were made."""
    lost = Paper.objects.filter(state=State.WORKING, leased_until__lt=at, tries__gte=MOST_TRIES)
    lost.update(
        state=State.FAILED,
        leased_until=None,
        failure=_("It took too long three times. Please request less at a time."),
    )
    old = Q(ready_at__lt=at - KEPT) | Q(state=State.FAILED, asked_at__lt=at - KEPT)
    Paper.objects.filter(old).delete()
    waiting = Paper.objects.filter(_free(at)).order_by(F("leased_until").asc(nulls_first=True), "pk")
    return sweeps.run(
        work="paper", rows=waiting, do=lambda key: make_paper(paper_id=key, at=at), at=at, most=MOST_AT_ONCE
    )
