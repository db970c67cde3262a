"""What goes wrong with a judgement: one error class, and the one line it prints."""

from halfpoint.games.errors import HalfpointError


class EvaluationError(HalfpointError):
    """Forecasts, scores or comparisons that make no sense as they are asked for.

    Parameters
    ----------
    where : str
        Argument, table or model in which the fault stands.
    expected : str
        What should stand there.
    found : str
        What stands there.
    remedy : str, optional
        What the user can do.
    """

    def __init__(self, where: str, expected: str, found: str, remedy: str = "") -> None:
        self.where = where
        self.expected = expected
        self.found = found
        self.remedy = remedy
        message = f"{where}: expected {expected}, found {found}"
        super().__init__(f"{message}. {remedy}" if remedy else message)
