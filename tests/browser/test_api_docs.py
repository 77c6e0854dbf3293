"""The API's documentation page works under the site's policy, with files of our own."""

import pytest

from tests.browser.pages import DESK, PageFactory


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_documentation_lists_the_addresses_and_asks_nobody_else(new_page: PageFactory) -> None:
    page = new_page(width=DESK)

    page.goto("/api/docs/")

    page.locator(".opblock").first.wait_for()
    assert "/api/v1/" in page.locator("#swagger-ui").inner_text()
