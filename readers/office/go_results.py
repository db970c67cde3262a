"""Results of go as servers and records write them: W+R, B+3.5, W+Res., Jigo, Void, Unfinished."""

import re

_WON = re.compile(r"\A([wb])(?:hite|lack)?\s*\+\s*+([\w.,½/ ]*)", re.IGNORECASE)
_FORFEIT = ("f", "forfeit", "forf")
_EASTERN = re.compile(r"([白黑黒]).{0,12}?[胜勝]")  # "白中盘胜", "黒3目半勝ち"
_DRAWN = ("0", "draw", "jigo", "tie", "和棋", "和局", "平局", "持碁", "ジゴ")


def result_of_go(text: str) -> str:
    """Result of a game of go with White first; `+:-` or `-:+` for a forfeit, empty if absent.

    Examples
    --------
    >>> [result_of_go(text) for text in ("W+R", "B+3.5", "W+F", "Jigo", "Void", "Unfinished")]
    ['1-0', '0-1', '+:-', '1/2-1/2', '', '']
    """
    eastern = _EASTERN.match(text.strip())
    if eastern is not None:
        return "1-0" if eastern[1] == "白" else "0-1"
    match = _WON.fullmatch(text.strip())
    if match is None:
        return "1/2-1/2" if text.strip().lower() in _DRAWN else ""
    white = match[1].lower() == "w"
    if match[2].strip(" .").lower() in _FORFEIT:
        return "+:-" if white else "-:+"
    return "1-0" if white else "0-1"
