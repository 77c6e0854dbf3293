"""What is wrong with a sheet, in the reader's language."""

from typing import Any

from engine.errors import RuleError
from engine.game import Problem
from league.web.wording import in_words


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """A problem for a page or a program, in the reader's language."""
    return {
        **problem.as_json(),
        "message": in_words(problem.template, problem.params),
        "proposal": in_words(problem.proposal_template, problem.params),
    }


def error_in_words(error: RuleError) -> str:
    """Why the engine refused something, in the reader's language."""
    return in_words(error.template, error.params)
