"""Carries out the steps of a Dockerfile in a folder that serves as the image's root: what `docker build` does.

    python -m tests.production.image FOLDER   builds the image in a clean root of Debian, made by debootstrap

The clean root is Debian's, with Debian's Python where the image has python.org's: what is in `FROM` cannot be had
without a registry of images. All further steps are the Dockerfile's own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tests.production.compose import BASE

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#: Where pip finds its packages is this machine's business.
PIP = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
#: Of the image python:3.13-slim-bookworm, as Debian has it.
PACKAGES = "ca-certificates,python3,python3-venv"


@dataclass
class Image:
    """A root folder, and what the steps so far have said of it."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH} | PIP)
    folder: str = "/"
    user: str = "root"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def inside(self, command: list[str], *also: str) -> list[str]:
        """The command in that root, by that user, in that folder; `also` are further options of setpriv."""
        become = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", *also]
        return [
            "chroot",
            str(self.root),
            *become,
            "sh",
            "-c",
            f'cd "{self.folder}" && exec "$@"',
            "in",
            *command,
        ]

    def run(self, command: list[str]) -> None:
        """To its end; raises CalledProcessError."""
        subprocess.run(self.inside(command), env=self.environment, check=True)


def steps(dockerfile: Path) -> list[tuple[str, str]]:
    """Its instructions and their arguments, lines joined, without comments."""
    lines = [line for line in dockerfile.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for line in joined.splitlines() if line for name, rest in [line.split(None, 1)]]


def described(dockerfile: Path, root: Path) -> Image:
    """The finished image in that root, without doing anything."""
    return carried_out(dockerfile, root, act=False)


def carried_out(
    dockerfile: Path, root: Path, *, act: bool = True, packages: bool = True, again: bool = False
) -> Image:
    """Every step in order, all stages in the same root. Without `packages` what is in /venv is there already.

    Once more means what has changed: as Docker keeps layers, nothing before the context is copied is done `again`.
    """
    image, installing = Image(root), False
    for name, rest in steps(dockerfile):
        if name == "FROM":
            image, installing = Image(root), " AS packages" in rest
        elif name == "RUN":
            if act and not again and (packages or not installing):
                image.run(["sh", "-c", rest])
        elif name == "COPY":
            again = again and rest.split()[0] != "."
            if act and not again and "--from" not in rest:
                source, target = rest.split()
                copy(dockerfile.parent, source, target, image)
        elif name != "EXPOSE":
            describe(image, name, rest)
    return image


def describe(image: Image, name: str, rest: str) -> None:
    """A step that says something of the image, or of the steps that follow."""
    match name:
        case "ENV":
            pairs = re.findall(r'(\w+)=("[^"]*"|\S+)', rest)
            path = image.environment["PATH"]
            image.environment |= {key: value.strip('"').replace("$PATH", path) for key, value in pairs}
        case "WORKDIR":
            image.folder = rest
        case "USER":
            image.user = rest
        case "ENTRYPOINT":
            image.entrypoint = json.loads(rest)
        case "CMD":
            image.command = json.loads(rest)
        case _:
            raise ValueError(f"A step that nobody here knows: {name}")


def copy(context: Path, source: str, target: str, image: Image) -> None:
    """A file or the whole context but what .dockerignore leaves out."""
    place = image.root / (target if target.startswith("/") else f"{image.folder}/{target}").lstrip("/")
    if source != ".":
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(context / source, place)
        return
    shutil.copytree(context, place, ignore=ignored(context), dirs_exist_ok=True)


def ignored(context: Path) -> Callable[[str, list[str]], list[str]]:
    """What .dockerignore leaves out: a pattern is of the context's own folder, or with `**/` of any."""
    lines = [
        each for each in (context / ".dockerignore").read_text().splitlines() if not each.startswith("#")
    ]

    def matched(folder: str, names: list[str]) -> list[str]:
        here = [
            each.removeprefix("**/") for each in lines if each.startswith("**/") or Path(folder) == context
        ]
        return [name for name in names if any(fnmatch(name, each) for each in here)]

    return matched


def clean_root(root: Path) -> None:
    """Debian's own packages and nothing else."""
    for program, package in (("debootstrap", "debootstrap"), ("nginx", "nginx-light")):
        if shutil.which(program) is None:
            subprocess.run(["apt-get", "install", "-y", "-q", package], check=True)
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(root)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    for settings in (Path("/etc/pip.conf"), Path("/etc/resolv.conf"), Path("/etc/xdg/pip")):
        if settings.is_dir():
            shutil.copytree(settings, root / str(settings).lstrip("/"), dirs_exist_ok=True)
        elif settings.exists():
            shutil.copy(settings, root / str(settings).lstrip("/"))


def build(root: Path) -> None:
    """The image in a clean root."""
    clean_root(root)
    for kind in ("proc", "dev"):
        (root / kind).mkdir(exist_ok=True)
        subprocess.run(["mount", "--rbind", f"/{kind}", str(root / kind)], check=True)
    carried_out(BASE / "Dockerfile", root)


if __name__ == "__main__":
    build(Path(sys.argv[1]).absolute())
