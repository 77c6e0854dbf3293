"""What changed in a club, and what the file that it was made of says, for programs of its directors."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from league.api.filters import KeysetPages
from league.api.requests import asking
from league.api.schema import errors
from league.audit import queries as trail
from league.desk.api.asked import club_for
from league.models import AuditEntry, ClubImport, ImportedTrailLine


class TrailSerializer(serializers.Serializer[Any]):
    """One act. What one person did to one match in one go is one line."""

    at = serializers.DateTimeField(source="when.at")
    who = serializers.CharField()
    what = serializers.ListField(child=serializers.CharField(), help_text="In words.")
    about = serializers.CharField(
        source="about.name", help_text="A match, a competition or a player; or empty."
    )
    why = serializers.CharField(help_text="The reason, if there is one and you may read it.")
    is_masked = serializers.BooleanField(
        help_text="Whether there is a reason that you may not read yet, because you still play."
    )


class ImportedLineSerializer(serializers.ModelSerializer[ImportedTrailLine]):
    """What the trail of the other installation said, as text: nobody here has confirmed it."""

    class Meta:
        model = ImportedTrailLine
        fields = ("at", "who", "action", "what", "about", "why")


class ClubTrail(ListAPIView[AuditEntry]):
    """The trail of a club."""

    serializer_class = TrailSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[AuditEntry]:
        """The newest first."""
        if getattr(self, "swagger_fake_view", False):
            return AuditEntry.objects.none()
        return trail.of_club(club_for(self.request, self.kwargs["slug"], "club.see_members"))

    def paginate_queryset(self, queryset: Any) -> Any:
        """A page of the entries, in words: fewer lines where one act has several entries."""
        club = club_for(self.request, self.kwargs["slug"], "club.see_members")
        return trail.lines(super().paginate_queryset(queryset) or (), club, reader=asking(self.request))

    @extend_schema(
        operation_id="club_trail",
        summary="What changed in a club",
        responses={200: TrailSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Who did what, when, to what, and why; for directors. Reasons about boards you still play are masked."""
        return super().get(request, *args, **kwargs)


class ClubImportedTrail(ListAPIView[ImportedTrailLine]):
    """The trail that came with the file of a club."""

    serializer_class = ImportedLineSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[ImportedTrailLine]:
        """The newest first."""
        if getattr(self, "swagger_fake_view", False):
            return ImportedTrailLine.objects.none()
        club = club_for(self.request, self.kwargs["slug"], "club.see_members")
        if not ClubImport.objects.filter(club=club, state=ClubImport.State.DONE).exists():
            raise Http404
        lines: QuerySet[ImportedTrailLine] = ImportedTrailLine.objects.filter(club=club).order_by(
            "-at", "-pk"
        )
        return lines

    @extend_schema(
        operation_id="imported_trail",
        summary="What happened before a club was imported",
        responses={200: ImportedLineSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """The trail of the other installation as text, for directors; 404 for a club that no file was made into."""
        return super().get(request, *args, **kwargs)
