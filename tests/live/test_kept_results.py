"""What somebody played as a guest, kept with the account that they have made on the same device."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match, Table, TableDeal, TableGuest, TableSeat
from games.tables.guest_keys import cookie_of, visitor_at
from games.tables.queries.own import has_kept, kept_deals
from games.tables.services import guests, opening, play, seats
from league.actors import Guest, Sitter
from league.errors import Conflict, NotAllowed
from league.models import Membership, Player, PlayerClaim, User
from tests.live.tables import Laid, next_move, sent
from tests.live.test_table_guests import a_deal_with, laid_table, token_of

pytestmark = pytest.mark.django_db


def a_deal_played(laid: Laid, guest: TableGuest) -> None:
    """The guest's first deal, to its end."""
    people: dict[str, Sitter] = {"N": laid.scene.users["iris"], "E": guest.visitor}
    while turn := laid.turn():
        if turn in people:
            facts = laid.facts()
            play.act(actor=people[turn], table_id=laid.table.pk, sent=sent(facts, next_move(facts)))
        else:
            play.play_robots(table_id=laid.table.pk)


def played(*, card_by_card: bool = False, **terms: object) -> tuple[Laid, TableGuest, str]:
    """Mia has played a deal as a guest at East, and left."""
    laid = laid_table(**terms)
    guest, key = guests.admit(token=token_of(laid), name="Mia", seat="E")
    a_deal_with(laid, guest.visitor)
    if card_by_card:
        a_deal_played(laid, guest)
    else:
        over = {"finished_at": timezone.now(), "score": {"total": {"NS": 20, "EW": 15}}}
        TableDeal.objects.filter(table=laid.table).update(**over)
        Table.objects.filter(pk=laid.table.pk).update(state=Table.State.BETWEEN)
    seats.stand_up(actor=guest.visitor, table_id=laid.table.pk)
    return laid, guest, key


def phone_of(laid: Laid, key: str, user: User) -> Client:
    """The device on which the guest played, logged in by now."""
    phone = Client()
    phone.cookies[cookie_of(laid.table.pk)] = key
    phone.force_login(user)
    return phone


def test_on_the_same_device_the_deals_are_offered_kept_and_found_again() -> None:
    laid, _guest, key = played(card_by_card=True, spectators="nobody")
    stranger = laid.scene.users["stranger"]
    phone = phone_of(laid, key, stranger)
    replay = reverse("table_replay_page", args=[laid.table.pk, 1])
    assert "Keep what you played as a guest" in phone.get(reverse("my")).text
    for page in ("week", "table_list"):
        assert "Keep my results" in phone.get(reverse(page)).text, page
    answer = phone.post(reverse("table_keep", args=[laid.table.pk]), follow=True)
    assert "What you played as a guest" in answer.text
    assert replay in answer.text
    assert cookie_of(laid.table.pk) not in phone.cookies or not phone.cookies[cookie_of(laid.table.pk)].value
    assert "Keep what you played" not in phone.get(reverse("my")).text

    elsewhere = Client()
    elsewhere.force_login(stranger)
    assert elsewhere.get(replay).status_code == 200
    assert elsewhere.get(laid.table.get_absolute_url()).status_code == 404, "what comes next is not theirs"
    (kept,) = kept_deals(stranger)
    score = kept.deal.score
    assert score is not None
    assert (kept.points, kept.others) == (score["total"]["EW"], (score["total"]["NS"],))
    other = Client()
    other.force_login(laid.scene.users["anna"])
    assert "as a guest" not in other.get(reverse("week")).text
    assert Client().get(replay).status_code == 404


def test_it_makes_no_player_no_member_and_no_result_and_ends_the_guest() -> None:
    laid, guest, key = played()
    stranger = laid.scene.users["stranger"]
    before = (Player.objects.filter(user=stranger).count(), Membership.objects.count(), Match.objects.count())
    guests.keep(actor=stranger, table_id=laid.table.pk, key=key)
    after = (Player.objects.filter(user=stranger).count(), Membership.objects.count(), Match.objects.count())
    assert after == before
    assert not PlayerClaim.objects.exists()
    assert not TableSeat.objects.filter(user=stranger).exists(), "nobody reads who it was"
    cookies = {cookie_of(laid.table.pk): key}
    assert not isinstance(visitor_at(laid.table.pk, stranger, cookies), Guest)
    with pytest.raises(NotAllowed):
        guests.keep(actor=laid.scene.users["anna"], table_id=laid.table.pk, key=key)
    opening.close(actor=laid.scene.users["iris"], table_id=laid.table.pk)
    assert guests.purge(at=timezone.now() + timedelta(hours=25)) == 1
    guest.refresh_from_db()
    assert (guest.name, guest.kept_by) == ("", stranger)
    assert has_kept(stranger, laid.table.pk, 1)


def test_who_was_removed_or_guesses_or_still_sits_there_keeps_nothing() -> None:
    laid, guest, key = played()
    stranger, iris = laid.scene.users["stranger"], laid.scene.users["iris"]
    for nowhere in (10**6, 10**60):
        with pytest.raises(NotAllowed):
            guests.keep(actor=stranger, table_id=nowhere, key=key)
        assert not has_kept(stranger, nowhere, 1)
        assert not has_kept(stranger, laid.table.pk, nowhere)
    for wrong in ("", "guessed", key + "x"):
        with pytest.raises(NotAllowed):
            guests.keep(actor=stranger, table_id=laid.table.pk, key=wrong)
    seats.sit(actor=guest.visitor, table_id=laid.table.pk, seat="E")
    with pytest.raises(Conflict, match="Leave your seat"):
        guests.keep(actor=stranger, table_id=laid.table.pk, key=key)
    phone = phone_of(laid, key, stranger)
    assert "Keep what you played" not in phone.get(reverse("my")).text
    guests.remove(actor=iris, table_id=laid.table.pk, guest_id=guest.pk)
    with pytest.raises(NotAllowed):
        guests.keep(actor=stranger, table_id=laid.table.pk, key=key)
    assert phone.post(reverse("table_keep", args=[laid.table.pk])).status_code == 403
    assert "Keep what you played" not in phone.get(reverse("my")).text
    assert not kept_deals(stranger)


def test_a_key_of_one_table_keeps_nothing_of_another_and_a_no_is_remembered() -> None:
    laid, _guest, key = played()
    other = opening.open_casual(actor=laid.scene.users["iris"], club=laid.scene.club, terms={}, options={})
    stranger = laid.scene.users["stranger"]
    with pytest.raises(NotAllowed):
        guests.keep(actor=stranger, table_id=other.pk, key=key)
    phone = phone_of(laid, key, stranger)
    phone.post(reverse("table_keep", args=[laid.table.pk]), {"forget": "yes"})
    assert "Keep what you played" not in phone.get(reverse("my")).text
    assert not kept_deals(stranger)
    assert not has_kept(stranger, laid.table.pk, 1)
    assert Client().post(reverse("table_keep", args=[laid.table.pk])).status_code == 302


def test_a_deal_after_the_guest_has_left_is_not_kept() -> None:
    laid, _guest, key = played()
    stranger = laid.scene.users["stranger"]
    guests.keep(actor=stranger, table_id=laid.table.pk, key=key)
    TableSeat.objects.filter(guest__isnull=False).update(left_at=timezone.now() - timedelta(hours=1))
    assert not has_kept(stranger, laid.table.pk, 1)
