"""Number of words the assistant wrote in a conversation: a list of turns with role and content.

The content of a turn is a text, or a list of parts (texts, or mappings with a `text`, as in later public releases).
"""

import re
from typing import Any

import numpy as np
import polars

ANSWERED = "assistant words"  # of a conversation, a column that is made of it
_LISTS = (list, tuple, np.ndarray, polars.Series)
WORD = re.compile(r"\S+")


def are_turns(value: object) -> bool:
    """True if a value is a list of turns."""
    return isinstance(value, list) and bool(value) and all(isinstance(turn, dict) and "role" in turn for turn in value)


def words_written(turns: object) -> int | None:
    """Number of words the assistant wrote; None without turns.

    Examples
    --------
    >>> words_written([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"text": "Good day."}]}])
    2
    """
    if not isinstance(turns, _LISTS):
        return None
    return sum(_words_in(turn.get("content")) for turn in turns if turn is not None and turn.get("role") == "assistant")


def _words_in(content: object) -> int:
    """Number of words of a content, a text or a list of parts."""
    if isinstance(content, str):
        return len(WORD.findall(content))
    if isinstance(content, dict):
        return _words_in(content.get("text"))
    return sum(_words_in(part) for part in content) if isinstance(content, _LISTS) else 0


def holds_turns(dtype: Any) -> bool:
    """True if a column of polars contains turns."""
    inner = getattr(dtype, "inner", None)
    return isinstance(inner, polars.Struct) and {"role", "content"} <= {field.name for field in inner.fields}


def words_of_answers(conversation: polars.Expr, dtype: Any) -> polars.Expr:
    """Number of words the assistant wrote, for a column of polars."""
    kinds = {field.name: field.dtype for field in dtype.inner.fields}
    if kinds["content"] != polars.String:
        return conversation.map_elements(words_written, polars.Int64)
    turn = polars.element()
    words = turn.struct.field("content").str.extract_all(r"\S+").list.len()
    of_assistant = polars.when(turn.struct.field("role") == "assistant").then(words).otherwise(0)
    return conversation.list.eval(of_assistant).list.sum()
