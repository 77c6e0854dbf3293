"""Who may do what, in one table: every address, asked by everybody.

Columns: a visitor; a stranger (an account without a club); the owner of another club; Iris (a member who plays in other
matches); Anna (who entered the sheet); Eva (her opponent); a scorer; a director; the owner.
Marks: see `tests.permissions.walking.mark`.
"""

from pathlib import Path

import pytest

from tests.permissions.walking import ROLES, addresses, answers, set_stage
from tests.thorough import is_in_turn

# Who may do what is decided in Python; a status does not hang on the database.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
TABLE = Path(__file__).with_name("table.txt")


def read_table() -> dict[str, tuple[str, str]]:
    rows = [
        line.split() for line in TABLE.read_text().splitlines() if line.strip() and not line.startswith("#")
    ]
    return {name: (get, post) for name, get, post in rows}


def test_the_table_names_every_address_and_no_other() -> None:
    assert set(read_table()) == {name for name, _pattern in addresses()}


@pytest.mark.parametrize(("column", "method"), [(0, "get"), (1, "post")])
def test_every_address_answers_everybody_as_the_table_says(column: int, method: str) -> None:
    """Of the nine about half ask each address in `make test`, by turns; in `make thorough` all."""
    stage, table = set_stage(), read_table()
    wrong = []
    for name, pattern in addresses():
        asking = [role for role in ROLES if is_in_turn(f"{method} {name} {role}", one_in=3)]
        said = "".join(table[name][column][ROLES.index(role)] for role in asking)
        if (found := answers(stage, method, name, pattern, asking)) != said:
            wrong.append(f"{method} {name}, {', '.join(asking)}: {found}, the table says {said}")
    assert not wrong, "\n".join(wrong)


def test_nobody_but_an_official_reaches_the_desk_and_nobody_writes_without_an_account() -> None:
    """The table itself is held to what must be true whatever else changes."""
    column = {role: place for place, role in enumerate(ROLES)}
    for name, (get, post) in read_table().items():
        assert len(get) == len(post) == len(ROLES), name
        if name.startswith(("desk", "competition_", "entry_", "adjustment_", "division_")) and "F" in get:
            assert set(get[column["stranger"] : column["sam"]]) == {"F"}, name
        assert post[column["visitor"]] in "LMFN" or name in CALCULATORS | DOORS | LINKS, name


# What is sent there is reckoned with and answered: nothing is written.
CALCULATORS = {"board_set_check", "try_act", "try_coach", "try_meaning", "try_outcome", "try_reasons"}
# Where somebody without an account sits down at a table as its guest.
DOORS = {"guest_link"}
# Where a link in a mail is enough: it ends mails like that one; or who signs up asks for a question that the
# browser answers with a passkey.
LINKS = {"unsubscribe", "passkey_begin"}
OPEN_TO_ALL = {"healthz", "readyz", "home", "club", "competition", "match", "player", "pair", "round"}


def test_the_public_pages_are_open_to_everybody() -> None:
    table = read_table()
    assert all(set(table[name][0]) == {"."} for name in OPEN_TO_ALL)
