"""Clubs as files for programs: take one away, bring one in."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.club_files import checks, services, views
from league.api.requests import NothingSerializer, asking
from league.api.schema import errors, write_errors
from league.models import Club, ClubImport, Competition

FILE = {(200, "application/zip"): OpenApiTypes.BINARY}


class UploadSerializer(serializers.Serializer[Any]):
    """The file of a club."""

    file = serializers.FileField(help_text="A zip that an installation of this service made.")


class FoundCompetitionSerializer(serializers.Serializer[Any]):
    """A competition in a file."""

    name = serializers.CharField()
    season = serializers.CharField()
    state = serializers.ChoiceField(choices=Competition.State.choices)


class NotInFileSerializer(serializers.Serializer[Any]):
    """Something that is not in a file."""

    what = serializers.ChoiceField(choices=[(key, key) for key in checks.LEFT_OUT_IN_WORDS])
    count = serializers.IntegerField()


class ClubFilePreviewSerializer(serializers.Serializer[Any]):
    """What was understood of a file."""

    club = serializers.CharField()
    of_competition = serializers.CharField(help_text="Its name, where the file holds one only; else empty.")
    competitions = FoundCompetitionSerializer(many=True)
    players = serializers.IntegerField()
    pairs = serializers.IntegerField()
    matches = serializers.IntegerField()
    results = serializers.IntegerField()
    sheets = serializers.IntegerField()
    boards = serializers.IntegerField()
    trail = serializers.IntegerField(help_text="Lines of the trail.")
    left_out = NotInFileSerializer(many=True)


class ClubImportSerializer(serializers.Serializer[Any]):
    """A file that was sent, and what has become of it."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(choices=ClubImport.State.choices)
    file_name = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of the file.")
    preview = ClubFilePreviewSerializer()
    failure = serializers.CharField(help_text="Why it failed; else empty.")
    club = serializers.SlugField(
        source="club.slug", allow_null=True, default=None, help_text="Its address, once it is there."
    )


class ClubFile(APIView):
    """A club as one file."""

    serializer_class = NothingSerializer

    @extend_schema(
        operation_id="club_file",
        summary="A club as one file",
        request=NothingSerializer,
        responses={**FILE, **write_errors(404)},
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """The whole club as a zip, for its owners: [docs/club-files.md] says what is in it. The trail notes it."""
        asking(request)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        return views.file_of(request, get_object_or_404(Club, slug=slug), None)


class CompetitionFile(APIView):
    """A competition as one file."""

    serializer_class = NothingSerializer

    @extend_schema(
        operation_id="competition_file",
        summary="A competition as one file",
        request=NothingSerializer,
        responses={**FILE, **write_errors(404)},
    )
    def post(self, request: Request, pk: int) -> HttpResponse:
        """A competition with those who take part as a zip, for directors of its club. The trail notes it."""
        seen = Competition.objects.visible_to(asking(request)).select_related("club")
        found = get_object_or_404(seen, pk=pk)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        return views.file_of(request, found.club, found)


class ClubImports(APIView):
    """Files of clubs."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="club_import_preview",
        summary="Send the file of a club",
        request={"multipart/form-data": UploadSerializer},
        responses={
            201: OpenApiResponse(ClubImportSerializer, description="What was understood of it."),
            **write_errors(409, 422),
        },
    )
    def post(self, request: Request) -> Response:
        """Reads and checks the file and says what is in it. Nothing is created yet: `begin` does that."""
        sent = UploadSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        upload = sent.validated_data["file"]
        row = services.preview(actor=asking(request), upload=upload, file_name=upload.name, at=timezone.now())
        return Response(ClubImportSerializer(row).data, status=status.HTTP_201_CREATED)


class ClubImportDetail(APIView):
    """A file that was sent."""

    @extend_schema(
        operation_id="club_import",
        summary="A file that you sent",
        responses={200: ClubImportSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """What was understood of it, and whether its club is there; kept for a day if nothing came of it."""
        return Response(ClubImportSerializer(_own(request, pk)).data)


class ClubImportBegin(APIView):
    """A file becomes a club."""

    @extend_schema(
        operation_id="club_import_begin",
        summary="Create the club of a file",
        request=None,
        responses={200: ClubImportSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A worker makes a new club of it, which you own. To ask twice is harmless; read the state again afterwards."""
        row = services.begin(actor=asking(request), row=_own(request, pk))
        return Response(ClubImportSerializer(row).data)


def _own(request: Request, pk: int) -> ClubImport:
    found: ClubImport = get_object_or_404(
        ClubImport.objects.select_related("club"), pk=pk, made_by=asking(request)
    )
    return found
