"""Grades on a phone and at a desk: the own one with its curve, steps and partners, and the club's list."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.grades import services
from games.models import GradeStep, MatchSeat
from tests.browser.pages import DESK, PHONE
from tests.games.test_grades import NOW, evening_of, played
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.browser


def is_within(page: Page) -> bool:
    """Whether nothing stands beyond the edge."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    """Anna and Chidi won a match by 28 points in four deals; later Anna played an evening with somebody else."""
    made = make_scene()
    played(made)
    event = evening_of(club=made.club)
    MatchSeat.objects.filter(match_id=event.fixtures[0].pk, seat="N").update(player=made.players[0])
    services.sweep(at=NOW)
    return made


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_f141_my_grade_with_its_curve_its_steps_and_each_partner(scene: Scene, new_page, width: int) -> None:
    anna = scene.players[0]
    page: Page = new_page(width=width, user=scene.users["anna"])
    page.goto(reverse("player_grade", args=[anna.pk]))
    expect(page.get_by_role("heading", name="Concerto: 55.7 ?")).to_be_visible()
    expect(page.get_by_text("From 10 boards, the last on 1 Nov 2026.")).to_be_visible()
    expect(page.get_by_role("img", name="Grade after each session")).to_be_visible()
    page.locator("summary", has_text="The same as a table").click()
    expect(page.get_by_role("table").first.locator("tbody td")).to_have_text(["50.5", "55.7"])

    steps = page.locator("ol.plain > li")
    expect(steps).to_have_count(2)
    expect(steps.first).to_contain_text("were expected to make 50.2% in this field, and made 100.0%.")
    expect(steps.first).to_contain_text("Of the surprise of +49.8 your share is 0.10: +5.2, to 55.7.")
    expect(steps.last).to_contain_text(
        "You and Chidi Okafor were expected to make 0.0 points a deal against Eva Novak, Luis Reyes, and made +7.0."
    )
    expect(steps.last).to_contain_text("Of the surprise of +7.0 your share is 0.069: +0.5, to 50.5.")

    partners = page.get_by_role("region", name="With each partner").get_by_role("row")
    # (55.7 + 50.5) / 2, and what they made beyond it together (F140).
    expect(partners.filter(has_text="Chidi Okafor").get_by_role("cell")).to_have_text(["53.1%", "+7.0", "1"])
    expect(partners).to_have_count(3)
    assert is_within(page)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_f139_f142_the_clubs_list_has_the_provisional_apart_and_no_hidden_grade(
    scene: Scene, new_page, width: int
) -> None:
    anna, chidi = scene.players[:2]
    GradeStep.objects.filter(player__in=[anna.pk, chidi.pk]).update(variance=9.0)
    mine: Page = new_page(width=width, user=scene.users["eva"])
    mine.goto(reverse("player_grade", args=[scene.players[6].pk]))
    mine.get_by_role("button", name="Hide my grade from others").click()
    expect(mine.get_by_text("Your grade is hidden from others.")).to_be_visible()
    assert is_within(mine)

    page: Page = new_page(width=width)
    page.goto(reverse("club_grades", args=[scene.club.slug]))
    listed = page.get_by_role("table").locator("tbody tr")
    expect(listed.get_by_role("rowheader")).to_have_text(["Anna Berg", "Chidi Okafor"])
    expect(listed.first.get_by_role("cell").first).to_have_text("55.7")
    expect(page.get_by_role("heading", name="Still uncertain")).to_be_visible()
    uncertain = page.locator("ul.list > li")
    # Nineteen have played; two are certain enough, and Eva hides hers.
    expect(uncertain).to_have_count(16)
    expect(uncertain.filter(has_text="Luis Reyes")).to_contain_text("49.5 ?")
    expect(page.get_by_text("Eva Novak")).to_have_count(0)
    assert is_within(page)
    page.get_by_role("link", name="Chidi Okafor").click()
    expect(page.get_by_role("heading", name="Grade of Chidi Okafor")).to_be_visible()
    assert is_within(page)
