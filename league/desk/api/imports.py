"""Importing players and pairs: what was understood of each line, mending what is wrong, doing it, taking it back."""

from collections import defaultdict
from typing import Any

from django.core.files.base import ContentFile
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.filters import KeysetPages
from league.api.requests import Changes, IdField, KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.desk.api.asked import club_for, named
from league.entries.services import typed_entries
from league.imports.csv_files import MOST_LINES
from league.imports.services import imports
from league.imports.services.previews import LEFT_OUT, NEW, PROBLEM, QUESTION, THERE
from league.manage.forms.entries import MOST_PASTED
from league.manage.services import setups
from league.models import Club, Competition, ImportBatch

LONGEST_NAME = 200
LONGEST_KEY = 400


class UnderstoodSerializer(serializers.Serializer[Any]):
    """Somebody whom a line names."""

    name = serializers.CharField()
    email = serializers.CharField()
    number = serializers.CharField()
    player = serializers.IntegerField(allow_null=True, help_text="null: the import makes this player.")


class ProblemSerializer(serializers.Serializer[Any]):
    """What is wrong with a line."""

    place = serializers.ListField(help_text="The field, such as [“email”]; empty: the whole line.")
    message = serializers.CharField()


class CandidateSerializer(serializers.Serializer[Any]):
    """Somebody who may be meant."""

    key = serializers.CharField(help_text="The answer that names this person.")
    name = serializers.CharField()
    email = serializers.CharField()
    number = serializers.CharField()
    player = serializers.IntegerField(allow_null=True, help_text="null: another line makes this player.")
    line = serializers.IntegerField(allow_null=True)


class QuestionSerializer(serializers.Serializer[Any]):
    """Whether it is the same person."""

    place = serializers.CharField(help_text="The field, such as “name2”.")
    name = serializers.CharField()
    message = serializers.CharField()
    candidates = CandidateSerializer(many=True)
    answer = serializers.CharField(help_text="A candidate’s key, “different”, or empty while it is open.")


class LineSerializer(serializers.Serializer[Any]):
    """A line of the file, and what it would do, or has done."""

    line = serializers.IntegerField()
    values = serializers.DictField(child=serializers.CharField(), help_text="The cells, by field.")
    action = serializers.ChoiceField(choices=[NEW, THERE, PROBLEM, QUESTION, LEFT_OUT])
    does = serializers.CharField(help_text="In words.")
    people = UnderstoodSerializer(many=True)
    team = serializers.CharField()
    problems = ProblemSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField())
    questions = QuestionSerializer(
        many=True,
        default=list,
        help_text="Each must have an answer before the import, or the line is left out.",
    )


class CountsSerializer(serializers.Serializer[Any]):
    """How many lines do what."""

    new = serializers.IntegerField()
    there = serializers.IntegerField()
    problems = serializers.IntegerField()
    questions = serializers.IntegerField()
    left_out = serializers.IntegerField()


class ListedImportSerializer(serializers.Serializer[Any]):
    """A file that was sent."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(choices=ImportBatch.Kind.choices)
    name = serializers.CharField(source="file_name")
    state = serializers.ChoiceField(choices=ImportBatch.State.choices)
    made_at = serializers.DateTimeField()


class ImportSerializer(ListedImportSerializer):
    """A file line by line."""

    counts = serializers.SerializerMethodField()
    notes = serializers.ListField(child=serializers.CharField(), help_text="What is to be said of it all.")
    lines = LineSerializer(many=True, source="rows")

    def get_counts(self, batch: ImportBatch) -> CountsSerializer:
        """How many lines are new, there already, to fix, to answer, left out."""
        return CountsSerializer(imports.counts(batch)).data  # type: ignore[return-value]


class NewImportSerializer(KnownFields):
    """A table as text: the first line names the columns."""

    kind = serializers.ChoiceField(choices=ImportBatch.Kind.choices)
    text = serializers.CharField(
        max_length=MOST_PASTED,
        trim_whitespace=False,
        help_text="Separated by commas, semicolons or tabs. Players: name, email, number. Pairs: player 1, player 2.",
    )
    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)


class MendedLineSerializer(KnownFields):
    """What is different in a line."""

    line = serializers.IntegerField(min_value=1)
    values = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=imports.MOST_IN_A_CELL),
        required=False,
        help_text="Cells by field; the others stay.",
    )
    answers = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=LONGEST_KEY),
        required=False,
        help_text="By the place of a question: a candidate’s key, or “different”; empty takes the answer back.",
    )
    left_out = serializers.BooleanField(required=False, help_text="Else as it was.")


class MendSerializer(Changes):
    """Lines that are mended, answered or left out."""

    lines = serializers.ListField(child=MendedLineSerializer(), required=False, max_length=MOST_LINES)
    leave_out_the_rest = serializers.BooleanField(
        default=False, help_text="Whether lines that still need correction or an answer are left out."
    )


class CommitSerializer(KnownFields):
    """Whether the pairs are entered in a draft."""

    competition = IdField(required=False, help_text="A draft that its pairs enter.")


class PeopleImports(ListAPIView[ImportBatch]):
    """Files of players and pairs."""

    serializer_class = ListedImportSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[ImportBatch]:
        """The newest first."""
        if getattr(self, "swagger_fake_view", False):
            return ImportBatch.objects.none()
        club = club_for(self.request, self.kwargs["slug"], "player.import")
        return ImportBatch.objects.filter(club=club).defer("rows", "created").order_by("-pk")

    @extend_schema(
        operation_id="imports",
        summary="Imports of players and pairs",
        responses={200: ListedImportSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Files that were sent, the newest first; for directors."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="preview_import",
        summary="Preview an import",
        parameters=[IDEMPOTENCY_KEY],
        request=NewImportSerializer,
        responses={201: ImportSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """What was understood of each line, and what is wrong with it. No player and no pair is added yet."""
        club, given = club_for(request, slug, "player.import"), sent(request, NewImportSerializer)
        upload = ContentFile(given["text"].encode(), given.get("name", ""))

        def write() -> dict[str, Any]:
            kind = given["kind"]
            return {"id": imports.preview(actor=asking(request), club=club, kind=kind, upload=upload).pk}

        answer = once(request, action="import.preview", about={"club": club.pk, **given}, write=write)
        made = get_object_or_404(ImportBatch, pk=answer["id"])
        return Response(ImportSerializer(made).data, status=status.HTTP_201_CREATED)


class PeopleImport(APIView):
    """One file, line by line."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="import",
        summary="An import line by line",
        responses={200: ImportSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What each line would do, or has done."""
        return Response(ImportSerializer(_batch(request, slug, pk)).data)


class PeopleImportMending(APIView):
    """Mending lines."""

    serializer_class = MendSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="mend_import",
        summary="Mend lines of an import",
        request=MendSerializer,
        responses={200: ImportSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """These lines have other cells or answers, or are left out; all lines are looked at again."""
        batch, given = _batch(request, slug, pk), sent(request, MendSerializer)
        rows = {row["line"]: row for row in batch.rows}
        left_out = {line for line, row in rows.items() if row["action"] == LEFT_OUT}
        changes: dict[int, dict[str, str]] = defaultdict(dict)
        answers: dict[int, dict[str, str]] = defaultdict(dict)
        for place, each in enumerate(given.get("lines", ())):
            line, values = each["line"], each.get("values", {})
            _check_known(place, each, rows)
            changes[line] |= values
            answers[line] |= each.get("answers", {})
            if each.get("left_out", line in left_out):
                left_out.add(line)
            else:
                left_out.discard(line)
        mended = imports.mend(
            actor=asking(request),
            batch=batch,
            changes=changes,
            left_out=left_out,
            answers=answers,
            leaves_out_the_rest=given["leave_out_the_rest"],
        )
        return Response(ImportSerializer(mended).data)


def _check_known(place: int, given: dict[str, Any], rows: dict[int, Any]) -> None:
    """A line, a cell or a question that the file does not have would change nothing, and say nothing."""
    line = given["line"]
    if line not in rows:
        said = _("The file has no line %(line)d.") % {"line": line}
        raise serializers.ValidationError({"lines": [*[{}] * place, {"line": [said]}]})
    asked = {each["place"] for each in rows[line].get("questions", ())}
    for field, known in (("values", rows[line]["values"].keys()), ("answers", asked)):
        if unknown := sorted(given.get(field, {}).keys() - known):
            faults = {name: [_("There is no such field.")] for name in unknown}
            raise serializers.ValidationError({"lines": [*[{}] * place, {field: faults}]})


class PeopleImportCommit(APIView):
    """Doing it."""

    serializer_class = CommitSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="commit_import",
        summary="Carry an import out",
        parameters=[IDEMPOTENCY_KEY],
        request=CommitSerializer,
        responses={200: ImportSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Every line or none: a line that needs correction or an answer refuses them all; `details` says which.

        Where only answers are missing, the code is `same_person`.
        """
        batch, given = _batch(request, slug, pk), sent(request, CommitSerializer)
        person = asking(request)

        def write() -> dict[str, Any]:
            if "competition" in given:
                (draft,) = named(_drafts(batch), [given["competition"]], "competition")
                setups.import_pairs(actor=person, competition=draft, batch=batch, at=timezone.now())
            else:
                imports.commit(actor=person, batch=batch)
            return {}

        once(request, action="import.commit", about={"import": batch.pk, **given}, write=write)
        return Response(ImportSerializer(_batch(request, slug, pk)).data)


class PeopleImportBack(APIView):
    """Taking it back."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="undo_import",
        summary="Undo an import",
        parameters=[IDEMPOTENCY_KEY],
        request=NothingSerializer,
        responses={200: ImportSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """What it added is removed, unless something of it is in use."""
        batch = _batch(request, slug, pk)
        sent(request, NothingSerializer)

        def write() -> dict[str, Any]:
            imports.undo(actor=asking(request), batch=batch)
            return {}

        once(request, action="import.undo", about={"import": batch.pk}, write=write)
        return Response(ImportSerializer(_batch(request, slug, pk)).data)


def _batch(request: Request, slug: str, pk: int) -> ImportBatch:
    club: Club = club_for(request, slug, "player.import")
    return get_object_or_404(ImportBatch, pk=pk, club=club)


def _drafts(batch: ImportBatch) -> QuerySet[Competition]:
    """The drafts of the club that the file's lines can enter."""
    drafts = batch.club.competitions.filter(state=Competition.State.DRAFT).select_related("club")
    fitting = [each.pk for each in drafts if typed_entries.kind_for(each) == batch.kind]
    return drafts.filter(pk__in=fitting)
