"""What gives sealed cards away lies under lock and key, and the keys can be changed."""

import pytest
from cryptography.fernet import Fernet, InvalidToken
from django.core.checks import Error
from pytest_django.fixtures import Settings

from config import checks
from league.errors import Conflict
from league.storage import board_keys

OLD, NEW = "an-old-key-" + "1" * 40, "a-newer-key-" + "2" * 40
SECRET = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.fixture(autouse=True)
def _old_key(settings: Settings) -> None:
    settings.BOARD_KEYS = [OLD]


def test_what_is_locked_away_comes_out_again_as_it_was() -> None:
    assert board_keys.decrypt(board_keys.encrypt(SECRET)) == SECRET
    assert board_keys.decrypt(board_keys.encrypt(b"\x00\xff")) == b"\x00\xff"
    assert board_keys.decrypt(memoryview(board_keys.encrypt(b"\x00\xff"))) == b"\x00\xff"


def test_nothing_of_it_can_be_read_without_the_key() -> None:
    locked = board_keys.encrypt(SECRET)

    assert "AKQ" not in locked
    assert locked != board_keys.encrypt(SECRET), "the same cards must not look the same"
    with pytest.raises(InvalidToken):
        Fernet(Fernet.generate_key()).decrypt(locked.encode())


def test_a_newer_key_locks_and_the_old_one_still_opens(settings: Settings) -> None:
    locked = board_keys.encrypt(SECRET)
    settings.BOARD_KEYS = [NEW, OLD]
    anew = board_keys.reencrypt(locked)

    assert board_keys.decrypt(locked) == SECRET
    settings.BOARD_KEYS = [NEW]
    assert board_keys.decrypt(anew) == SECRET
    with pytest.raises(board_keys.Unreadable):
        board_keys.decrypt(locked)


@pytest.mark.parametrize(
    "change", [lambda text: text[:-9] + "AAAAAAAA=", lambda _text: "", lambda text: text[5:]]
)
def test_what_was_changed_is_refused_and_the_refusal_tells_nothing(change) -> None:
    locked = board_keys.encrypt(SECRET)

    with pytest.raises(board_keys.Unreadable) as refusal:
        board_keys.decrypt(change(locked))
    assert "AKQ" not in refusal.value.message
    assert locked not in refusal.value.message
    assert refusal.value.__cause__ is None


def test_it_opens_for_a_time_only_where_one_is_asked_for() -> None:
    locked = board_keys.encrypt(SECRET)

    assert board_keys.decrypt(locked, within_seconds=60) == SECRET
    with pytest.raises(board_keys.Unreadable):
        board_keys.decrypt(locked, within_seconds=-1)


def test_without_a_key_nothing_is_locked(settings: Settings) -> None:
    settings.BOARD_KEYS = []

    assert not board_keys.is_ready()
    with pytest.raises(Conflict, match="has no key"):
        board_keys.encrypt(SECRET)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([OLD], set()),
        ([NEW, OLD], set()),
        ([], {"boards.E001"}),
        (["a few"], {"boards.E002"}),
        (["only-for-the-tests-" + "0" * 40], {"boards.E003"}),
    ],
)
def test_the_check_at_the_start_says_what_is_wrong(
    settings: Settings, keys: list[str], expected: set[str]
) -> None:
    settings.BOARD_KEYS = keys

    found = list(checks.board_keys())
    assert {each.id for each in found} == expected
    assert all(isinstance(each, Error) for each in found)
    assert all(key not in each.msg for key in keys for each in found)
