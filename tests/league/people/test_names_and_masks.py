"""Names of people everywhere are taken as they are; a name that passes for another, or hides something, is not."""

import pytest
from django.core.files.base import ContentFile

from league.actors import System
from league.clubs.services import clubs
from league.errors import Invalid
from league.imports.services import imports
from league.models import Player
from league.people.services import lineups, players
from league.words import links
from tests.league import factories

pytestmark = pytest.mark.django_db

REAL = [
    "Anna Berg", "Zoë Müller-Lüdenscheidt", "Seán O’Brien", "Nguyễn Thị Minh Khai", "Łukasz Żółć",
    "Þórdís Ævarsdóttir", "Анна Каренина", "Ольга Ї. Щербань", "Γιώργος Παπαδόπουλος", "محمد علی", "علی\u200cرضا",
    "שרה כהן", "王小明", "山田 太郎", "山田ひろみ", "김민수", "สมชาย ใจดี", "अमिता शर्मा", "ක්\u200dරිෂාන්ත",
    "Արամ Խաչատրյան", "ნინო", "Jean-François D’Aubigné Jr.", "D. B. Cooper III", "Ng", "X Æ A-12", "李 David",
    "Mary Ann (Polly) Smith", "Trần Đại Nghĩa", "Nguyễn Văn Dũng", "Grzegorz Brzęczyszczykiewicz",
    "Ayşe Gülşen Işık", "İbrahim Çağrı Öz", "Hafþór Júlíus Björnsson", "Søren Ærø", "Weiß", "Ştefan Țepeș",
    "Šárka Řehořová", "Zoltán Győző", "Ġużè Ħabib", "Ṣọlá Adébáyọ̀", "Əli Məmmədov", "Kaʻiulani", "ʿAlī Ḥasan",
    "Ɖeɖe Ŋutsu", "Hage ǀGowaseb", "Gal·la Puig", "Mª José", "Volodymyr Zelenʼskyj", "Володимир Ґудзенко",
    "Ђорђе Ћирић", "Ἀριστοτέλης", "יִצְחָק", "مُحَمَّد", "עמית 5", "佐々木 健", "ジョン・スミス", "フェルナンデス",
    "陳大文", "ㄅㄆㄇ", "ทองคำ", "ສົມສັກ", "မောင်မောင်", "សុខា", "አበበ", "བསྟན་འཛིན", "ދިވެހި", "தமிழ்", "గాయత్రి",
    "Գևորգ", "O´Brien", "J.R. Smith", "J.R.Smith", "St. John", "St.John", "Dr. No", "Dr.No", "P.Ng", "Wm.Smith",
    "Van Dĳk",
]  # fmt: skip
HIDING = {
    "an override": "Anna \u202eGreB",
    "an isolate": "Anna\u2066 Berg",
    "a mark of direction": "Anna\u200f Berg",
    "nothing between letters": "An\u200bna Berg",
    "a joiner between Latin letters": "An\u200dna Berg",
    "a soft hyphen": "An\u00adna Berg",
    "a letter that is blank": "Anna \u3164Berg",
    "braille without dots": "Anna\u2800Berg",
    "a selector of form": "Anna\ufe0f Berg",
    "a tag": "Anna\U000e0041 Berg",
    "a bell": "Anna\x07 Berg",
    "a character for private use": "Anna \ue000",
}
PASSING = {
    "a Cyrillic a in a Latin word": "Аnna Berg",
    "a Greek o in a Latin word": "Bοb",
    "a Cyrillic word beside a Latin one": "Анна Berg",
    "letters for mathematics": "𝐀nna Berg",
    "letters in circles": "Ⓐnna Berg",
    "full width": "Ａnna Berg",
    "raised letters": "Annaᵃ",
    "heaps of marks": "A\u0334\u0335\u0336\u0337\u0338nna",
    "a Lisu letter": "ꓮnna Berg",
    "a Canadian letter": "ᗅnna Berg",
    "a letter of phonetics": "Anna Berɡ",
    "a small capital": "ᴀnna Berg",
    "a Roman numeral": "Olga Petroⅴ",
    "a large Roman numeral": "Ⅰris Lindqvist",
    "a modifier letter": "Anna Bergː",
    "a Hebrew letter in a Latin word": "סlga Petrov",
    "a Bengali figure in a Latin word": "Olg০",
    "a Chinese line in a Latin word": "O丨ga Petrov",
    "a ligature": "Gri\ufb03n",
    "an old s": "Iriſ",
    "a letter in a black square": "🅰nna Berg",
    "a sign of logic": "Olga Petro∨",
    "an enclosing circle": "A\u20ddnna",
    "an address": "Anna www.example.org",
    "another address": "see https://example.org",
    "an address without its beginning": "open evil.example/login0 now",
}
OF_NO_PERSON = {
    "a word of two alphabets": "Cпартак",
    "letters in circles": PASSING["letters in circles"],
    "a small capital": PASSING["a small capital"],
    "an address": PASSING["another address"],
    "an address without its beginning": PASSING["an address without its beginning"],
}
LINKS = [
    "evil.example", "evil.example/login0", "bit.ly/x", "t.me/x", "t.co/x", "go.dev", "evil。com", "evil․com",
    "ｅｖｉｌ．ｃｏｍ", "my-club.de", "пример.рф", "10.0.0.1/login", "me@evil.example", "evil.club",
    "evil.xn--p1ai", "(evil.top)", "Evil.COM", "user:pass@evil.example", "st.evil.de",
]  # fmt: skip
NO_LINKS = [
    "St. John's", "J.R. Smith", "Dr. No", "A.C. Milan", "F.C.Köln", "No.1 Club", "ver.di", "1. FC Köln",
    "1.FC Köln", "e.V.", "Bridge e.V.", "St.Pauli", "St.Albans/Watford", "A.Berg/O.Petrov", "A.Berg & P.Ng",
    "U.S.A.", "Room 2.14", "18.30", "Wait... what?", "Prof.Higgins", "Smith, Ltd.", "Winter 25/26",
    "Hearts @ Spades", "娘。", "Mo.+Di.", "K.o.-Runde",
]  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_real_names_are_taken(name: str) -> None:
    assert players.add(actor=System("test"), club=factories.club(), name=name).name == name


@pytest.mark.parametrize("name", [*HIDING.values(), *PASSING.values()], ids=[*HIDING, *PASSING])
def test_a_name_that_hides_or_passes_for_another_is_refused(name: str) -> None:
    club, anna = factories.club(), factories.player(factories.club(), "Eva Novak")
    with pytest.raises(Invalid) as refusal:
        players.add(actor=System("test"), club=club, name=name)
    assert refusal.value.details[0]["place"] == ["name"]
    with pytest.raises(Invalid):
        players.edit(actor=System("test"), player=anna, name=name)
    assert list(Player.objects.values_list("name", flat=True)) == ["Eva Novak"]


@pytest.mark.parametrize("name", [*HIDING.values(), *OF_NO_PERSON.values()], ids=[*HIDING, *OF_NO_PERSON])
def test_clubs_and_pairs_are_held_to_the_same(name: str) -> None:
    club = factories.club()
    pair = factories.pair(club)
    with pytest.raises(Invalid):
        clubs.found(actor=System("test"), name=name, time_zone="Europe/London")
    with pytest.raises(Invalid):
        lineups.rename(actor=System("test"), lineup=pair, name=name)


@pytest.mark.parametrize("name", LINKS)
def test_no_name_has_a_word_that_a_mail_makes_a_link(name: str) -> None:
    assert links.has_link(name)
    assert links.has_link(f"Come to {name}, now!")


@pytest.mark.parametrize("name", NO_LINKS)
def test_a_dot_alone_is_no_link(name: str) -> None:
    assert not links.has_link(name)
    assert clubs.found(actor=System("test"), name=name, time_zone="Europe/London").name == name


@pytest.mark.parametrize(
    "name", ["Спартак London", "Bチーム", "A팀", "♥ Hearts × Spades ♠", "Клуб №1", "🇩🇪 Team"]
)
def test_a_team_may_have_words_of_two_alphabets(name: str) -> None:
    pair = factories.pair(factories.club())
    assert lineups.rename(actor=System("test"), lineup=pair, name=name).name == name


ALIKE = [
    ("Al Ross", "AI Ross"), ("Bob Owens", "B0b Owens"), ("Coco Opossec", "Сосо Ороѕѕес"),
    ("Olga Petrov", "Olga Petroṿ"), ("Anna Berg", "Ạnna Bẹrg"), ("Anna Berg", "Anna‐Berg"),
    ("Anna Berg", "Anna Berg·"), ("Anna Berg", "Anna Berg."), ("Paul", "Pauł"), ("Toki", "Τοκι"), ("Zoë", "Zoė"),
]  # fmt: skip


@pytest.mark.parametrize(("there", "other"), ALIKE)
def test_nobody_passes_for_somebody_of_the_club(there: str, other: str) -> None:
    club = factories.club()
    players.add(actor=System("test"), club=club, name=there)
    with pytest.raises(Invalid) as refusal:
        players.add(actor=System("test"), club=club, name=other)
    assert there in refusal.value.message
    assert players.add(actor=System("test"), club=factories.club(), name=other).name == other


@pytest.mark.parametrize(("there", "other"), [*ALIKE, ("Pop Corn", "Рор Corn"), ("Pop Club", "Рор Club")])
def test_no_club_and_no_team_passes_for_another(there: str, other: str) -> None:
    club = clubs.found(actor=System("test"), name=there, time_zone="Europe/London")
    first, second = factories.pair(club), factories.pair(club)
    lineups.rename(actor=System("test"), lineup=first, name=there)
    second_club = clubs.found(actor=System("test"), name="Quiet Games", time_zone="Europe/London")
    for attempt in (
        lambda: lineups.rename(actor=System("test"), lineup=second, name=other),
        lambda: clubs.found(actor=System("test"), name=other, time_zone="Europe/London"),
        lambda: clubs.edit(actor=System("test"), club=second_club, name=other, time_zone="Europe/London"),
    ):
        with pytest.raises(Invalid) as refusal:
            attempt()
        assert there in refusal.value.message
        assert refusal.value.details[0]["place"] == ["name"]
    there_again = lineups.rename(actor=System("test"), lineup=first, name=other)
    assert there_again.name == other, "a pair may write its own name otherwise"


def test_no_player_and_no_team_of_a_file_passes_for_another() -> None:
    club = factories.club()
    factories.pair(
        club, factories.player(club, "Olga Petrov"), factories.player(club, "Anna Berg"), name="Pop Corn"
    )
    lines = (
        "name 1,name 2,team\n"
        "Сосо Ороѕѕес,Ян Берг,Рор Corn\n"
        "Coco Opossec,Anna Berg,Lions\n"
        "Eva Lund,AnnaBerg,Lions\n"
    )
    batch = imports.preview(
        actor=System("test"), club=club, kind="pairs", upload=ContentFile(lines.encode(), "pairs.csv")
    )
    assert [[problem["place"] for problem in row["problems"]] for row in batch.rows] == [
        [["team"]],
        [["name1"]],
        [["name2"]],
    ]


@pytest.mark.parametrize(
    ("there", "other"),
    [
        ("Nguyễn Thị Hoa", "Nguyễn Thị Hòa"),
        ("Anna Berg", "Anne Berg"),
        ("山田", "川田"),
        ("かき", "かぎ"),
        ("राम", "रीम"),
    ],
)
def test_names_that_differ_are_taken(there: str, other: str) -> None:
    club = factories.club()
    for name in (there, other):
        players.add(actor=System("test"), club=club, name=name)


def test_who_keeps_a_name_may_change_the_rest() -> None:
    """Names of before this rule, or of a merged club, stay as they are."""
    club = factories.club()
    factories.player(club, "Zoe Berg")
    zoe = factories.player(club, "Zoë Berg")
    assert players.edit(actor=System("test"), player=zoe, name="Zoë Berg", number="7").number == "7"


def test_two_people_may_share_a_name() -> None:
    club = factories.club()
    for name in ("Anna Berg", "Anna Berg", "ANNA BERG"):
        players.add(actor=System("test"), club=club, name=name)
    assert club.players.count() == 3


def test_letters_are_kept_in_their_usual_form() -> None:
    assert players.add(actor=System("test"), club=factories.club(), name="Zoe\u0308  Berg").name == "Zoë Berg"


def test_texts_keep_their_lines_and_hearts() -> None:
    about = "We play:\n\t♥️ and ♠️, 👨‍👩‍👧 welcome"
    club = clubs.found(actor=System("test"), name="Riverside", time_zone="Europe/London", about=about)
    assert club.about == about
    with pytest.raises(Invalid):
        clubs.edit(
            actor=System("test"), club=club, name="Riverside", time_zone="Europe/London", about="\u202eevil"
        )
