"""The director's desk: one page that says what to do next, and what has changed."""

from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league import policies
from league.actors import Actor
from league.errors import NotAllowed
from league.models import Club, Partnership, PlayerClaim, User
from league.selectors import competitions, desk, desk_matches, trail
from league.selectors.fixtures import lines
from league.views import lookup
from league.views.refusals import told
from league.views.rendering import render_for

NO_CONTENT = 204
LATEST_CHANGES = 20
CHANGES_A_PAGE = 50
MATCHES_A_PAGE = 50
LONGEST_SEARCH = 80
# A club that has let things slide sees the most urgent first, and how many there are.
MATTERS_SHOWN = 30


def acting(request: HttpRequest) -> Actor:
    """The person behind a request, for services; views that need one are for people who are logged in."""
    if isinstance(request.user, User):
        return request.user
    raise NotAllowed("")


def official(request: HttpRequest, slug: str, action: str = "club.desk") -> Club:
    """The club, for those who may do `action` in it."""
    club = lookup.club(slug)
    policies.require(acting(request), action, club)
    return club


def posted(request: HttpRequest) -> QueryDict | None:
    """What was sent, be it nothing at all: a form that gets it says what is missing. None where nothing was."""
    return request.POST if request.method == "POST" else None


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str) -> HttpResponse:
    """Everything that waits for a director, the most urgent first; the way to the rest; the latest changes."""
    found = official(request, club)
    now = timezone.now()
    may_see_trail = policies.may(request.user, "club.see_members", found)
    context = {
        "todo": _todo(request, found),
        "deadlines": desk.deadlines(found, at=now),
        "competitions": competitions.of_club(found, request.user),
        "counts": _counts(request, found),
        "changes": trail.lines(trail.of_club(found)[:LATEST_CHANGES], found) if may_see_trail else (),
        "may_see_trail": may_see_trail,
        "may_set_up": policies.may(request.user, "competition.set_up", found),
        "may_manage_members": policies.may(request.user, "club.members", found),
    }
    return render_for(request, found, "league/desk/desk.html", context)


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
    if not todo.is_about_the_same_as(seen):
        answer["X-Live-Announce"] = quote(_("There is something new on the desk."))
    return answer


@dataclass(frozen=True, slots=True)
class Todo:
    """What waits for a director as it looks now, and where to ask whether it has changed."""

    html: SafeString
    version: str
    url: str

    def is_about_the_same_as(self, version: str) -> bool:
        """Whether the version told of the same matters, be they told in other words (a minute later)."""
        return version.partition("-")[0] == self.version.partition("-")[0]


def _todo(request: HttpRequest, club: Club) -> Todo:
    now = timezone.now()
    with timezone.override(club.time_zone):
        matters = desk.matters(club, request.user, at=now)
        context = {
            "club": club,
            "matters": matters if "all" in request.GET else matters[:MATTERS_SHOWN],
            "matters_in_all": len(matters),
            "tiles": desk.tiles(club, at=now),
        }
        html = render_to_string("league/desk/matters.html", context, request).strip()
    about = _digest("\n".join(f"{matter.mark} {matter.url}" for matter in matters))
    version = f"{about}-{_digest(html)}"
    query = {"version": version, **({"all": "1"} if "all" in request.GET else {})}
    url = f"{reverse('desk_live', args=[club.slug])}?{urlencode(query)}"
    return Todo(SafeString(html), version, url)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _counts(request: HttpRequest, club: Club) -> dict[str, int]:
    """How many there are of what the desk's list of people leads to."""
    counts = {
        "players": club.players.present().count(),
        "pairs": Partnership.objects.present().filter(club=club).count(),
        "members": club.memberships.count(),
    }
    if policies.may(request.user, "player.merge", club):
        claims = PlayerClaim.objects.filter(player__club=club, state=PlayerClaim.State.OPEN)
        counts |= {"claims": claims.count(), "duplicates": desk.duplicates_count(club)}
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
    page = lookup.page(request, listed, MATCHES_A_PAGE)
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
    page = lookup.page(request, trail.of_club(found), CHANGES_A_PAGE)
    context = {"page": page, "changes": trail.lines(page.object_list, found)}
    return render_for(request, found, "league/desk/trail.html", context)
