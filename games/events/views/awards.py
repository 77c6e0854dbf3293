"""A director gives a board of a match another score, or takes one back: what that changes comes first."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.comparisons.reckoning import effects
from games.comparisons.reckoning.effects import Effects
from games.comparisons.services import awards
from games.events.forms import AwardForm, RevokeAwardForm
from games.events.queries import awards as award_pages
from games.models import AdjustedScore, FixtureBoard
from games.proof import participations
from league import policies
from league.errors import Invalid, LeagueError
from league.models import Fixture
from league.web import lookup
from league.web.officials import actor_of
from league.web.refusals import show_in, told
from league.web.rendering import render_for

OPEN = {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED, Fixture.Status.WALKOVER, Fixture.Status.VOID}


@login_required
@require_http_methods(["GET", "POST"])
@told
def award(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The board of the match: the score that counts, another one to give, and what it would do."""
    fixture = lookup.fixture(request, pk)
    play = _play(fixture, number)
    page = _Page(request, fixture, play)
    if not page.may_give and not page.may_take_back:
        raise PermissionDenied(_("Only a director who isn’t playing in this event can award a score."))
    if request.method == "POST" and page.act(str(request.POST.get("step"))):
        return redirect("award", pk, number)
    return render_for(request, fixture.round.competition.club, "games/award.html", page.context())


def _play(fixture: Fixture, number: int) -> FixtureBoard:
    plays = FixtureBoard.objects.filter(fixture=fixture, board__number=number)
    play = plays.select_related("board__board_set").first()
    if play is None:
        raise Http404
    play.fixture = fixture
    return play


class _Page:
    """The page's two forms, and what they would do."""

    def __init__(self, request: HttpRequest, fixture: Fixture, play: FixtureBoard) -> None:
        self.request, self.fixture, self.play = request, fixture, play
        self.standing = AdjustedScore.objects.filter(play=play, revoked_at__isnull=True).first()
        self.may_see = effects.may_see(request.user, fixture)
        self.may_give = policies.may(request.user, "award.make", fixture)
        self.may_take_back = self.standing is not None and self._may_take_back(self.standing)
        self.giving = self._giving(None)
        self.revoking = RevokeAwardForm()
        self.is_looked_at = False
        self.outcome: Effects | None = None

    def _may_take_back(self, standing: AdjustedScore) -> bool:
        standing.play = self.play
        return policies.may(self.request.user, "award.take_back", standing)

    def _giving(self, data: Any) -> AwardForm:
        return AwardForm(
            data,
            home=str(self.fixture.home),
            away=str(self.fixture.away),
            is_unplayed=self.fixture.status in OPEN,
        )

    def act(self, step: str) -> bool:
        """Does what was asked for; whether something was written."""
        if step == "revoke":
            return self._revoke()
        if not self.may_give:
            raise PermissionDenied(_("Only a director who isn’t playing in this event can award a score."))
        return self._give(step)

    def _revoke(self) -> bool:
        self.revoking = RevokeAwardForm(self.request.POST)
        if self.standing is None:
            messages.error(self.request, _("There’s no score left to undo."))
            return True
        if not self.revoking.is_valid():
            return False
        awards.revoke(
            actor=actor_of(self.request),
            award=self.standing,
            reason=self.revoking.cleaned_data["reason"],
            at=timezone.now(),
        )
        messages.success(self.request, _("Undone. The results will be updated in a moment."))
        return True

    def _give(self, step: str) -> bool:
        """Shows first what would change; gives it only as it was shown."""
        form = self.giving = self._giving(self.request.POST)
        if not form.is_valid():
            return False
        try:
            content = awards.read(form.content())
            if step == "give" and form.cleaned_data["looked"] == form.looks:
                self._write(form, content)
                return True
        except Invalid as refusal:
            show_in(form, refusal)
        except LeagueError as refusal:
            form.add_error(None, refusal.message)
        else:
            self._look(form, content)
        return False

    def _write(self, form: AwardForm, content: dict[str, Any]) -> None:
        actor, reason = actor_of(self.request), form.cleaned_data["reason"]
        if form.is_for_all:
            awards.award_all(actor=actor, fixture=self.fixture, content=content, reason=reason)
        else:
            awards.award(actor=actor, play=self.play, content=content, reason=reason)
        messages.success(self.request, _("Awarded. The results will be updated in a moment."))

    def _look(self, form: AwardForm, content: dict[str, Any]) -> None:
        plays = [self.play]
        if form.is_for_all:
            if "percent" not in content:
                form.add_error("kind", _("If a match wasn’t played at all, please award percentages."))
                return
            plays = list(award_pages.plays_of(self.fixture))
        data = self.request.POST.copy()
        data["looked"] = form.looks
        form.data = data
        self.is_looked_at = True
        self.outcome = effects.of_award(plays, content) if self.may_see else None

    def context(self) -> dict[str, Any]:
        revocation = effects.of_revocation(self.play) if self.standing and self.may_see else None
        made = award_pages.made(self.play)
        earlier = award_pages.earlier(self.play) if self.may_see else ()
        if self.may_see and (made or self.standing or earlier or self.outcome):
            looked_at = (
                self.play.fixture.boards.all() if self.outcome and self.giving.is_for_all else [self.play]
            )
            participations.judged(
                actor=actor_of(self.request),
                fixture=self.fixture,
                at=timezone.now(),
                boards={each.board_id for each in looked_at},
            )
        return {
            "fixture": self.fixture,
            "play": self.play,
            "made": made,
            "standing": award_pages.line(self.standing) if self.standing else None,
            "earlier": earlier,
            "form": self.giving,
            "revoking": self.revoking,
            "looked": self.is_looked_at,
            "outcome": self.outcome,
            "revocation": revocation,
            "may_see": self.may_see,
            "may_see_standing": award_pages.may_see_standing(self.request.user, self.fixture),
            "may_give": self.may_give,
            "may_take_back": self.may_take_back,
        }
