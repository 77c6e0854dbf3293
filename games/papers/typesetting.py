"""Setting papers as PDF: a template of ours, and the content as data. All in memory, without network or other fonts."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import structlog
import typst

log = structlog.get_logger(__name__)

HERE = Path(__file__).resolve().parent
# Games set papers of their own: the root of all templates is games/.
ROOT, FONTS = HERE.parent, HERE / "fonts"
SIZES = ("a4", "us-letter")
# What readers for the blind need: a title, a language, tags, and words for every picture.
FOR_EVERYBODY = "ua-1"


class NotSet(Exception):
    """A paper that could not be set. It does not say what stands on it: there may be cards."""


def pdf(template: str, content: Mapping[str, Any]) -> bytes:
    """The content set by one of our own templates. Raises NotSet."""
    return set_by(f"papers/templates/{template}", content)


def set_by(template: str, content: Mapping[str, Any]) -> bytes:
    """The content set by the template of that path below games/, tagged for screen readers. Raises NotSet.

    A text with letters that none of our fonts has (Chinese, say) is set with empty boxes in their place, and then
    without the promise of that standard.
    """
    given = {"content": json.dumps(content)}
    try:
        return _compiled(template, given, [FOR_EVERYBODY])
    except typst.TypstError:
        log.info("paper_without_standard", template=template)
    try:
        return _compiled(template, given, [])
    except typst.TypstError:
        # From nothing: the compiler's words repeat what could not be set.
        raise NotSet(template) from None


def _compiled(template: str, given: dict[str, str], standards: list[Any]) -> bytes:
    source = (ROOT / f"{template}.typ").read_bytes()
    compiler = typst.Compiler(source, root=str(ROOT), font_paths=_fonts(), sys_inputs=given)
    found = compiler.compile(format="pdf", pdf_standards=standards)
    if not isinstance(found, bytes):
        raise NotSet(template)
    return found


@cache
def _fonts() -> typst.Fonts:
    """Our own fonts and no others: the same page on every machine."""
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FONTS)])
