"""Scoresheets for programs: preview, submit, confirm, reject, and photos of the paper; by the pages’ services."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ParseError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import game
from games import embargo, front
from games.api.matches import deals_as_json, points_of, read_sheet, without_deals
from games.api.serializers import (
    ConfirmationSerializer,
    PreviewSerializer,
    RejectionSerializer,
    SheetContentSerializer,
    SheetDetailSerializer,
    SheetSerializer,
    SubmittedSheetSerializer,
)
from games.models import Scoresheet
from games.proof import participations
from games.records import parsing as readings
from games.records.parsing import Reading, match_of
from games.scoresheets.queries.matches import sheets_of
from games.scoresheets.queries.outlook import turned
from games.scoresheets.queries.photos import photos_of
from games.scoresheets.services import photos, scoresheets
from games.scoresheets.views.photos import answer_with, photo_of
from league import policies
from league.api import visibility
from league.api.brackets import change_as_json
from league.api.requests import asking
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.standings import names_of
from league.models import Fixture, User
from league.standings.queries import consequences
from league.web.wording import in_words

EXAMPLES = [example for offered in game.all_games() for example in front.of(offered.key).sheet_examples]


class SheetList(APIView):
    """The versions of a match's scoresheet."""

    @extend_schema(
        operation_id="sheets",
        summary="The versions of a scoresheet",
        responses={200: SheetSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every version with its verdict, the newest first. Only a confirmed one counts."""
        fixture = visibility.fixture(user=request.user, key=pk)
        sheets = [s for s in sheets_of(match_of(fixture)) if policies.may(request.user, "sheet.see", s)]
        if not embargo.sees_sheets(visitor=request.user, fixture=fixture):
            sheets = [without_deals(sheet) for sheet in sheets]
        elif sheets and isinstance(request.user, User):
            # A version's digest tells its deals to anyone who tries some out.
            participations.judged(actor=request.user, fixture=fixture, at=timezone.now())
        return Response(SheetSerializer(sheets, many=True).data)

    @extend_schema(
        operation_id="submit_sheet",
        summary="Submit a scoresheet",
        parameters=[IDEMPOTENCY_KEY],
        request=SubmittedSheetSerializer,
        examples=EXAMPLES,
        responses={
            201: OpenApiResponse(SheetDetailSerializer, description="The new version, to be confirmed."),
            200: OpenApiResponse(
                SheetDetailSerializer, description="This key was answered before: the same."
            ),
            **write_errors(404, 409, 422),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Stores a new version, to be confirmed by the other pair. Refused with every problem at once, or stored."""
        fixture = visibility.bare_fixture(user=request.user, key=pk)
        content, key = dict(_content(request)), _key(request)
        reason = SubmittedSheetSerializer().fields["reason"].run_validation(content.pop("reason", ""))
        sheet = scoresheets.submit(
            actor=asking(request),
            fixture=fixture,
            content=content,
            origin=Scoresheet.Origin.API,
            reason=reason,
            key=key,
        )
        answer = status.HTTP_200_OK if sheet.is_repeated else status.HTTP_201_CREATED
        return Response(_detail(request, sheet), status=answer)


class SheetPreview(APIView):
    """A sheet as it would be read."""

    @extend_schema(
        operation_id="preview_sheet",
        summary="Preview a scoresheet",
        request=SheetContentSerializer,
        examples=EXAMPLES,
        responses={200: PreviewSerializer, **write_errors(404)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Reads a sheet without storing it: problems with their places, points, winner, effect on the table."""
        fixture = visibility.fixture(user=request.user, key=pk)
        policies.require(asking(request), "sheet.enter", fixture)
        match = match_of(fixture)
        reading = readings.read(
            fixture=fixture, content=_content(request), options=match.options if match else None
        )
        return Response(PreviewSerializer(_preview(fixture, reading)).data)


class SheetDetail(APIView):
    """One version."""

    @extend_schema(
        operation_id="sheet",
        summary="A version of a scoresheet",
        responses={200: SheetDetailSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int, version: int) -> Response:
        """One version with its content, its deals and the digest that a confirmation names."""
        sheet = _seen_sheet(request, pk, version)
        sheet.match.fixture = visibility.fixture(user=request.user, key=pk)
        return Response(_detail(request, sheet))


class SheetConfirmation(APIView):
    """The other side agrees."""

    @extend_schema(
        operation_id="confirm_sheet",
        summary="Confirm a scoresheet",
        parameters=[IDEMPOTENCY_KEY],
        request=ConfirmationSerializer,
        responses={200: SheetDetailSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, version: int) -> Response:
        """Confirms this very version, named by its digest. Its totals become the result of the match."""
        sheet = _seen_sheet(request, pk, version)
        given = ConfirmationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        confirmed = scoresheets.confirm(
            actor=asking(request), sheet=sheet, digest=given.validated_data["digest"], key=_key(request)
        )
        return Response(_detail(request, confirmed))


class SheetRejection(APIView):
    """The other side disagrees."""

    @extend_schema(
        operation_id="reject_sheet",
        summary="Reject a scoresheet",
        parameters=[IDEMPOTENCY_KEY],
        request=RejectionSerializer,
        responses={200: SheetDetailSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, version: int) -> Response:
        """Rejects this version with a reason. The person who entered it can correct it with a new version."""
        sheet = _seen_sheet(request, pk, version)
        given = RejectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        rejected = scoresheets.reject(
            actor=asking(request), sheet=sheet, reason=given.validated_data["reason"], key=_key(request)
        )
        return Response(_detail(request, rejected))


def _content(request: Request) -> Mapping[str, Any]:
    if not isinstance(request.data, Mapping):
        raise ParseError(_("Please send one object: a scoresheet with its deals."))
    return request.data


def _key(request: Request) -> str:
    return str(request.headers.get("Idempotency-Key", ""))


def _seen_sheet(request: Request, pk: int, version: int) -> Scoresheet:
    sheets = Scoresheet.objects.select_related(
        "match__fixture__round__stage__competition__club", "entered_by", "verdict_by", "entered_for"
    )
    # By the key of the row behind: SQLite refuses a number too large for it where only the relation is asked.
    sheet = get_object_or_404(sheets, match__fixture__pk=pk, version=version)
    sees_match = policies.may(request.user, "fixture.see", sheet.match.fixture)
    if not sees_match or not policies.may(request.user, "sheet.see", sheet):
        raise Http404
    return sheet


def _detail(request: Request, sheet: Scoresheet) -> dict[str, Any]:
    is_open = embargo.sees_sheets(visitor=request.user, fixture=sheet.match.fixture)
    if is_open and isinstance(request.user, User):
        participations.judged(actor=request.user, fixture=sheet.match.fixture, at=timezone.now())
    context = {
        "deals": deals_as_json(read_sheet(sheet)) if is_open else [],
        # Asked only where there is something that directors alone are shown.
        "directs": bool(sheet.suspicious) and policies.may(request.user, "fixture.rule", sheet.match.fixture),
    }
    shown = sheet if is_open else without_deals(sheet)
    answer: dict[str, Any] = SheetDetailSerializer(shown, context=context).data
    return answer


def _preview(fixture: Fixture, reading: Reading) -> dict[str, Any]:
    return {
        "accepted": reading.is_accepted,
        "digest": reading.digest,
        "content": reading.content,
        "problems": [problem.as_json(in_words) for problem in reading.problems],
        "deals": deals_as_json(reading),
        "counted": reading.counted,
        "is_over": reading.is_over,
        **points_of(reading),
        "winner": _winner(reading),
        "standings": _effect(fixture, reading) if reading.is_accepted else None,
        "bracket": _turned(fixture, reading) if reading.is_accepted else None,
    }


def _turned(fixture: Fixture, reading: Reading) -> dict[str, Any] | None:
    """What a correction changes in the next round of a knock-out (F49), as the page says it."""
    found = turned(fixture, ranks=list(reading.ranks.values()), scores=list(reading.total.values()))
    return change_as_json(found.entry, found.change) if found else None


def _winner(reading: Reading) -> str | None:
    if not reading.is_accepted or len(reading.total) != 2:
        return None
    best = [name for name, rank in reading.ranks.items() if rank == 1]
    return best[0] if len(best) == 1 else "draw"


def _effect(fixture: Fixture, reading: Reading) -> list[dict[str, Any]]:
    """Place and points of every entry before and after, in the order of the table that would be."""
    found = consequences(fixture, scores=tuple(reading.total.values()))
    names = names_of(fixture.division)
    before = {row.entry: row for row in (*found.before.rows, *found.before.withdrawn)}
    return [
        {
            "entry": names[row.entry],
            "place_before": before[row.entry].place,
            "place_after": row.place,
            "league_points_before": str(before[row.entry].league_points),
            "league_points_after": str(row.league_points),
        }
        for row in (*found.after.rows, *found.after.withdrawn)
    ]


class PhotoSerializer(serializers.Serializer[Any]):
    """A photo that you may know of."""

    id = serializers.IntegerField(source="key")
    who = serializers.CharField(help_text="Who took it.")
    at = serializers.DateTimeField()
    is_waiting = serializers.BooleanField(help_text="A worker is still preparing it.")
    is_failed = serializers.BooleanField(help_text="It could not be read.")
    may_see = serializers.SerializerMethodField(help_text="Whether you get it at its own address now.")

    def get_may_see(self, photo: Any) -> bool:
        """It is ready, and you see the deals."""
        return bool(photo.url)


class NewPhotoSerializer(serializers.Serializer[Any]):
    """A picture of the paper."""

    photo = serializers.FileField(help_text="JPEG, PNG or WebP.")


class MatchPhotos(APIView):
    """The photos of a match's paper."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="photos",
        summary="Photos of the paper scoresheet",
        responses={200: PhotoSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """For those who see the deals of the match, and of their own photos for who took them."""
        return _shown(request, visibility.fixture(user=request.user, key=pk))

    @extend_schema(
        operation_id="add_photo",
        summary="Add a photo of the paper scoresheet",
        request={"multipart/form-data": NewPhotoSerializer},
        responses={
            201: OpenApiResponse(PhotoSerializer(many=True), description="The photos that there are now."),
            **write_errors(404, 409, 422),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """For those who may enter the sheet. A worker makes a plain picture of it first."""
        person, fixture = asking(request), visibility.fixture(user=request.user, key=pk)
        policies.require(person, "photo.add", fixture)
        given = NewPhotoSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        picture = given.validated_data["photo"].read()
        photos.add(actor=person, fixture=fixture, picture=picture, at=timezone.now())
        return _shown(request, fixture, status.HTTP_201_CREATED)


class MatchPhoto(APIView):
    """One of them."""

    @extend_schema(
        operation_id="photo",
        summary="A photo of the paper scoresheet",
        responses={(200, "image/jpeg"): OpenApiTypes.BINARY, **errors(404)},
    )
    def get(self, request: Request, pk: int, photo: int) -> HttpResponse:
        """The picture, for those who see the deals of the match. Whoever reads it has seen them."""
        found = photo_of(visibility.fixture(user=request.user, key=pk), photo)
        return answer_with(found, request.user)

    @extend_schema(
        operation_id="remove_photo",
        summary="Remove a photo of the paper scoresheet",
        responses={204: OpenApiResponse(description="It is removed."), **errors(403, 404, 409)},
    )
    def delete(self, request: Request, pk: int, photo: int) -> Response:
        """While the match can still be corrected; the trail says who added and who removed it."""
        person, fixture = asking(request), visibility.fixture(user=request.user, key=pk)
        photos.remove(actor=person, photo=photo_of(fixture, photo), at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


def _shown(request: Request, fixture: Fixture, code: int = status.HTTP_200_OK) -> Response:
    sees = embargo.sees_sheets(visitor=request.user, fixture=fixture)
    found = photos_of(fixture=fixture, visitor=request.user, sees_deals=sees, at=timezone.now())
    return Response(PhotoSerializer(found.photos, many=True).data, status=code)
