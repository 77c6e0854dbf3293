"""The rows of a draft as JSON and back, for the services that undo: its settings, its pairs, its draw."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.db.models import F, Max
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from league.competitions.services import extras
from league.errors import Conflict
from league.fixtures.services import meetings
from league.models import (
    Appearance,
    Competition,
    Division,
    Entry,
    Fixture,
    Lineup,
    Round,
    Season,
    SeasonAnswer,
    Stage,
    User,
)

OUT_OF_THE_WAY = 10_000
STILL_OPEN = (Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED)
_PLAIN = (
    "name", "game", "visibility", "rules", "points", "tie_breaks", "days_between_rounds", "weekdays",
    "days_off", "due_days", "place", "correction_hours", "typed_sheets", "silence_days",
    "team_method", "imp_scale", "season_id", "follows_id",
)  # fmt: skip
_FIXTURE = ("pk", "division_id", "round_id", "status", "place", "table", "note")


@dataclass(frozen=True, slots=True)
class DraftPart:
    """A part of a draft: how it is kept, and how it is put back."""

    read: Callable[[Competition], Any]
    write: Callable[[Competition, Any], None]


def _read_row(competition: Competition) -> dict[str, Any]:
    stored = Competition.objects.get(pk=competition.pk)
    return {
        **{name: getattr(stored, name) for name in _PLAIN},
        "format": stored.format,
        "planned_rounds": stored.planned_rounds,
        "terms": stored.terms,
        "ladder": stored.ladder,
        "stage": stored.stage.pk,
        "after": stored.stage.after_id,
        "carry_over": stored.stage.carry_over,
        "season": [
            stored.season.name,
            stored.season.starts_on.isoformat(),
            stored.season.ends_on.isoformat(),
        ],
        "slug": stored.slug,
        "prizes": stored.prizes,
        "starts_on": stored.starts_on.isoformat(),
        "play_time": stored.play_time.isoformat(),
    }


def row_values(club: int, row: dict[str, Any]) -> dict[str, Any]:
    """A competition's fields as its row kept them; it gets a new address."""
    return {
        # A row that was kept by an older version lacks what came later.
        **{name: row[name] for name in _PLAIN if name in row},
        "season_id": _season(club, row),
        "follows_id": _follows(row),
        "starts_on": date.fromisoformat(row["starts_on"]),
        "play_time": time.fromisoformat(row["play_time"]),
    }


def _follows(row: dict[str, Any]) -> int | None:
    """The competition whose next season it was, unless another one is that now: then it stays one of its own."""
    last: int | None = row.get("follows_id")
    if last is None or Competition.objects.filter(follows=last).exclude(stages=row["stage"]).exists():
        return None
    return last


def _season(club: int, row: dict[str, Any]) -> int:
    """The season's key; it is made again where it went with the last of its drafts."""
    there = Season.objects.filter(club=club)
    if "season" not in row or there.filter(pk=row["season_id"]).exists():
        return int(row["season_id"])
    name, first, last = row["season"]
    days = {"starts_on": date.fromisoformat(first), "ends_on": date.fromisoformat(last)}
    return int(Season.objects.get_or_create(club_id=club, name=name, defaults=days)[0].pk)


def _write_row(competition: Competition, row: dict[str, Any]) -> None:
    values = row_values(competition.club_id, row)
    for name, value in values.items():
        setattr(competition, name, value)
    competition.save(update_fields=list(values))
    write_stage(competition.stage, row)
    competition.stage.save(update_fields=["format", "options", "after", "carry_over"])


def write_stage(stage: Stage, row: dict[str, Any]) -> None:
    """Gives the stage what its row kept; it is not saved."""
    stage.choose_format(
        row["format"], row.get("planned_rounds", 0), row.get("ladder", {}), row.get("terms", {})
    )
    # A row that was kept by an older version lacks what came later.
    stage.after = Stage.objects.filter(pk=row.get("after") or 0).first()
    stage.carry_over = row.get("carry_over", Stage.CarryOver.NONE)


def _read_divisions(competition: Competition) -> list[dict[str, Any]]:
    names = ("pk", "name", "level", "is_parallel", "promoted", "relegated")
    return list(competition.stage.divisions.order_by("level").values(*names))


def _write_divisions(competition: Competition, rows: list[dict[str, Any]]) -> None:
    gone = competition.stage.divisions.exclude(pk__in=[row["pk"] for row in rows])
    if Entry.objects.filter(division__in=gone).exists():
        raise Conflict(_("A division that you want to remove still has entries. Move or remove them first."))
    gone.delete()
    # Names and levels are unique in a competition, so they first step aside together.
    for division in competition.stage.divisions.all():
        division.name = f"\N{ZERO WIDTH SPACE}{division.pk}"
        division.level += OUT_OF_THE_WAY
        division.save(update_fields=["name", "level"])
    for row in rows:
        Division(stage=competition.stage, **row).save()


def _read_entries(competition: Competition) -> dict[str, Any]:
    rows = competition.entries.order_by("pk").values(
        "pk", "division_id", "lineup_id", "number", "entered_at", "is_house"
    )
    return {
        "seed": Stage.objects.values_list("draw_seed", flat=True).get(pk=competition.stage.pk),
        "entries": [{**row, "entered_at": row["entered_at"].isoformat()} for row in rows],
    }


def _write_entries(competition: Competition, kept: dict[str, Any]) -> None:
    rows = {row["pk"]: row for row in kept["entries"]}
    competition.entries.exclude(pk__in=rows).delete()
    _make_room(competition)
    there = {entry.pk: entry for entry in competition.entries.all()}
    for key, row in rows.items():
        entry = there.get(key)
        if entry is None:
            entry = Entry(pk=key, competition=competition, lineup=_pair(row["lineup_id"]))
        entry.division_id, entry.number, entry.first_round = row["division_id"], row["number"], 1
        entry.is_house = row.get("is_house", False)
        entry.save()
        Entry.objects.filter(pk=key).update(entered_at=_moment(row["entered_at"]))
    competition.stage.draw_seed = kept["seed"]
    competition.stage.save(update_fields=["draw_seed"])


def _make_room(competition: Competition) -> None:
    """Numbers are unique in a division: those that stay step aside, further than any number given before."""
    for division in competition.stage.divisions.all():
        highest = division.entries.aggregate(highest=Max("number"))["highest"] or 0
        division.entries.update(number=F("number") + max(highest, OUT_OF_THE_WAY))


def _pair(key: int) -> Lineup:
    pair: Lineup | None = Lineup.objects.filter(pk=key).first()
    while pair is not None and pair.merged_into is not None:
        pair = pair.merged_into
    if pair is None:
        raise Conflict(_("You can no longer undo this: someone who was entered has left the club."))
    return pair


def _read_draw(competition: Competition) -> dict[str, Any]:
    fixtures = Fixture.objects.of_competition(competition.pk).order_by("pk").prefetch_related("appearances")
    return {
        **_read_entries(competition),
        "rounds": [
            [each.pk, each.number, each.starts_on.isoformat(), each.closes_at.isoformat()]
            for each in competition.stage.rounds.order_by("number")
        ],
        "fixtures": [
            {name: getattr(each, name) for name in _FIXTURE}
            | {
                "starts_at": each.starts_at.isoformat() if each.starts_at else None,
                "sides": [side.entry_id for side in each.sides],
            }
            for each in fixtures
        ],
        "byes": list(
            Appearance.objects.byes()
            .filter(round__stage__competition=competition)
            .values_list("round_id", "entry_id")
        ),
    }


def _write_draw(competition: Competition, kept: dict[str, Any]) -> None:
    if Fixture.objects.of_competition(competition.pk).exclude(status__in=STILL_OPEN).exists():
        raise Conflict(_("You can no longer draw again: some matches have begun or have a result."))
    competition.stage.rounds.all().delete()
    _write_entries(competition, kept)
    Round.objects.bulk_create(
        Round(
            pk=key,
            stage=competition.stage,
            number=number,
            starts_on=date.fromisoformat(first),
            closes_at=datetime.fromisoformat(closes),
        )
        for key, number, first, closes in kept["rounds"]
    )
    rounds = {each.pk: each for each in competition.stage.rounds.all()}
    entries = {entry.pk: entry for entry in competition.entries.all()}
    meetings.meet(
        (Fixture(**_fixture_values(row)), [entries[key] for key in _sides(row)]) for row in kept["fixtures"]
    )
    meetings.sit_out((rounds[round_id], entries[entry_id]) for round_id, entry_id in kept["byes"])


def _fixture_values(row: dict[str, Any]) -> dict[str, Any]:
    """A ruling does not come back with its match: its result went with the draft."""
    status = row["status"] if row["status"] in STILL_OPEN else Fixture.Status.SCHEDULED
    values = {name: row[name] for name in _FIXTURE}
    return {**values, "starts_at": _moment(row["starts_at"]), "status": status}


def _sides(row: dict[str, Any]) -> list[int]:
    """The entries in their order; an older version kept who was at home and who was away."""
    return list(row.get("sides") or (row["home_id"], row["away_id"]))


def _read_answers(competition: Competition) -> list[dict[str, Any]]:
    names = ("pk", "lineup_id", "asked_at", "is_in", "answered_at", "answered_by_id")
    rows = competition.answers.order_by("pk").values(*names)
    return [
        {**row, "asked_at": _text(row["asked_at"]), "answered_at": _text(row["answered_at"])} for row in rows
    ]


def _write_answers(competition: Competition, rows: list[dict[str, Any]]) -> None:
    competition.answers.all().delete()
    known = set(
        User.objects.filter(pk__in=[row["answered_by_id"] for row in rows]).values_list("pk", flat=True)
    )
    for row in rows:
        values = {
            "lineup": _pair(row["lineup_id"]),
            "is_in": row["is_in"],
            "asked_at": _moment(row["asked_at"]),
            "answered_at": _moment(row["answered_at"]),
            "answered_by_id": row["answered_by_id"] if row["answered_by_id"] in known else None,
        }
        SeasonAnswer(pk=row["pk"], competition=competition, **values).save()


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _moment(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None


# In the order in which they are put back.
PARTS: dict[str, DraftPart] = {
    "row": DraftPart(_read_row, _write_row),
    "divisions": DraftPart(_read_divisions, _write_divisions),
    "extra": DraftPart(extras.read, extras.write),
    "entries": DraftPart(_read_entries, _write_entries),
    "draw": DraftPart(_read_draw, _write_draw),
    "answers": DraftPart(_read_answers, _write_answers),
}

# What other layers keep beside a competition; a draft that is deleted takes it along.
ADDED: list[str] = []


def register(name: str, part: DraftPart) -> None:
    """Adds a part that another layer keeps and puts back; its `write` also gets what was read where there was none."""
    if name not in PARTS:
        ADDED.append(name)
    PARTS[name] = part
