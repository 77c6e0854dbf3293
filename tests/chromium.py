"""The browser of the browser tests: Chromium as the machine has it, else installed from Debian."""

import os
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# The face that has the measure of Arial: without it what stands in until our own faces come is wider, and pages move.
PACKAGES = ("chromium", "fonts-liberation")
# It must start without a sandbox (containers), without a graphics card, and ask nobody for anything.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowserError(Exception):
    """There is no browser to test with; the message says how to get one."""


def find() -> Path:
    """Where Chromium or Chrome is; CHROME in the environment names one that is nowhere usual."""
    named = os.environ.get("CHROME", "")
    candidates = [named] if named else [*NAMES, *ELSEWHERE]
    for candidate in candidates:
        path = shutil.which(candidate)
        if path:
            return Path(path)
    raise NoBrowserError(
        (f"CHROME names {named}, which cannot be started. " if named else "")
        + "The browser tests need Chromium or Chrome. On Debian: apt install chromium fonts-liberation. "
        "Elsewhere install either, and name it if it is not found: CHROME=/path/to/chrome make test"
    )


def find_or_install() -> Path:
    """Where Chromium is, after installing Debian's if there is none and we may."""
    try:
        return find()
    except NoBrowserError:
        install()
    return find()


def install() -> None:
    """Install Debian's package as root or by a sudo that asks nothing; elsewhere nothing happens."""
    if shutil.which("apt-get") is None or os.environ.get("CHROME"):
        return
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if prefix and not asks_nothing(prefix):
        return
    print(f"Installing Chromium for the browser tests (apt-get install {' '.join(PACKAGES)}) ...", flush=True)
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    if subprocess.run([*apt, "update"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
        command = [*apt, "install", "-y", "--no-install-recommends", *PACKAGES]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def asks_nothing(prefix: list[str]) -> bool:
    """Whether sudo is there and lets us act without a password."""
    if shutil.which(prefix[0]) is None:
        return False
    return subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
