"""Photos of the paper scoresheet, as the match's page takes and shows them."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import embargo
from games.scoresheets.queries.photos import photos_of
from games.scoresheets.services import photos
from games.scoresheets.views.photos import answer_with, photo_of
from league import policies
from league.api import visibility
from league.api.requests import asking
from league.api.schema import errors, write_errors
from league.models import Fixture


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
