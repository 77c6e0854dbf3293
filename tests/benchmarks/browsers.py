"""A match of a game played to its end in Chromium: `make browsers GAME=key`.

Two people, one at a desk and one with a phone, open a table of the demo's club, put robots at the other seats, and
press what is offered. On the way they press a card that may not be played and are told why. In the end the points
that they see must be those that the engine makes of the deals. Pictures are kept in `var/browsers/`.
"""

import argparse
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

import engine
from engine.game import Game
from engine.game.beginner import BEGINNER
from tests import chromium
from tests.benchmarks.pages import log_in, served

PEOPLE = (("anna.berg@example.org", 1280, 900), ("olga.petrov@example.org", 390, 844))
CLUB = "riverside-club"
ACTIONS = 3000
PATIENCE = 30_000
SETTLED = """() => {
  const places = ".felt.my-turn, .felt[data-state=between], [data-step=ready], [data-result]:not([hidden])";
  const turn = document.querySelector(".table-seat.on-turn .seat-who");
  return Boolean(document.querySelector(places)) || Boolean(turn && !turn.textContent.startsWith("Robot"));
}"""

# A deal that ends as soon as it is dealt asks for the next one at once.
ACCEPTED = """(before) => !document.querySelector("[data-step=ready]")
  || document.querySelector("[data-deal]").textContent !== before"""


class Player:
    """Somebody at the table, in a window of their own, who notes what goes wrong on the page."""

    def __init__(self, browser: Browser, url: str, user: str, width: int, height: int) -> None:
        context = browser.new_context(
            base_url=url, viewport={"width": width, "height": height}, service_workers="block"
        )
        context.set_default_timeout(PATIENCE)
        # Nobody looks on: what others do need not be shown one by one.
        context.add_init_script(
            "localStorage.setItem('table:pace', 'off'); localStorage.setItem('table:sound', 'off')"
        )
        self.page, self.width, self.faults = context.new_page(), width, list[str]()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.refusals: list[str] = []
        self.actions = 0
        self.pictures: set[str] = set()
        log_in(self.page, user)

    def is_on_turn(self) -> bool:
        """Whether the felt says so."""
        return self.page.locator(".felt.my-turn").count() > 0

    def picture(self, folder: Path, name: str) -> None:
        """The whole page, once of each kind, in the light and in the dark."""
        if name not in self.pictures:
            self.pictures.add(name)
            self._shoot(folder / f"{name}-{self.width}.png")
            self.page.emulate_media(color_scheme="dark")
            self._shoot(folder / f"{name}-{self.width}-dark.png")
            self.page.emulate_media(color_scheme="light")

    def _shoot(self, path: Path) -> None:
        self.page.screenshot(path=path, full_page=True, animations="disabled")

    def act(self, folder: Path) -> None:
        """By turns cards with a button of theirs, a call that is offered, or a card; at first what may not be done."""
        self.actions += 1
        barred = self.page.locator("[data-actions] [data-act][aria-disabled]")
        refused = barred if barred.count() else self.page.locator(".own-card[aria-disabled]")
        if refused.count() and not self.refusals:
            refused.first.click(force=True)
            self._note_refusal(folder)
        calls = self.page.locator("[data-actions] [data-act]:not([aria-disabled])")
        cards = self.page.locator(".own-card:not([aria-disabled])")
        composed = self.page.locator("[data-compose]")
        is_only = not (calls.count() or self.page.locator("[data-actions] [data-act]").count())
        if composed.count() and (self.actions % 2 or not self.refusals or is_only) and self._compose(folder):
            return
        if calls.count():
            self.picture(folder, "call")
            calls.nth(self.actions % calls.count()).click()
        elif cards.count():
            self.picture(folder, "card")
            self._play_card(folder)
        expect(self.page.locator("[data-line]")).not_to_have_text("Sending…")

    def _note_refusal(self, folder: Path) -> None:
        self.refusals.append(self.page.locator("[data-line]").inner_text())
        self.picture(folder, "refused")
        self.page.locator("[data-show-help]:visible").click()
        self.picture(folder, "help")
        self.page.keyboard.press("Escape")

    def _compose(self, folder: Path) -> bool:
        """Some cards, and the button for them: whether they did. If not, they are put back.

        They are of the rank of the card that lies open, where there are such, else the first ones.
        """
        own = self.page.locator(".own-card")
        ranks = own.locator(".rank").all_inner_texts()
        opened = self.page.locator(".pile .card-face .rank").all_inner_texts()[-1:]
        alike = [place for place, rank in enumerate(ranks) if [rank] == opened]
        few = range(min(self.actions % 4, len(ranks)))
        # Once too few have been refused, as many as must be.
        chosen = range(max(self._least(), len(few))) if self.refusals else few
        for place in alike if len(alike) > 1 else chosen:
            own.nth(place).click(position={"x": 8, "y": 15})
        self.picture(folder, "chosen")
        button = self.page.locator("[data-compose]")
        if not button.count():
            # A single card is played by a button of its own.
            self.page.keyboard.press("Escape")
            return False
        button.first.click()
        line = self.page.locator("[data-line]")
        expect(line).not_to_have_text("Sending…")
        if "trouble" not in str(line.get_attribute("class")):
            return True
        if not self.refusals:
            self._note_refusal(folder)
        self.page.keyboard.press("Escape")
        return False

    def _least(self) -> int:
        """How many cards the first button for chosen cards asks for."""
        view = self.page.context.request.get(f"{self.page.url.partition('#')[0]}view/").json()["view"]
        return min((int(each["least"]) for each in view["deal"]["view"]["compositions"][:1]), default=0)

    def _play_card(self, folder: Path) -> None:
        """The first card that may be played: where cards are chosen first, some may turn out not to."""
        cards = self.page.locator(".own-card:not([aria-disabled])")
        for key in [card.get_attribute("data-card") or "" for card in cards.all()]:
            own = self.page.locator(f'.own-card[data-card="{key}"]')
            own.click(position={"x": 8, "y": 15})
            if self.page.locator("[data-compose]").count():
                its_button = self.page.locator(f'[data-act="{key[:2]}"]')
                if its_button.count() and its_button.get_attribute("aria-disabled") is None:
                    its_button.click()
                    return
                if not self.refusals:
                    self._note_refusal(folder)
                own.click(position={"x": 8, "y": 15})
                continue
            if own.count() and own.get_attribute("aria-pressed") == "true":
                own.click(position={"x": 8, "y": 15})
            return


def open_table(players: list[Player], game: Game, deals: int | None) -> tuple[str, int]:
    """The table's address, and for how many deals it is: both sit there, robots at the other seats."""
    opener, other = players[0].page, players[1].page
    opener.goto(f"/tables/?game={game.key}")
    panel = opener.locator(f"section:has(#open-{CLUB})")
    panel.locator("summary", has_text="Open a casual table").click()
    field = panel.locator("[name=rules_deals]")
    many = panel.locator("form:has([name=rules_deals]) select[name=players]")
    if many.count():
        many.select_option(str(game.players.stop - 1))
    if deals is not None:
        field.fill(str(max(deals, int(field.get_attribute("min") or 0))))
    asked = int(field.input_value())
    panel.get_by_role("button", name="Open the table").click()
    opener.locator("[data-step=sit]").first.click()
    # Until then the other is offered this seat as well.
    expect(opener.locator("[data-own-seat]")).to_contain_text("(you)")
    other.goto(opener.url)
    # Opponents, where there are sides.
    other.locator("[data-step=sit]").first.click()
    expect(other.locator("[data-own-seat]")).to_contain_text("(you)")
    # Until then the opener could give the other's seat to a robot.
    taken = other.context.request.get(f"{opener.url}view/").json()["view"]["you"]["seat"]
    expect(opener.locator(f'[data-step=robot][data-seat="{taken}"]')).to_have_count(0)
    for _seat in game.seats(game.players.stop - 1):
        robot = opener.locator("[data-step=robot]:visible")
        if not robot.count():
            break
        seat = robot.first.get_attribute("data-seat")
        robot.first.click()
        expect(opener.locator(f'[data-step=robot][data-seat="{seat}"]')).to_have_count(0)
    return opener.url, asked


def play(players: list[Player], folder: Path) -> None:
    """Both act whenever they are on turn, until the end."""
    for _action in range(ACTIONS):
        for player in players:
            if player.page.locator("[data-result]:not([hidden])").count():
                return
            ready = player.page.locator("[data-step=ready]")
            if ready.count():
                player.picture(folder, "ready")
                before = player.page.locator("[data-deal]").inner_text()
                ready.first.click()
                player.page.wait_for_function(ACCEPTED, arg=before)
            if player.is_on_turn():
                player.act(folder)
        for player in players:
            player.page.wait_for_function(SETTLED)
    raise SystemExit("The match does not end.")


def points_by_the_engine(page: Page, table: str, game: Game, asked: int) -> dict[str, int]:
    """The match from the deals as they were played, each read and scored as a sheet."""
    view = page.context.request.get(f"{table}view/").json()["view"]
    players = len(view["seats"])
    deals: list[Any] = [
        page.context.request.get(f"{table}deals/{each['number']}/replay/").json()
        for each in view["match"]["deals"]
    ]
    options = game.read_options({**game.preset, "deals": asked})
    sheet = {"deals": [deal["record"] for deal in deals]}
    checked = game.check_sheet(sheet, deals[0]["dealer"], options, players)
    faults = [problem.code for problem in checked.problems if problem.refuses]
    if faults:
        raise SystemExit(f"What was played is no sheet: {faults}")
    return {str(side): points for side, points in checked.result.total.items()}


def main() -> None:
    """Play, compare, and say where the pictures are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True)
    parser.add_argument("--deals", type=int, help="how many deals the match has, else as many as usual")
    parser.add_argument("--url", default="", help="a running server with the demo")
    parser.add_argument("--folder", type=Path, default=Path("var/browsers"))
    options = parser.parse_args()
    game, folder = engine.game.get(options.game), options.folder / options.game
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        players = [Player(browser, url, *person) for person in PEOPLE]
        table, asked = open_table(players, game, options.deals)
        play(players, folder)
        made = points_by_the_engine(players[0].page, table, game, asked)
        for player in players:
            player.picture(folder, "end")
            shown = [
                int(text.replace("−", "-")) for text in player.page.locator(".end-ranks b").all_inner_texts()
            ]
            if sorted(shown) != sorted(made.values()):
                raise SystemExit(f"The page says {shown}, the engine {made}.")
            if player.faults:
                raise SystemExit(f"Errors on the page: {player.faults}")
        refusals = [text for player in players for text in player.refusals]
        if not refusals and game.robots != (BEGINNER,):
            raise SystemExit("Nothing was refused.")
        print(f"{game.key}: {made}; refused: {refusals}; pictures in {folder}")
        browser.close()


if __name__ == "__main__":
    main()
