"""Every page with something on it answers on PostgreSQL, too: a query may be one that SQLite alone understands."""

import pytest

from tests.every_page import client_of, furnish, pages

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.mark.parametrize("role", ["eva", "olive"])
def test_every_page_answers(role: str) -> None:
    stage = furnish()
    client = client_of(stage, role)
    asked = [each for each in pages(stage, (role,)) if each.role == role]
    answers = {each.address: client.get(each.address).status_code for each in asked}
    assert len(answers) > 50
    assert not {address: status for address, status in answers.items() if status != 200}
