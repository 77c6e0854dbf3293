"""Names of people without an account: the same check for who enters a sheet from paper and for guests at tables."""

import pytest

from league.clubs.services import clubs
from league.errors import Invalid
from league.validation import check_guest_name
from league.words.offensive import is_in_charge, is_offensive
from tests.scenes import make_scene


@pytest.mark.parametrize(
    "name",
    [
        "Fuck", "FÜCK you", "f.u.c.k", "F u c k", "fuuuuck", "Sh1t", "$hit", "Tits", "Аrsch", "Arschloch99",
        "SCHEISSE", "sсhеiße", "H|tler", "Hit1er", "Mr Hitler", "Anna Hure", "Nazi", "m0ther fucker",
    ],
)  # fmt: skip
def test_a_rude_word_is_found_however_it_is_dressed_up(name: str) -> None:
    assert is_offensive(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ignazio", "Scunthorpe", "Marschall", "Cassandra", "Dick Fuchs", "Fick", "Penner", "Johnny Depp", "Pik Ass",
        "Bass", "Nuttelmann", "Il Grande", "Mia 88", "Shitake", "", "!!", "Пётр", "田中",
    ],
)  # fmt: skip
def test_ordinary_names_are_no_rude_words(name: str) -> None:
    assert not is_offensive(name)


def test_those_in_charge_have_names() -> None:
    for name in ("Director", "The Director", "TURNIERLEITUNG", "Adm1n", "Dіrеctor", "System Support"):
        assert is_in_charge(name), name
    for name in ("Dora Director", "Host Müller", "The", ""):
        assert not is_in_charge(name), name


@pytest.mark.django_db
def test_a_club_has_words_of_its_own() -> None:
    scene = make_scene()
    check_guest_name("Die Rübe", club=scene.club)
    clubs.edit(
        actor=scene.users["olive"],
        club=scene.club,
        name=scene.club.name,
        time_zone=scene.club.time_zone,
        unwanted_words="rübe\n Kohl ",
    )
    scene.club.refresh_from_db()
    assert scene.club.unwanted_words == "rübe Kohl"
    for name in ("Die Rübe", "RUBE", "k0hl"):
        with pytest.raises(Invalid, match="another name"):
            check_guest_name(name, club=scene.club)
    check_guest_name("Kohlmann", club=scene.club)


@pytest.mark.django_db
def test_who_enters_a_sheet_may_be_a_player_but_not_look_like_one() -> None:
    scene = make_scene()
    check_guest_name("Anna Berg", club=scene.club, may_be_members=True)
    for name in ("Anna Berg", "berg, anna"):
        with pytest.raises(Invalid, match="called that"):
            check_guest_name(name, club=scene.club)
    for name in ("Αnnа Berg", "Ànna Berg", "Anna-Berg"):
        with pytest.raises(Invalid):
            check_guest_name(name, club=scene.club)
    for name in ("Αnna Berg", "Director", "H|tler", "!!!"):
        with pytest.raises(Invalid):
            check_guest_name(name, club=scene.club, may_be_members=True)
    check_guest_name("Mia", club=scene.club, others=["Max"])
    with pytest.raises(Invalid):
        check_guest_name("MAX", club=scene.club, others=["Max"])
