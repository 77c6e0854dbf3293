"""The engine's sentences in the reader's language: templates are translated first and filled in afterwards."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from engine.errors import Word
from engine.game import Problem


def in_words(template: str, params: Mapping[str, Any]) -> str:
    """The sentence, translated; parameters that are names themselves are translated too."""
    words = {key: gettext(str(value)) if isinstance(value, Word) else value for key, value in params.items()}
    return gettext(template) % words if template else ""


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """A problem for a page or a program, in the reader's language."""
    return {
        **problem.as_json(),
        "message": in_words(problem.template, problem.params),
        "proposal": in_words(problem.proposal_template, problem.params),
    }
