"""A director who plays prints a slip for an opponent without an account, and keeps it."""

import pytest
from django.utils import timezone

from games.models import Vouch
from games.scoresheets.services import scoresheets
from league.clubs.services import clubs
from league.errors import Conflict
from league.models import Club, Fixture, Membership, Player, Role, User
from league.people.services import claims, erasing, joining
from tests.league import factories
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
CONTENT = totals_sheet((60, 20), (50, 30))


@pytest.fixture
def scene() -> Scene:
    """Anna directs, and plays; Luis, her opponent, has no account."""
    made = make_scene()
    Membership.objects.update_or_create(
        user=made.users["anna"], club=made.club, defaults={"role": Role.DIRECTOR}
    )
    Player.objects.filter(name="Luis Reyes").update(user=None)
    return made


def by_slip(issuer: User, club: Club) -> User:
    """Another account, which uses the slip that the issuer has printed for Luis."""
    luis = Player.objects.get(name="Luis Reyes")
    (slip,) = joining.make_slips(actor=issuer, club=club, players=[luis.pk], at=timezone.now())
    holder = factories.user(name="Second Self")
    joining.join(actor=holder, token=slip.address.rstrip("/").rpartition("/")[2], at=timezone.now())
    return holder


def entered_by(user: User, scene: Scene) -> Fixture:
    scoresheets.submit(actor=user, fixture=scene.fixture, content=CONTENT, origin="page")
    return scene.fixture


def confirm(user: User, fixture: Fixture) -> None:
    sheet = fixture.match.sheets.get()
    scoresheets.confirm(actor=user, sheet=sheet, digest=sheet.digest)


def test_nobody_agrees_with_themselves_by_a_slip_they_printed(scene: Scene) -> None:
    anna = scene.users["anna"]
    second = by_slip(anna, scene.club)
    fixture = entered_by(anna, scene)
    with pytest.raises(Conflict, match="slip from Anna"):
        confirm(second, fixture)
    assert scene.fixture.status == "to_confirm"
    confirm(scene.users["eva"], fixture)
    assert scene.fixture.status == "confirmed", "the partner's own word counts"


def test_nor_enters_for_the_other_side(scene: Scene) -> None:
    anna = scene.users["anna"]
    second = by_slip(anna, scene.club)
    fixture = entered_by(second, scene)
    assert not Vouch.objects.filter(actor=second).exists()
    confirm(anna, fixture)
    assert scene.fixture.status == "to_confirm", "it takes the word of the other side"


def test_a_slip_of_somebody_who_does_not_play_counts(scene: Scene) -> None:
    luis = by_slip(scene.users["dora"], scene.club)
    confirm(luis, entered_by(scene.users["anna"], scene))
    assert scene.fixture.status == "confirmed"


def test_a_slip_of_the_own_partner_counts(scene: Scene) -> None:
    Membership.objects.update_or_create(
        user=scene.users["eva"], club=scene.club, defaults={"role": Role.DIRECTOR}
    )
    luis = by_slip(scene.users["eva"], scene.club)
    confirm(luis, entered_by(scene.users["anna"], scene))
    assert scene.fixture.status == "confirmed"


def test_another_directors_word_replaces_the_slip(scene: Scene) -> None:
    luis = by_slip(scene.users["anna"], scene.club)
    player = Player.objects.get(name="Luis Reyes")
    claims.unlink(actor=scene.users["dora"], player=player)
    claims.link(actor=scene.users["dora"], player=player, user=luis, at=timezone.now())
    confirm(luis, entered_by(scene.users["anna"], scene))
    assert scene.fixture.status == "confirmed"


@pytest.mark.parametrize("how", ["removed", "member", "closed"])
def test_a_slip_ends_with_the_right_of_who_printed_it(scene: Scene, how: str) -> None:
    director = factories.member(scene.club, Role.DIRECTOR)
    luis = Player.objects.get(name="Luis Reyes")
    (slip,) = joining.make_slips(actor=director, club=scene.club, players=[luis.pk], at=timezone.now())
    token = slip.address.rstrip("/").rpartition("/")[2]
    assert joining.behind(token, at=timezone.now()) is not None
    held = Membership.objects.get(user=director, club=scene.club)
    if how == "removed":
        clubs.remove_member(actor=scene.users["olive"], membership=held)
    elif how == "member":
        clubs.set_role(actor=scene.users["olive"], membership=held, role=Role.MEMBER)
    else:
        erasing.close_account(actor=director, at=timezone.now())
    assert joining.behind(token, at=timezone.now()) is None
    second = factories.user(name="Second Self")
    with pytest.raises(Conflict, match="new one"):
        joining.join(actor=second, token=token, at=timezone.now())
    luis.refresh_from_db()
    assert luis.user is None
