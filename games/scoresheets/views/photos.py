"""Photos of the paper scoresheet: adding one, seeing it, taking it away."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.models import SheetPhoto
from games.proof import participations
from games.scoresheets import entry_links
from games.scoresheets.services import photos
from league import policies
from league.actors import Visitor
from league.models import Fixture, User
from league.web import lookup
from league.web.officials import actor_of
from league.web.refusals import came_from, told


@require_POST
@login_required
@told
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Attaches a photo to the match."""
    fixture = lookup.fixture(request, pk)
    entry_links.attach(request.user, request.session, fixture)
    policies.require(actor_of(request), "photo.add", fixture)
    sent = request.FILES.get("photo")
    if not isinstance(sent, UploadedFile):
        messages.error(request, _("Choose a photo first."))
    else:
        photos.add(actor=actor_of(request), fixture=fixture, picture=sent.read(), at=timezone.now())
        messages.success(request, _("You have added the photo. It will appear in a moment."))
        return HttpResponseRedirect(f"{reverse('match', args=[pk])}#photos-title")
    return _back(request, pk)


@require_safe
def show(request: HttpRequest, pk: int, photo: int) -> HttpResponse:
    """The photo, for those who see the deals of the match; nobody on the way keeps it."""
    return answer_with(photo_of(lookup.fixture(request, pk), photo), request.user)


def answer_with(found: SheetPhoto, visitor: Visitor) -> HttpResponse:
    """The picture; raises Http404 for who may not see it. Whoever gets it has seen the deals."""
    if not policies.may(visitor, "photo.see", found) or found.state != SheetPhoto.State.READY:
        raise Http404
    if isinstance(visitor, User):
        participations.judged(actor=visitor, fixture=found.fixture, at=timezone.now())
    answer = HttpResponse(photos.content_of(photo=found), content_type="image/jpeg")
    answer["Cache-Control"] = "private, no-store"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Disposition"] = "inline; filename=scoresheet.jpg"
    return answer


@require_POST
@login_required
@told
def remove(request: HttpRequest, pk: int, photo: int) -> HttpResponse:
    """Takes a photo away."""
    found = photo_of(lookup.fixture(request, pk), photo)
    photos.remove(actor=actor_of(request), photo=found, at=timezone.now())
    messages.success(request, _("You have removed the photo."))
    return _back(request, pk)


def photo_of(fixture: Fixture, photo: int) -> SheetPhoto:
    """The match's photo with that key; raises Http404 where it has none."""
    found: SheetPhoto = get_object_or_404(SheetPhoto, pk=photo, fixture=fixture)
    found.fixture = fixture
    return found


def _back(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponseRedirect(came_from(request, reverse("match", args=[pk])))
