"""A director as an adversary, by programs: the rows of another club named in every place of a request, and odd texts.

The address is the own club's, so nothing is refused before what is inside it is read.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse

from games.models import AdjustedScore, Scoresheet
from league.models import (
    Adjustment,
    AuditEntry,
    Club,
    Competition,
    DateProposal,
    Entry,
    Fixture,
    ImportBatch,
    Lineup,
    Membership,
    Player,
    PlayerClaim,
    Role,
    Substitution,
)
from tests.attacks.test_coalition import browser, enter
from tests.games.boards import duplicate_scene, play, sealed
from tests.kept_scenes import kept
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
Body = dict[str, Any]
TURNED = "Ill \u202edereyalp"


class Two:
    """Dora's club, whose draft and league she directs; and the Riverside Club, of which she is no member."""

    def __init__(self) -> None:
        self.theirs = make_scene()
        self.club = factories.club("Hill Club")
        self.dora = factories.member(self.club, Role.OWNER, factories.user(name="Dora Mallory"))
        self.running = factories.running(self.club, pairs=4)
        self.draft = factories.competition(self.club, 4)
        self.free: list[Player] = [factories.player(self.club, name) for name in ("Ada Alder", "Bo Birch")]
        self.client = Client()
        self.client.force_login(self.dora)

    @property
    def entry(self) -> Entry:
        return self.running.entries.order_by("pk")[0]

    def post(self, name: str, args: list[Any], body: Body) -> Any:
        address = reverse(f"api_{name}", args=args)
        return self.client.post(address, json.dumps(body), content_type="application/json")


@pytest.fixture
def two(db: None) -> Two:
    return Two()


def rows_of(scene: Scene) -> str:
    """What the other club has, row by row."""
    club, event = scene.club, scene.competition
    kinds: list[Any] = [
        Club.objects.filter(pk=club.pk),
        club.players.all(),
        Lineup.objects.filter(club=club),
        club.competitions.all(),
        Entry.objects.filter(competition=event),
        event.stage.divisions.all(),
        Membership.objects.filter(club=club),
        club.invitations.all(),
        AuditEntry.objects.filter(club=club),
    ]
    return "".join(serializers.serialize("json", rows.order_by("pk")) for rows in kinds)


def plans(two: Two, **more: Any) -> tuple[str, list[Any], Body]:
    return "ending", [two.running.pk], {"plans": [], **more}


def imported(two: Two) -> ImportBatch:
    text = "player 1,player 2\nAda Alder,Bo Birch\n"
    made = two.post("imports", [two.club.slug], {"kind": "pairs", "text": text}).json()
    return ImportBatch.objects.get(pk=made["id"])


NESTED: dict[str, Callable[[Two], tuple[str, list[Any], Body]]] = {
    "an entry in the order": lambda two: (
        "numbers",
        [two.draft.pk],
        {
            "by": "given",
            "divisions": [
                {
                    "division": two.draft.stage.divisions.get().pk,
                    "entries": [each.pk for each in two.theirs.entries],
                }
            ],
        },
    ),
    "a division in the order": lambda two: (
        "numbers",
        [two.draft.pk],
        {
            "by": "given",
            "divisions": [
                {
                    "division": two.theirs.division.pk,
                    "entries": list(two.draft.entries.values_list("pk", flat=True)),
                }
            ],
        },
    ),
    "a division to enter": lambda two: (
        "entries",
        [two.draft.pk],
        {"division": two.theirs.division.pk, "typed": "Nora Nye & Ole Ost"},
    ),
    "a pair to enter": lambda two: (
        "entries",
        [two.draft.pk],
        {"pairs": [each.lineup_id for each in two.theirs.entries]},
    ),
    "a player to enter": lambda two: ("entries", [two.draft.pk], {"players": [two.theirs.players[0].pk]}),
    "a pair that joins late": lambda two: (
        "late_entry",
        [two.running.pk],
        {"pair": two.theirs.entries[0].lineup_id},
    ),
    "a division to join late": lambda two: (
        "late_entry",
        [two.running.pk],
        {
            "division": two.theirs.division.pk,
            "pair": factories.pair(two.club, two.free[0], two.free[1]).pk,
        },
    ),
    "players of a pair": lambda two: (
        "club_pairs",
        [two.club.slug],
        {"players": [two.free[0].pk, two.theirs.players[0].pk]},
    ),
    "who is merged away": lambda two: (
        "merges",
        [two.club.slug],
        {"keep": two.free[0].pk, "duplicate": two.theirs.players[0].pk},
    ),
    "who is kept": lambda two: (
        "merges",
        [two.club.slug],
        {"keep": two.theirs.players[0].pk, "duplicate": two.free[0].pk},
    ),
    "a draft for an import": lambda two: (
        "import_commit",
        [two.club.slug, imported(two).pk],
        {"competition": two.theirs.competition.pk},
    ),
    "a substitute for the season": lambda two: (
        "entry_substitute",
        [two.entry.pk],
        {
            "absent": two.entry.lineup.players[0].pk,
            "substitute": two.theirs.players[0].pk,
            "reason": "Moved away",
        },
    ),
    "who is absent for the season": lambda two: (
        "entry_substitute",
        [two.entry.pk],
        {"absent": two.theirs.players[0].pk, "substitute": two.free[0].pk, "reason": "Moved away"},
    ),
    "who draws lots": lambda two: (
        "lots",
        [two.running.stage.divisions.get().pk],
        {"entries": [two.entry.pk, two.theirs.entries[0].pk]},
    ),
    "whose plans": lambda two: plans(two, plans=[{"entry": two.theirs.entries[0].pk, "plan": "stops"}]),
    "who is new": lambda two: plans(two, newcomers=[two.theirs.entries[0].lineup_id]),
    "who won a play-off": lambda two: plans(
        two,
        playoffs=[
            {"upper": 1, "winner": two.theirs.entries[0].pk, "loser": two.theirs.entries[1].pk},
        ],
    ),
    "whose invitation ends": lambda two: (
        "invitation_withdraw",
        [two.club.slug],
        {"player": two.theirs.players[0].pk},
    ),
}


@pytest.mark.parametrize("place", NESTED)
def test_another_clubs_row_is_refused_wherever_it_is_named(two: Two, place: str) -> None:
    name, args, body = NESTED[place](two)
    before, own = rows_of(two.theirs), two.running.entries.count() + two.draft.entries.count()
    answer = two.post(name, args, body)
    assert 400 <= answer.status_code < 500, answer.content
    assert answer.status_code != 405
    assert rows_of(two.theirs) == before
    assert two.running.entries.count() + two.draft.entries.count() == own
    assert not any(each.name in answer.text for each in two.theirs.players), "and nobody is named"


def test_players_of_another_club_are_invited_by_nobody_else(two: Two) -> None:
    Player.objects.filter(club=two.theirs.club).update(user=None, email="eva@example.org")
    asked = {"players": [each.pk for each in two.theirs.players]}
    before = rows_of(two.theirs)
    assert two.post("invitations", [two.club.slug], asked).json() == {"invited": [], "left_out": []}
    assert two.post("invitation_slips", [two.club.slug], asked).json() == []
    assert rows_of(two.theirs) == before


@pytest.mark.parametrize("key", ["once", "\xff", "k" * 80])
def test_a_key_that_was_used_gives_no_answer_to_another_request(two: Two, key: str) -> None:
    """Nor does it carry a second one out: another body, another club, another kind of request, another person."""
    other = factories.club("Dale Club")
    factories.member(other, Role.OWNER, two.dora)

    def add(club: Club, name: str, client: Client = two.client) -> Any:
        return client.post(
            reverse("api_club_players", args=[club.slug]),
            json.dumps({"name": name}),
            content_type="application/json",
            headers={"Idempotency-Key": key},
        )

    made = add(two.club, "Nora Nye").json()
    assert add(two.club, "Nora Nye").json() == made
    assert add(two.club, "Ole Ost").status_code == 409
    assert add(other, "Nora Nye").status_code == 409
    pair = two.client.post(
        reverse("api_merges", args=[two.club.slug]),
        json.dumps({"keep": two.free[0].pk, "duplicate": two.free[1].pk}),
        content_type="application/json",
        headers={"Idempotency-Key": key},
    )
    assert pair.status_code == 409
    second = Client()
    second.force_login(factories.member(two.club, Role.DIRECTOR))
    assert add(two.club, "Ole Ost", second).status_code == 201
    assert Player.objects.filter(name="Nora Nye").count() == 1


# Texts


@kept
def with_boards() -> Scene:
    made = duplicate_scene()
    sealed(made)
    play(made, made.fixture)
    return made


def by_page(scene: Scene, who: str, address: str, given: Body) -> Any:
    client = Client()
    client.force_login(scene.users[who])
    return client.post(address, given)


def by_program(scene: Scene, who: str, address: str, given: Body) -> Any:
    client = Client()
    client.force_login(scene.users[who])
    return client.post(address, json.dumps(given), content_type="application/json")


def open_match(scene: Scene) -> int:
    return scene.fixtures[1].pk


REASONS: dict[str, Callable[[Scene, str], Any]] = {
    "a ruling": lambda scene, text: by_program(
        scene,
        "dora",
        reverse("api_ruling", args=[open_match(scene)]),
        {"ruling": "postpone", "reason": text},
    ),
    "a ruling on its page": lambda scene, text: by_page(
        scene,
        "dora",
        reverse("fixture_ruling", args=[open_match(scene)]),
        {"part": "ruling", "ruling": "void", "reason": text},
    ),
    "points": lambda scene, text: by_program(
        scene,
        "dora",
        reverse("api_adjustments", args=[scene.entries[0].pk]),
        {"points": "1", "reason": text},
    ),
    "a substitute": lambda scene, text: by_page(
        scene,
        "iris",
        reverse("fixture_substitute", args=[open_match(scene)]),
        {"absent": scene.fixtures[1].home.lineup.players[1].pk, "guest": "Gina Guest", "reason": text},
    ),
    "a board's score": lambda scene, text: by_program(
        scene,
        "dora",
        reverse("api_award", args=[scene.fixture.pk, 1]),
        {"content": {"percent": {"home": "60", "away": "40"}}, "reason": text},
    ),
    "a claim": lambda scene, text: by_page(
        scene,
        "stranger",
        reverse("player_claim", args=[listed(scene).pk]),
        {"message": text},
    ),
}


def listed(scene: Scene) -> Player:
    return Player.objects.get_or_create(club=scene.club, name="Somebody Else")[0]


@pytest.mark.parametrize("given", REASONS)
def test_a_reason_turns_no_writing_round(given: str) -> None:
    """It stands in pages, mails and the trail, between words of ours: these would be read from behind."""
    scene = with_boards()
    trail = AuditEntry.objects.count()
    answer = REASONS[given](scene, TURNED)
    assert answer.status_code < 500
    assert not Adjustment.objects.exists()
    assert not Substitution.objects.exists()
    assert not PlayerClaim.objects.exists()
    assert not DateProposal.objects.exists()
    assert not AdjustedScore.objects.exists()
    assert not Competition.objects.filter(stages__rounds__fixtures__status__in=["void", "postponed"]).exists()
    assert AuditEntry.objects.count() == trail
    # The same in letters that stay where they are.
    assert REASONS[given](scene, "Ill, says the player").status_code < 400
    assert AuditEntry.objects.count() > trail


def test_nor_does_why_a_sheet_was_rejected(db: None) -> None:
    """Of sealed boards it stands with the sheet, and not in the trail."""
    scene = with_boards()
    fixture = Fixture.objects.with_pairs().get(pk=open_match(scene))
    enter(browser(scene, "iris"), fixture)
    sheet = Scoresheet.objects.get(match=fixture.pk)
    reject = reverse("sheet_reject", args=[fixture.pk])
    given = {"version": sheet.version, "digest": sheet.digest, "key": ""}
    assert browser(scene, "olga").post(reject, {**given, "reason": TURNED}).status_code < 500
    assert Scoresheet.objects.get(match=fixture.pk).verdict == Scoresheet.Verdict.PENDING
    browser(scene, "olga").post(reject, {**given, "reason": "Deal 2 is wrong"})
    assert Scoresheet.objects.get(match=fixture.pk).verdict_reason == "Deal 2 is wrong"


def test_a_membership_number_passes_for_nobody_elses(two: Two) -> None:
    assert two.post("club_players", [two.club.slug], {"name": "Nora Nye", "number": "77"}).status_code == 201
    for number in ("7\u200b7", "77\u2060", "\ufeff77", "77\U000e0041"):
        answer = two.post("club_players", [two.club.slug], {"name": "Ole Ost", "number": number})
        assert answer.status_code == 422
