"""The director's desk: one page that says what to do next, and what has changed."""

import re
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import policies
from league.audit import queries as trail
from league.desk.queries import desk, people
from league.desk.queries import matches as desk_matches
from league.desk.services import items
from league.fixtures.queries import lines
from league.fixtures.services import reminders
from league.models import Club, Fixture, Lineup, OutboxMessage, PlayerClaim
from league.results.queries import competitions
from league.web import lookup
from league.web.local_time import moment
from league.web.officials import acting, official
from league.web.refusals import told
from league.web.rendering import render_for

NO_CONTENT = 204
LATEST_CHANGES = 20
CHANGES_A_PAGE = 50
MATCHES_A_PAGE = 50
LONGEST_SEARCH = 80
# A club that has let things slide sees the most urgent first, and how many there are.
MATTERS_SHOWN = 30
# So many letters of its digest stand for an item in the version of the desk, for so many items.
MARK, MOST_MARKS = 5, 100
# The token of a form is another one each time.
CSRF = re.compile(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>')


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str) -> HttpResponse:
    """Everything that waits for a director, the most urgent first; the way to the rest; the latest changes."""
    found = official(request, club)
    now = timezone.now()
    may_see_trail = policies.may(request.user, "club.see_members", found)
    may_set_up = policies.may(request.user, "competition.set_up", found)
    context = {
        "todo": _todo(request, found),
        "evenings": desk.evenings(found),
        "deadlines": desk.deadlines(found, at=now),
        "competitions": competitions.of_club(found, request.user),
        "counts": _counts(request, found),
        "changes": trail.lines(trail.of_club(found)[:LATEST_CHANGES], found, reader=request.user)
        if may_see_trail
        else (),
        "deleted": desk.deleted_drafts(found, at=now) if may_set_up else (),
        "may_see_trail": may_see_trail,
        "may_set_up": may_set_up,
        "may_manage_members": policies.may(request.user, "club.members", found),
    }
    return render_for(request, found, "league/desk/desk.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def missing(request: HttpRequest, club: str) -> HttpResponse:
    """The matches without a result, and when their players were asked for it; all are asked in one press."""
    found, now = official(request, club), timezone.now()
    if request.method == "POST":
        count = reminders.remind_all(actor=acting(request), club=found, at=now)
        if count:
            said = ngettext("You asked %(count)d person.", "You asked %(count)d people.", count)
            messages.success(request, said % {"count": count})
        else:
            messages.info(
                request,
                _(
                    "Nobody was asked: everyone was already asked today, has no account, or has turned reminders off."
                ),
            )
        return redirect("desk_missing", found.slug)
    page = lookup.stretch(request, reminders.owing(found, at=now), MATCHES_A_PAGE, among=_matches_of(found))
    asked = reminders.asked_at(page.object_list, found)
    listed = [(line, moment(asked.get(line.key), found.time_zone)) for line in lines(page.object_list)]
    return render_for(request, found, "league/desk/missing.html", {"page": page, "listed": listed})


@require_safe
@never_cache
@login_required
@told
def live(request: HttpRequest, club: str) -> HttpResponse:
    """What waits for a director, or 204 while it is what the query's `version` was."""
    found = official(request, club)
    seen = request.GET.get("version", "")
    todo = _todo(request, found)
    if seen == todo.version:
        return HttpResponse(status=NO_CONTENT)
    answer = HttpResponse(todo.html, headers={"X-Live-Url": todo.url})
    news = todo.news_since(seen)
    if news:
        answer["X-Live-Announce"] = quote(news)
    return answer


@require_POST
@login_required
@told
def seen(request: HttpRequest, club: str) -> HttpResponse:
    """Takes an item off the desk that somebody has looked at, or puts it back."""
    found = official(request, club)
    with timezone.override(found.time_zone):
        now = desk.of_club(found, request.user, at=timezone.now())
    is_back = "again" in request.POST
    key = request.POST.get("key", "")
    item = next((each for each in (now.aside if is_back else now.waiting) if key and each.key == key), None)
    if item is None:
        messages.info(request, _("This is no longer here: someone else may have got there first."))
    elif is_back:
        items.show_again(actor=acting(request), club=found, item=item)
        messages.success(request, _("Back on the desk: %(what)s.") % {"what": item.what})
    else:
        items.put_aside(actor=acting(request), club=found, item=item)
        said = _("Seen: %(what)s. You’ll find it under “Dismissed” and in the trail.")
        messages.success(request, said % {"what": item.what})
    return redirect("desk", found.slug)


@dataclass(frozen=True, slots=True)
class Todo:
    """What waits for a director as it looks now, and where to ask whether it has changed."""

    html: SafeString
    version: str
    url: str
    names: dict[str, str]
    """What each item is called, by a short mark of it that stands in the version."""

    def news_since(self, version: str) -> str:
        """What has come since that version, in words for readers; "" when nothing has (or less is left)."""
        marks = set(version.partition("-")[0].split("."))
        new = [name for mark, name in self.names.items() if mark not in marks]
        if not new:
            return ""
        more = len(new) - 1
        said = _("New on the desk: %(what)s") % {"what": new[0]}
        others = ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more} if more else ""
        return f"{said} {others}".strip()


def _todo(request: HttpRequest, club: Club) -> Todo:
    now = timezone.now()
    with timezone.override(club.time_zone):
        found = desk.of_club(club, request.user, at=now)
        most = None if "all" in request.GET else MATTERS_SHOWN
        groups = found.groups(most)
        context = {
            "club": club,
            "desk": found,
            "groups": groups,
            "counts": found.counts(),
            "shown": sum(group.count for group in groups),
            "in_all": len(found.waiting),
            "soon": desk.in_the_next_week(club, at=now),
            "coming": None if found.waiting else desk.coming(club, at=now),
            "may_set_up": policies.may(request.user, "competition.set_up", club),
            "is_new": not club.competitions.exists(),
        }
        html = render_to_string("league/desk/items.html", context, request).strip()
    names = {
        _digest(f"{each.mark} {each.url} {each.key}")[:MARK]: f"{each.mark}, {each.what}"
        for each in found.waiting[:MOST_MARKS]
    }
    version = f"{'.'.join(names)}-{_digest(CSRF.sub('', html))}"
    query = {"version": version, **({"all": "1"} if "all" in request.GET else {})}
    url = f"{reverse('desk_live', args=[club.slug])}?{urlencode(query)}"
    return Todo(SafeString(html), version, url, names)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _matches_of(club: Club) -> QuerySet[Fixture]:
    found: QuerySet[Fixture] = Fixture.objects.filter(division__stage__competition__club=club)
    return found


def _counts(request: HttpRequest, club: Club) -> dict[str, int]:
    """How many there are of what the desk's list of people leads to."""
    counts = {
        "players": club.players.present().count(),
        "pairs": Lineup.objects.present().filter(club=club).count(),
        "members": club.memberships.count(),
    }
    if policies.may(request.user, "player.merge", club):
        claims = PlayerClaim.objects.filter(player__club=club, state=PlayerClaim.State.OPEN)
        counts |= {"claims": claims.count(), "duplicates": people.duplicates_count(club)}
    if policies.may(request.user, "club.mails", club):
        counts["mails"] = OutboxMessage.objects.given_up().filter(club=club).count()
    return counts


@require_safe
@login_required
@told
def matches(request: HttpRequest, club: str) -> HttpResponse:
    """The open matches, each with what an official can do: enter its sheet, give a walkover or another date."""
    found = official(request, club)
    which = request.GET.get("which", "")
    if which not in desk_matches.KINDS:
        raise Http404
    wanted = " ".join(request.GET.get("q", "")[:LONGEST_SEARCH].split())
    listed = desk_matches.open_matches(found, which, at=timezone.now(), name=wanted)
    page = lookup.stretch(request, listed, MATCHES_A_PAGE, among=_matches_of(found))
    here = reverse("desk_matches", args=[found.slug])
    context = {
        "page": page,
        "lines": lines(page.object_list),
        "which": which,
        "wanted": wanted,
        "tabs": [
            {"label": label, "url": f"{here}?which={key}" if key else here, "is_current": key == which}
            for key, label in desk_matches.KINDS.items()
        ],
        "may_rule": policies.may(request.user, "fixture.rule", found),
    }
    return render_for(request, found, "league/desk/matches.html", context)


@require_safe
@login_required
@told
def changes(request: HttpRequest, club: str) -> HttpResponse:
    """Everything that was changed in the club: who, when, what, why."""
    found = official(request, club, "club.see_members")
    page = lookup.stretch(request, trail.of_club(found), CHANGES_A_PAGE)
    context = {"page": page, "changes": trail.lines(page.object_list, found, reader=request.user)}
    return render_for(request, found, "league/desk/trail.html", context)
