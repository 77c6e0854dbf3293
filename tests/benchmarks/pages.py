"""What the pages weigh and how fast they show on a slow phone: `make pages` prints the table of docs/performance.md.

Starts the embedded server with the demo in a temporary folder, or measures the one that --url names (a demo as well).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from tests import chromium
from tests.benchmarks.loading import SLOWDOWN, Loaded, load
from tests.servers import free_port

PASSWORD = "demo-of-the-club"
PLAYER, DIRECTOR = "anna.berg@example.org", "daniel.quinn@example.org"
COMPETITION = "/clubs/riverside-club/winter-league/"
# Who looks, and where; `{match}` and the like are found by following the first link that looks so.
PAGES = (
    ("", "/"),
    ("", "/clubs/riverside-club/"),
    ("", COMPETITION),
    ("", f"{COMPETITION}fixtures/"),
    ("", f"{COMPETITION}cross-table/"),
    ("", f"{COMPETITION}progress/"),
    ("", f"{COMPETITION}rounds/3/"),
    ("", "{match}"),
    ("", "{pair}"),
    ("", "{player}"),
    ("", "/accounts/login/"),
    (PLAYER, "/my/"),
    (PLAYER, "{scoresheet}"),
    (DIRECTOR, "/clubs/riverside-club/desk/"),
)
LINKS = {
    "{match}": (f"{COMPETITION}rounds/3/", r'href="(/matches/\d+/)"'),
    "{pair}": (COMPETITION, r'href="(/pairs/\d+/)"'),
    "{player}": ("/clubs/riverside-club/players/", r'href="(/players/\d+/)"'),
    "{scoresheet}": ("/my/", r'href="(/matches/\d+/scoresheet/)"'),
}


def main() -> None:
    """Measure every page a few times and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a running server with the demo")
    parser.add_argument("--times", type=int, default=3, help="how often each page is opened")
    parser.add_argument("--only", default="", help="only pages whose address contains this")
    parser.add_argument(
        "--slowdown", type=int, default=SLOWDOWN, help="how many times slower the processor is"
    )
    parser.add_argument("--explain", action="store_true", help="say what was largest and what moved")
    options = parser.parse_args()
    with sync_playwright() as playwright, served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        print("| page | bytes | of these fonts | requests | blocking | largest paint | shift |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for user, address in PAGES:
            if options.only in address:
                measure(browser, url, user, address, options)
        browser.close()


def measure(browser: Browser, url: str, user: str, address: str, options: argparse.Namespace) -> None:
    """Print the row of one page: medians of several loadings, each in a new window."""
    loads: list[Loaded] = []
    for _ in range(options.times):
        # A first visit: nothing was kept by a worker of the site.
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, base_url=url, service_workers="block"
        )
        page = context.new_page()
        if user:
            log_in(page, user)
        loads.append(load(page, named(page, address), slowdown=options.slowdown))
        context.close()
    found = loads[0]
    print(
        f"| {found.address.removeprefix(url)}{' (logged in)' if user else ''} "
        f"| {found.weight:,} | {found.bytes_by_type.get('Font', 0):,} | {len(found.addresses)} | {len(found.blocking)} "
        f"| {median(each.largest_paint for each in loads) / 1000:.2f} s "
        f"| {max(each.shift for each in loads):.4f} |",
        flush=True,
    )
    if options.explain:
        print(f"    largest: {found.largest_element}; moved: {found.shifted}; by type: {found.bytes_by_type}")
        print(f"    paints: {[round(each.largest_paint) for each in loads]}")


def log_in(page: Page, user: str) -> None:
    """Log in as somebody of the demo."""
    page.goto("/accounts/login/")
    page.fill("input[name=login]", user)
    page.fill("input[name=password]", PASSWORD)
    with page.expect_navigation():
        page.press("input[name=password]", "Enter")


def named(page: Page, address: str) -> str:
    """The address, where it stands for the first link of its kind: that link's."""
    if address not in LINKS:
        return address
    where, pattern = LINKS[address]
    found = re.search(pattern, page.context.request.get(where).text())
    if found is None:
        raise SystemExit(f"{where} has no link like {pattern}")
    return found[1]


@contextmanager
def served(url: str) -> Iterator[str]:
    """The server to measure: the given one, or one of our own with the demo, for as long as the block lasts."""
    if url:
        yield url
        return
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        environment = {
            **{
                name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
            },
            "VAR_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        }
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            wait_for(process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def wait_for(process: subprocess.Popen[str]) -> None:
    """Return when the server says how to stop it: by then the demo is made, and its port is open."""
    for line in process.stdout or ():
        if line.startswith("Stop it"):
            return
    raise SystemExit("The server ended before it served.")


if __name__ == "__main__":
    main()
