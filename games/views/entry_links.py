"""What the code on a paper scoresheet leads to."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import entry_links
from games.services import entry_links as opening
from games.views.judging import actor_of
from league import policies
from league.querysets import DECIDED
from league.views import lookup
from league.views.refusals import told


@require_safe
@never_cache
@login_required
@told
def entry_link(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """The entry of this match, opened for a member of the club who holds its paper; nothing else opens."""
    fixture = lookup.fixture(request, pk)
    if fixture.status in DECIDED:
        return redirect(fixture)
    entry_links.attach(request.user, request.session, fixture)
    if not policies.may(request.user, "sheet.enter", fixture):
        opening.use(actor=actor_of(request), fixture=fixture, token=token)
        entry_links.keep(request.session, fixture, token)
    return redirect("scoresheet", fixture.pk)
