"""The locked packages can be installed on every platform and Python that the project names."""

import re

from tests.architecture.sources import ROOT

LOCKED = sorted((ROOT / "requirements").glob("*.txt"))
PACKAGE = re.compile(r"^([a-z0-9][\w.-]*)==(\S+)(.*(?:\n .*)*)", re.M)


def test_every_package_is_locked_with_the_hashes_of_all_its_files() -> None:
    """One hash alone comes of an index that has only this machine's file: others could not install it."""
    found = [(file.name, *match.groups()) for file in LOCKED for match in PACKAGE.finditer(file.read_text())]
    alone = [f"{file}: {name}" for file, name, _version, rest in found if rest.count("--hash=sha256:") < 2]

    assert len(found) > 100
    assert alone == []


def test_locks_name_no_index_and_no_machine() -> None:
    wrong = [file.name for file in LOCKED if re.search(r"://|--index|--find-links", file.read_text())]

    assert wrong == []
