"""Misprints as functions: from the digits that should stand to those that a slip of the pen can print.

Each function takes the right digits as text ("1612.37") and returns every text one such slip away.
"""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal


def decimals(printed: str) -> int:
    """Return how many decimals a printed number has.

    Examples
    --------
    >>> decimals("570.46"), decimals("46")
    (2, 0)
    """
    return len(printed.partition(".")[2])


def rounded(value: float, places: int) -> str:
    """Return a number rounded half up to some decimals.

    Examples
    --------
    >>> rounded(59.985, 2)
    '59.99'
    """
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def truncated(value: float, places: int) -> str:
    """Return a number cut off, not rounded, after some decimals.

    Examples
    --------
    >>> truncated(8947.48, 1)
    '8947.4'
    """
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_DOWN))


def transposed_digits(text: str) -> set[str]:
    """Return the texts with two neighbouring digits exchanged.

    Examples
    --------
    >>> "1621.36" in transposed_digits("1612.36")
    True
    """
    found = set()
    for place in range(len(text) - 1):
        first, second = text[place], text[place + 1]
        if first.isdigit() and second.isdigit() and first != second:
            found.add(text[:place] + second + first + text[place + 2 :])
        if place + 2 < len(text) and second == "." and text[place + 2].isdigit() and first.isdigit():
            found.add(text[:place] + text[place + 2] + "." + first + text[place + 3 :])
    return found - {text}


def one_digit_wrong(text: str) -> set[str]:
    """Return the texts with exactly one digit changed.

    Examples
    --------
    >>> "0.677" in one_digit_wrong("0.667")
    True
    """
    found = set()
    for place, old in enumerate(text):
        if old.isdigit():
            found |= {text[:place] + new + text[place + 1 :] for new in "0123456789"}
    return found - {text}


def digit_lost(text: str) -> set[str]:
    """Return the texts with one digit left out.

    Examples
    --------
    >>> "504.5" in digit_lost("504.05")
    True
    """
    return {text[:place] + text[place + 1 :] for place, old in enumerate(text) if old.isdigit()} - {text}
