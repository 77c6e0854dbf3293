"""A club's year as a new secretary walks through it: `make walk` prints taps, typed fields and seconds.

In English, or in another language (`ARGS="--language de"`): the walk knows the pages by their English texts, and finds
each by its translation.

Serves an empty installation with a mail server beside it, and does everything through the pages of a phone: founds the
club, enters the mail account, imports 24 people with four bad lines, has them join by mail and by slip, sets up two
divisions, plays a season with a postponement, a substitute, reminders and a pair that takes over a place, finishes it,
and publishes the next. On the way nothing may be wider than the screen, no script may fail, and no mail come twice.
"""

import argparse
import email
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import polib
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pypdf import PdfReader

from tests import chromium
from tests.benchmarks.pages import wait_for
from tests.servers import free_port

OWNER, PASSWORD = "sally@example.org", "seven green teapots"
PHONE = {"width": 390, "height": 844}
Deals = tuple[tuple[int, int], ...]
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")
TAG = re.compile(r"<[^>]+>")
CATALOGUES = Path(__file__).resolve().parents[2] / "locale"
PATIENCE = 30
DESK = "/clubs/hill-card-club/desk/"
MANAGE = "/clubs/hill-card-club/hill-league/manage/"
#: Name, address and number, as the former secretary's list has them; four lines of them are wrong.
PEOPLE = tuple(
    (f"{first} {last}", f"{first}.{last}@example.org".lower(), str(100 + number))
    for number, (first, last) in enumerate(
        name.split()
        for name in [
            "Ada Archer",
            "Ben Bishop",
            "Cleo Carter",
            "Dan Dawson",
            "Edie Ellis",
            "Finn Fisher",
            "Grace Gibson",
            "Harry Holt",
            "Ines Irving",
            "Jack Jarvis",
            "Kate Knight",
            "Liam Lowe",
            "Mona Mercer",
            "Noah Norton",
            "Olga Owens",
            "Paul Porter",
            "Queenie Quick",
            "Ralph Reid",
            "Sue Sutton",
            "Tom Turner",
            "Una Upton",
            "Vic Vance",
            "Wendy Wells",
            "Xander York",
        ]
    )
)
#: These have no address and get a slip.
ON_PAPER = ("Una Upton", "Vic Vance", "Wendy Wells", "Xander York")
#: These never open their invitation.
ASLEEP = ("Ralph Reid", "Tom Turner")


PUBLISHED = 'Published. Everyone can now see the fixtures. <a href="%(url)s">View them</a>'
SHORTEN = (
    "Results can still be corrected until %(until)s. Wait until then, or shorten the time for corrections."
)
ANSWERS = "%(competition)s: %(yes)s said yes, %(no)s said no, %(silent)s haven’t answered."


class Mailbox:
    """What the mail server took."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """A mail."""
        assert isinstance(envelope.content, bytes)
        mail = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 taken"

    def wait_for(self, address: str, about: str = "") -> EmailMessage:
        """The newest mail to an address whose subject fits this pattern."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            for mail in reversed(self.mails):
                if mail["To"] == address and re.search(about, mail["Subject"]):
                    return mail
            sleep(0.1)
        raise SystemExit(f"No mail to {address}.")

    def wait_until_quiet(self) -> None:
        """Until none has come for a while."""
        before = -1
        while before != len(self.mails):
            before = len(self.mails)
            sleep(5)


def text_of(mail: EmailMessage) -> str:
    """The plain part."""
    body = mail.get_body(("plain",))
    return body.get_content() if body else ""


@dataclass
class Walk:
    """What was done so far: per stage taps, typed fields and seconds."""

    language: str = "en"
    stages: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    _stage: str = ""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """What comes is counted as this."""
        self._stage, begun = name, monotonic()
        counts = self.stages.setdefault(name, [0, 0, 0.0])
        yield
        counts[2] += monotonic() - begun
        print(f"| {name} | {counts[0]:.0f} | {counts[1]:.0f} | {counts[2]:.0f} |", flush=True)

    @cached_property
    def _translations(self) -> dict[str, set[str]]:
        found = defaultdict[str, set[str]](set)
        if self.language != "en":
            for entry in polib.pofile(str(CATALOGUES / self.language / "LC_MESSAGES" / "django.po")):
                found[entry.msgid].add(entry.msgstr or entry.msgstr_plural[0])
                found[entry.msgid_plural].add(entry.msgstr_plural.get(1, ""))
        return found

    def said(self, text: str, /, **values: str) -> str:
        """A pattern of what the pages say for a text of the catalogue; `values` are patterns of what is filled in."""
        texts = self._translations.get(text, {text})
        if self.language != "en" and text not in self._translations:
            self.faults.append(f"No text {text!r}")
        return f"(?:{'|'.join(_pattern(each, values) for each in sorted(texts))})"

    def count(self, place: int) -> None:
        """A tap (0) or a typed field (1)."""
        self.stages[self._stage][place] += 1


def _pattern(text: str, values: Mapping[str, str]) -> str:
    pieces = PLACEHOLDER.split(TAG.sub("", text))
    return "".join(
        values.get(piece, ".*") if number % 2 else re.escape(piece) for number, piece in enumerate(pieces)
    )


class Thumb:
    """Somebody with a phone."""

    def __init__(self, walk: Walk, browser: Browser, url: str) -> None:
        self.walk = walk
        locale = "en-GB" if walk.language == "en" else walk.language
        context = browser.new_context(
            base_url=url,
            viewport=PHONE,  # type: ignore[arg-type]
            service_workers="block",
            locale=locale,
        )
        context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: walk.faults.append(f"{self.page.url}: {error}"))
        self.page.on("response", self._heard)

    def _heard(self, response: Any) -> None:
        if response.status >= 400 and response.status != 422:
            self.walk.faults.append(f"{response.url}: {response.status}")

    def _measure(self) -> None:
        self.page.wait_for_load_state()
        width = self.page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            self.walk.faults.append(f"{self.page.url}: {width} wide")

    def open(self, address: str) -> None:
        """By a link in a mail or a bookmark: one tap."""
        self.walk.count(0)
        self.page.goto(address)
        self._measure()

    def press(self, role: Any, name: str, /, then: str = "", **values: str) -> None:
        """A button or a link; `then` is a pattern of what its name goes on with."""
        self.walk.count(0)
        # A step of the set-up has its number before its name.
        pattern = re.compile(rf"^\s*\d*\s*{self.walk.said(name, **values)}{then}\s*$")
        self.page.get_by_role(role, name=pattern).first.click()

    def type(self, label: str, text: str, /, **values: str) -> None:
        """A field, by its label."""
        self.walk.count(1)
        self._field(label, **values).fill(text)

    def choose(self, label: str, /, **which: Any) -> None:
        """An entry of a list: two taps."""
        self.walk.count(0)
        self.walk.count(0)
        self._field(label).select_option(**which)

    def _field(self, label: str, /, **values: str) -> Any:
        pattern = re.compile(rf"^\s*{self.walk.said(label, **values)}", re.IGNORECASE)
        return self.page.get_by_label(pattern).first

    def sees(self, text: str, /, **values: str) -> None:
        """Waits until the page says so."""
        expect(self.page.get_by_text(re.compile(self.walk.said(text, **values))).first).to_be_visible()
        self._measure()


@contextmanager
def served(folder: str) -> Iterator[str]:
    """An empty installation with one account, made in the terminal."""
    port = free_port()
    left_out = {"DATABASE_URL", "REDIS_URL", "EMAIL_URL"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    environment = {**kept, "VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    subprocess.run(
        [*manage, "createsuperuser", "--no-input", "--email", OWNER, "--name", "Sally Marsh"],
        env={**environment, "DJANGO_SUPERUSER_PASSWORD": PASSWORD},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    command = [*manage, "serve", "--no-demo", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        wait_for(process)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait()


def link_of(mail: EmailMessage) -> str:
    """The path that its first link leads to."""
    (path, *_others) = re.findall(r"http://[^/\s]+(/\S+)", text_of(mail))
    return str(path)


def choose_passwords(thumb: Thumb) -> None:
    """The one of the walk, and once more."""
    for each in thumb.page.locator("input[type=password]").all():
        thumb.walk.count(1)
        each.fill(PASSWORD)


def found_the_club(sally: Thumb) -> None:
    """From the terminal's account to an empty club."""
    sally.open("/accounts/login/")
    sally.type("E-mail address", OWNER)
    choose_passwords(sally)
    sally.press("button", "Log in")
    sally.press("link", "Create a club")
    sally.type("Name", "Hill Card Club")
    sally.type("Where the club meets", "The Old School")
    sally.press("button", "Create club")


def enter_the_mail_account(sally: Thumb, port: int) -> None:
    """Until the page says that the test mail arrived."""
    sally.open("/clubs/hill-card-club/desk/players/invitations/")
    sally.press("link", "Mail account")
    choose_passwords(sally)
    sally.press("button", "Continue")
    sally.type("mail server", "localhost")
    sally.choose("encryption", value="none")
    sally.type("port", str(port))
    sally.type("sender’s address", "league@hill.example.org")
    sally.press("button", "Save and send a test mail")
    sally.sees("The mail server took the test mail")


def spreadsheet() -> str:
    """The former secretary's list, with an address, a number, a name and an address that are wrong."""
    rows = [list(each) for each in PEOPLE]
    for row in rows:
        row[1] = "" if row[0] in ON_PAPER else row[1]
    rows[2][1], rows[5][2], rows[8][0], rows[11][1] = (
        "cleo.carter at example.org",
        rows[4][2],
        "",
        "liam.lowe@",
    )
    return "\n".join("\t".join(row) for row in [["name", "email", "number"], *rows])


def import_people(sally: Thumb) -> None:
    """Pasted; four lines mended in the preview; everybody with an address invited."""
    sally.open(f"{DESK}import/")
    sally.type("Or paste from a spreadsheet", spreadsheet())
    sally.press("button", "Preview")
    for name, place, line in (("email", 1, 2), ("number", 2, 5), ("name", 0, 8), ("email", 1, 11)):
        sally.walk.count(1)
        sally.page.fill(f"input[name={name}-{line + 2}]", PEOPLE[line][place])
    sally.press("button", "Check again")
    sally.sees(
        "%(new)s new, %(there)s already listed, %(faulty)s to fix. Nothing is saved yet.",
        new="24",
        faulty="0",
    )
    sally.press("button", "Import")
    sally.press("button", "Invite the %(count)s players with an address", count="20")
    sally.sees("%(count)d invitations are on their way.", count="20")


def print_slips(sally: Thumb) -> dict[str, str]:
    """Where each slip leads, by its player."""
    with sally.page.expect_download() as slips:
        sally.press("button", "Print %(count)s slips", count="4")
    text = "\n".join(page.extract_text() for page in PdfReader(slips.value.path()).pages)
    found = re.findall(rf"({'|'.join(ON_PAPER)})\n.*?(/invited/[\w\-\n]+/)", text, re.DOTALL)
    return {name: path.replace("\n", "") for name, path in found}


def join_by_mail(thumb: Thumb, mail: EmailMessage) -> None:
    """Two fields and a press."""
    thumb.open(link_of(mail))
    choose_passwords(thumb)
    thumb.press("button", "Join")
    thumb.sees("Welcome! You are %(player)s of %(club)s.")


def join_by_slip(thumb: Thumb, path: str, name: str, box: Mailbox) -> None:
    """Signs up, says yes, and confirms the address."""
    address = f"{name.partition(' ')[0].lower()}@example.org"
    thumb.open(path)
    thumb.press("button", "I’m new: sign up")
    thumb.type("Your name", name)
    thumb.type("E-mail address", address)
    choose_passwords(thumb)
    thumb.press("button", "Sign up")
    thumb.press("button", "Yes, I’m %(player)s", player=name)
    thumb.sees("Welcome! You are %(player)s of %(club)s.")
    thumb.open(link_of(box.wait_for(address)))
    thumb.press("button", "Yes, it’s mine")


def set_up_the_season(sally: Thumb) -> None:
    """Twelve pairs in two divisions; the first round was five weeks ago, so that the walk needs no clock of its own."""
    names = [name for name, _address, _number in PEOPLE]
    sally.open(DESK)
    sally.press("link", "Set up a season")
    sally.type("Name", "Hill League")
    sally.press("button", "Create draft")
    pairs = zip(names[::2], names[1::2], strict=True)
    sally.type("Type or paste pairs", "\n".join(f"{one} & {two}" for one, two in pairs))
    sally.press("button", "Save and continue: %(following)s")
    sally.type("Divisions", "First\nSecond")
    sally.type("Promotion and relegation", "1")
    sally.press("button", "Save divisions")
    sally.press("button", "Share them out evenly")
    sally.press("button", "Save and continue: %(following)s")
    sally.type("First round", (datetime.now(UTC).date() - timedelta(days=34)).isoformat())
    sally.press("button", "Preview")
    sally.sees("%(pairs)s entries make %(rounds)s rounds with %(matches)s matches.", rounds="5", matches="30")
    sally.press("button", "Publish")
    sally.sees(PUBLISHED)


def enter_a_sheet(one: Thumb, other: Thumb, deals: Deals, match: int | None = None) -> None:
    """A match by its totals, on the pages: entered by one side, their next one or this; confirmed by the other."""
    if match is None:
        one.open("/my/")
        one.press("link", "Enter scoresheet")
    else:
        one.open(f"/matches/{match}/scoresheet/")
    one.press("button", "Seats are right")
    one.press("button", "Totals")
    for number, (ns, ew) in enumerate(deals, start=1):
        for side, points in (("North-South", ns), ("East-West", ew)):
            one.type("Total of %(side)s", str(points), side=one.walk.said(side))
        one.walk.count(0)
        one.page.locator("[data-check]" if number == len(deals) else "[data-next]").click()
    one.press("button", "Send to %(opponents)s to confirm")
    one.sees("Sent. %(who)s can now confirm it. Until then you can still correct it.")
    other.open("/my/")
    other.press("link", "Check and confirm")
    other.press("button", "Confirm %(points)s")
    other.sees("Confirmed. The standings will be updated in a moment.")


def unplayed(sally: Thumb, url: str, players: Mapping[str, Thumb]) -> Iterator[tuple[int, list[Thumb]]]:
    """The matches still to play, with somebody of each side, home first."""
    listed = sally.page.context.request.get(f"{url}/api/v1/fixtures/?page_size=100").json()["results"]
    for fixture in listed:
        if fixture["status"] not in {"void", "confirmed"}:
            people = [[each["name"] for each in side["pair"]["players"]] for side in fixture["sides"]]
            yield (
                fixture["id"],
                [next(players[name] for name in names if name in players) for names in people],
            )


def enter_all_sheets(due: Sequence[tuple[int, list[Thumb]]]) -> None:
    """All further matches, entered by home and visitors in turn."""
    for number, (match, sides) in enumerate(due):
        one, other = sides if number % 2 else reversed(sides)
        # Not every two totals can be reached in a deal.
        enter_a_sheet(one, other, tuple((20 + number % 10, 9 + 5 * deal) for deal in range(4)), match)


def find_another_time(one: Thumb, other: Thumb) -> None:
    """Postponed with a reason; a time that suits everybody is proposed and accepted."""
    one.open("/my/")
    one.press("link", "Postpone")
    one.type("Reason", "The hall is closed")
    one.press("button", "Postpone")
    one.walk.count(0)
    one.page.locator("main a.button").first.click()
    one.press("button", "Propose this time")
    one.sees("Proposed. The other side can accept or decline.")
    other.open("/my/")
    other.press("link", "Answer")
    other.press("button", "Accept", then=".*")


def name_a_substitute(thumb: Thumb, absent: str) -> None:
    """A guest, in one line."""
    thumb.open("/my/")
    thumb.press("link", "Name a substitute")
    thumb.choose("Who cannot come?", label=absent)
    thumb.type("Or a guest", "Gwen Guest")
    thumb.press("button", "Name the substitute")
    thumb.sees("You have named the substitute.")


def remind(sally: Thumb) -> None:
    """Everybody who owes a result, in one press."""
    sally.open(DESK)
    sally.press("link", "Missing results")
    sally.press("button", "Remind everyone who owes a result")
    sally.sees("You asked %(count)d people.")


def replace_a_pair(sally: Thumb) -> None:
    """One pair withdraws; two newcomers take its place, and its matches from the first round on."""
    sally.open(MANAGE)
    sally.press("link", "Withdraw", then=r"\s*: Quick.*")
    sally.type("Reason", "Ralph has moved away")
    sally.press("button", "Withdraw them")
    sally.open(f"{DESK}players/")
    for name, address in (("Yves Young", "yves@example.org"), ("Zara Zimmer", "")):
        sally.walk.count(1)
        sally.page.fill("main #id_name", name)
        sally.walk.count(1)
        sally.page.fill("main #id_email", address)
        sally.press("button", "Add")
    sally.open(f"{DESK}pairs/")
    sally.choose("First player", label="Yves Young")
    sally.choose("Second player", label="Zara Zimmer")
    sally.press("button", "Add pair")
    sally.open(f"{MANAGE}#enter")
    for field_, label in (("division", "Second"), ("lineup", "Young & Zimmer")):
        sally.walk.count(0)
        sally.page.locator(f"#enter select[name={field_}]").select_option(label=label)
    sally.walk.count(0)
    sally.page.locator("#enter input[name=catch_up]").check()
    sally.press("button", "Preview")
    sally.press("button", "Enter them this way")
    sally.sees("%(pair)s: entered in %(division)s.", pair="Young & Zimmer", division="Second")
    sally.open(f"{DESK}players/invitations/")
    sally.press("button", "Invite the player with an address")


def rule_and_undo(sally: Thumb, match: int) -> None:
    """A walkover, given and taken back: the pair was only late."""
    for decision, button in (("Both lose (double default)", "Decide"), ("", "Withdraw")):
        sally.open(f"/fixtures/{match}/ruling/")
        if decision:
            sally.walk.count(0)
            sally.page.get_by_label(re.compile(sally.walk.said(decision))).check()
        sally.walk.count(1)
        sally.page.locator("form:has(input[value=ruling]) [name=reason]").fill("They were stuck in the snow")
        sally.press("button", button)
        sally.sees("View the table")


def finish(sally: Thumb) -> None:
    """Nobody waits two days for corrections here."""
    sally.open(f"{MANAGE}finish/")
    sally.press("link", SHORTEN)
    sally.type("Hours for corrections", "0")
    sally.press("button", "Save")
    sally.press("link", "Finish")
    sally.press("button", "Finish")
    sally.sees("Finished. The table is final.")


def begin_the_next(sally: Thumb, box: Mailbox, players: Mapping[str, Thumb]) -> None:
    """The draft, the question to everybody, some answers, and the next season for everybody to see."""
    sally.press("link", "Set up the next season")
    sally.press("button", "Create draft")
    sally.press("button", "Ask everyone")
    for name, answer in (
        ("Ada Archer", "Yes, we play"),
        ("Olga Owens", "Yes, we play"),
        ("Sue Sutton", "No, not this time"),
    ):
        address = next(address for each, address, _number in PEOPLE if each == name)
        players[name].open(
            link_of(box.wait_for(address, about=sally.walk.said("%(competition)s: are you in again?")))
        )
        players[name].press("button", answer)
    sally.page.reload()
    sally.sees(ANSWERS, yes="2", no="1")
    sally.press("button", "Fill them, including those who haven’t answered")
    sally.press("link", "Go on with the set-up")
    sally.press("button", "Publish")
    sally.sees(PUBLISHED)


def check(walk: Walk, box: Mailbox, sally: Thumb, url: str) -> None:
    """What holds whatever was pressed. Ends the walk with every fault there is."""
    faults = list(walk.faults)
    twice = [
        each
        for each, times in Counter((mail["To"], text_of(mail)) for mail in box.mails).items()
        if times > 1
    ]
    faults += [f"{address} got the same mail twice: {text[:80]}" for address, text in twice]
    tables = sally.page.context.request.get(f"{url}/api/v1/competitions/1/standings/").json()
    for division in tables:
        rows = division["table"]["rows"]
        played, points = (
            sum(row["played"] for row in rows),
            sum(Fraction(row["metrics"]["league_points"]) for row in rows),
        )
        if (played, points) != (30, 30):
            faults.append(f"{division['division']}: {played} times played, {points} points")
    if faults:
        raise SystemExit("\n".join(faults))


def main() -> None:
    """The walk, and what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="en", help="of the browsers and the pages")
    walk, box, mails = Walk(parser.parse_args().language), Mailbox(), free_port()
    server = Controller(box, hostname="127.0.0.1", port=mails)
    server.start()
    print("| what | taps | fields | seconds |\n|---|---:|---:|---:|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, served(folder) as url:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        sally, players = Thumb(walk, browser, url), dict[str, Thumb]()
        with walk.stage("the club"):
            found_the_club(sally)
        with walk.stage("the mail account"):
            enter_the_mail_account(sally, mails)
        with walk.stage("24 people imported, four lines mended, 20 invited"):
            import_people(sally)
        with walk.stage("four slips printed"):
            slips = print_slips(sally)
        by_mail = [each for each in PEOPLE if each[0] not in (*ON_PAPER, *ASLEEP)]
        with walk.stage(f"{len(by_mail)} join by mail"):
            for name, address, _number in by_mail:
                players[name] = Thumb(walk, browser, url)
                join_by_mail(players[name], box.wait_for(address))
        with walk.stage("four join by slip"):
            for name, path in slips.items():
                players[name] = Thumb(walk, browser, url)
                join_by_slip(players[name], path, name, box)
        with walk.stage("two divisions set up and published"):
            set_up_the_season(sally)
        with walk.stage("a match entered and confirmed by its totals"):
            enter_a_sheet(
                players["Ada Archer"], players["Kate Knight"], ((40, 20), (15, 30), (22, 18), (50, 10))
            )
        with walk.stage("a match postponed, a time proposed and accepted"):
            find_another_time(players["Cleo Carter"], players["Ines Irving"])
        with walk.stage("a substitute named"):
            name_a_substitute(players["Grace Gibson"], "Harry Holt")
        with walk.stage("everybody who owes a result reminded"):
            remind(sally)
        with walk.stage("a pair replaced, and invited"):
            replace_a_pair(sally)
            players["Yves Young"] = Thumb(walk, browser, url)
            join_by_mail(players["Yves Young"], box.wait_for("yves@example.org"))
        due = list(unplayed(sally, url, players))
        with walk.stage("a walkover given and taken back"):
            rule_and_undo(sally, due[0][0])
        with walk.stage(f"the other {len(due)} matches entered and confirmed"):
            enter_all_sheets(due)
        with walk.stage("the season finished"):
            finish(sally)
        with walk.stage("the next season made, asked about, published"):
            begin_the_next(sally, box, players)
        box.wait_until_quiet()
        check(walk, box, sally, url)
        browser.close()
    server.stop()
    taps, typed, seconds = (sum(each[place] for each in walk.stages.values()) for place in range(3))
    print(
        f"{taps:.0f} taps, {typed:.0f} fields, {seconds / 60:.1f} minutes; {len(box.mails)} mails, none twice"
    )


if __name__ == "__main__":
    main()
