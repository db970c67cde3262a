"""Fields of records of options: each has its default and its help text, which the command line shows."""

from dataclasses import field, fields


def setting[T](default: T, help_text: str) -> T:
    """Field of a frozen dataclass with a default and a help text, whose first sentence is the help of the option.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Draws:
    ...     seed: int = setting(7, "seed; the same seed gives the same draws")
    >>> Draws().seed, help_texts(Draws)
    (7, {'seed': 'seed; the same seed gives the same draws'})
    """
    return field(default=default, metadata={"help": help_text})


def help_texts(record: type) -> dict[str, str]:
    """Help texts of a record's fields by name; other fields are left out."""
    return {option.name: option.metadata["help"] for option in fields(record) if "help" in option.metadata}
