"""What was reported of the chat at a club's tables, for its directors."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import ChatLine
from games.tables.services import chat
from games.tables.views.play import person_of
from league.web import lookup
from league.web.officials import official
from league.web.refusals import told
from league.web.rendering import render_for

ON_A_PAGE = 50


@never_cache
@require_safe
@login_required
@told
def chat_reports(request: HttpRequest, club: str) -> HttpResponse:
    """The reported messages of the last thirty days, those to be decided first."""
    found = official(request, club, "chat.review")
    lines = ChatLine.objects.reported(found).select_related("table", "user", "reported_by", "settled_by")
    page = lookup.stretch(request, lines, ON_A_PAGE)
    return render_for(request, found, "games/chat_reports.html", {"page": page})


@require_POST
@login_required
@told
def chat_settle(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """A director has seen to one of them."""
    found = official(request, club, "chat.review")
    line = get_object_or_404(ChatLine.objects.reported(found), pk=pk)
    chat.settle(actor=person_of(request), line=line, at=timezone.now())
    messages.success(request, _("Settled."))
    return redirect("chat_reports", found.slug)
