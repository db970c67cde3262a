"""Record of a command without an answer."""

from typing import Annotated, Literal, NotRequired, TypedDict

_CODE = (
    "What is wrong: the words of the command (usage), a file of games or an option (game-table), a model, a trace "
    "(inference), a place or another input (input), the system, a signal (stopped)"
)
_CODES = [
    "usage", "input", "game-table", "download", "plugin", "model", "own-code", "inference", "not-positive",
    "rating-system", "evaluation", "system", "memory", "stopped",
]  # fmt: skip
_EXIT_CODE = "The exit code of the command; 128 and the signal's number where one stopped it"


class ErrorStatus(TypedDict):
    """Kind of error."""

    code: Annotated[str, _CODE, {"examples": _CODES}]
    exit_code: Annotated[Literal[2, 129, 130, 143], _EXIT_CODE]


class ErrorRecord(TypedDict):
    """Error of a command."""

    status: Annotated[ErrorStatus, "How the command ended"]
    message: Annotated[str, "The line on standard error, without the name of the program"]
    where: NotRequired[Annotated[str, "File, line, option or object"]]
    expected: NotRequired[Annotated[str, "What was expected"]]
    found: NotRequired[Annotated[str, "What was found"]]
    remedy: NotRequired[Annotated[str, "What to do"]]
