"""Options that several commands share, and checks in addition to typer's."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, ClassVar, cast, get_args, get_origin

import typer

from halfpoint.apps.cli.completion import completer_of
from halfpoint.apps.cli.scripting import from_standard_input
from halfpoint.inference.effort_limits import CHAINS, DRAWS, TUNE, Effort
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lists_in_text import columns_in, words_in
from halfpoint.models.games.ranges import SEED, Range, shorten_value
from halfpoint.models.games.settings import help_texts
from halfpoint.models.language.model_functions import MODEL_FUNCTIONS
from halfpoint.readers.options import options_in

# panels of the help of a command
FIRST = "Options"  # typer's own, for options without a panel
READING, WHO, HOW, FURTHER = "Reading files", "Who is rated", "Sampling", "Further"


def range_option(allowed: Range, *names: str, help: str = "", hidden: bool = False) -> Any:
    """A numeric option with its range in the help and in its validation."""

    def number(text: Any) -> Any:
        try:
            value = int(text) if allowed.whole else float(text)
        except (ValueError, OverflowError):
            value = text
        if value not in allowed:
            raise typer.BadParameter(f"expected {allowed}, found {shorten_value(value)}")
        return value

    stated = f"{help.removesuffix('.')} ({allowed.ends})."
    kind = "INTEGER" if allowed.whole else "NUMBER"
    return typer.Option(*names, help=stated, parser=number, metavar=kind, hidden=hidden)


def word_option(
    *names: str, help: str = "", parser: Callable[[str], object] = str, hidden: bool = False, panel: str | None = None
) -> Any:
    """Option parsed by a function; a default other than text is kept."""

    def read_word(value: object) -> object:
        return parser(value) if isinstance(value, str) else value

    return typer.Option(*names, help=help, parser=read_word, metavar="<str>", hidden=hidden, rich_help_panel=panel)


_MONITORED_DIGITS = 18


def _monitored_of(option: str) -> int | Path:
    """Monitored players of an option: a file of names, or the number of most active."""
    if not option.isdecimal():
        return Path(option)
    if len(option) > _MONITORED_DIGITS:
        raise GameTableError("--monitor", "a file of names or a number of players", f"{len(option):,} digits")
    return int(option)


def period_of(text: str) -> int | str:
    """The period given by `--every`: a number of days, or a word."""
    return int(text) if text.isdecimal() and len(text) < 7 else text


def numbers_of(text: str) -> dict[str, float]:
    """Settings of `--set name=number,...`."""
    numbers: dict[str, float] = {}
    for part in text.split(",") if text else []:
        key, _, value = part.partition("=")
        try:
            numbers[key.strip()] = float(value)
        except ValueError as error:
            raise GameTableError("--set", "NAME=NUMBER,...", repr(text)) from error
    return numbers


Effects = Annotated[
    list[str] | None,
    typer.Option(
        "--effects",
        rich_help_panel=FURTHER,
        help='Effects of columns, such as "advantage ~ 0 + rapid" or "log_draw ~ 1 | site"; repeatable.',
    ),
]
OwnModel = Annotated[
    str | None,
    typer.Option("--model", help="FILE.py:NAME, if the trace has a model of your own; runs the file."),
]
Newcomers = Annotated[
    list[str] | None,
    typer.Option(
        "--new",
        help="A player missing from the trace, whose strength is drawn from the population; repeatable, or all.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that halfpoint did not write.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]


@dataclass(frozen=True)
class _Offered:
    """Record and its fields that are options of a command, each with its type."""

    record: Any
    options: Mapping[str, object]
    panel: str | None = None  # of the command's help; the general panel if absent

    def laid(self) -> Iterator[inspect.Parameter]:
        """Options as parameters of a command."""
        for name, kind in self.options.items():
            plain, option = get_args(kind)
            if self.panel is not None:
                option = copy(option)
                option.rich_help_panel = option.rich_help_panel or self.panel
            value = getattr(self.record, name)
            yield inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=Annotated[plain, option]
            )


def record_options[R](record: R, panel: str | None = None, /, **options: object) -> R:
    """Record for `grouped`: options by field, with the record's types and defaults, in a panel.

    An `Annotated` option has a type of its own; a `Range` is a number in it. An option without words has the first
    sentence of its field's help text. Typer does not support unions: of a union with a path, the path is used.
    """
    kinds, words = {field.name: field.type for field in fields(record)}, help_texts(type(record))  # type: ignore[arg-type]
    for name, choice in options.items():
        option = range_option(choice) if isinstance(choice, Range) else choice
        if get_origin(option) is not Annotated:
            parts = get_args(kinds[name]) if isinstance(kinds[name], UnionType) else ()
            plain: object = next((kind | None for kind in (Path, str) if kind in parts), kinds[name])
            options[name] = Annotated[plain, option]
        plain, option = get_args(options[name])
        option = copy(option)
        if plain is bool and option.default is ... and not option.param_decls:
            option.param_decls = (f"--{name.replace('_', '-')}",)  # and no other that says no
        if not option.help or option.help.startswith(" ("):
            sentence = words[name].partition(". ")[0].rstrip(".")
            option.help = f"{sentence[:1].upper()}{sentence[1:]}{option.help or '.'}"
        options[name] = Annotated[plain, option]
    return cast(R, _Offered(record, options, panel))


def options_of[R](record: R, panel: str | None = None, /, without: Sequence[str] = (), **options: object) -> R:
    """Record as in `offered`, with all fields as options, except some."""
    names = [field.name for field in fields(record) if field.name not in without]  # type: ignore[arg-type]
    return record_options(record, panel, **{name: options.get(name) or typer.Option() for name in names})


def fields_as_options[R](command: Callable[..., R]) -> Callable[..., R]:
    """Command in typer's form: each field of a record argument becomes an option.

    The argument's default is a record, `offered` or with fields that are `Annotated` options; its values are the
    defaults of the options, and its other fields keep theirs.
    """
    arguments = inspect.signature(command, eval_str=True).parameters.values()
    records: dict[str, _Offered] = {}
    for argument in arguments:
        if isinstance(argument.default, _Offered):
            records[argument.name] = argument.default
        elif is_dataclass(argument.default):
            typed = {
                field.name: field.type for field in fields(argument.default) if get_origin(field.type) is Annotated
            }
            records[argument.name] = _Offered(argument.default, typed, getattr(argument.default, "panel", None))
    parameters: dict[str, inspect.Parameter] = {}
    for argument in arguments:
        offered = records.get(argument.name)
        options = offered.laid() if offered else [argument.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        parameters |= {parameter.name: parameter for parameter in options}

    @wraps(command)
    def _called(**values: object) -> R:
        values = from_standard_input(values)
        for name, offered in records.items():
            values[name] = replace(offered.record, **{option: values.pop(option) for option in offered.options})
        return command(**values)

    for name, parameter in parameters.items():
        parameters[name] = _with_completion(parameter)
    _called.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
    _called.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    return _called


def _with_completion(parameter: inspect.Parameter) -> inspect.Parameter:
    """Parameter of a command whose names the shell completes, if its values are names."""
    complete = completer_of(parameter.name)
    if complete is None or get_origin(parameter.annotation) is not Annotated:
        return parameter
    plain, option = get_args(parameter.annotation)
    option = copy(option)
    option.autocompletion = complete
    return parameter.replace(annotation=Annotated[plain, option])


def command[**P, R](panel: str, place: int = 9) -> Callable[[Callable[P, R]], Callable[..., R]]:
    """Decorator of a command, which the help lists in a panel (`halfpoint.apps.cli.app.PANELS`) at a place."""

    def in_panel(function: Callable[P, R]) -> Callable[..., R]:
        called = fields_as_options(function)
        called.panel = panel, place  # type: ignore[attr-defined]
        return called

    return in_panel


FideLists = Annotated[
    list[Path],
    typer.Option(
        "--fide-list", rich_help_panel=READING, help="FIDE list that fills missing ratings; repeat for several months."
    ),
]
Monitored = Annotated[
    Any,
    word_option("--monitor", help="Monitored players: a file of names, or the N most active.", parser=_monitored_of),
]
TimeControl = Annotated[
    Any,
    word_option(
        "--time-control",
        help="Keep classical, rapid, blitz, bullet, online, unknown (PGN only).",
        parser=words_in,
        panel=READING,
    ),
]


def sampling_options[E: Effort](effort: E, brief: bool = True) -> E:
    """Sampling effort as options of a command; with `brief`, tuning and chains are hidden."""
    tune, chains = range_option(TUNE, hidden=brief), range_option(CHAINS, help="Chains.", hidden=brief)
    return record_options(effort, HOW, draws=DRAWS, tune=tune, chains=chains, seed=SEED)


SAMPLING, IN_BRIEF = sampling_options(Effort(), brief=False), sampling_options(Effort())


@dataclass(frozen=True)
class Tables:
    """Options of the reader of tables."""

    panel: ClassVar[str] = READING
    columns: Annotated[
        Any,
        word_option(help="Tables: names of columns, such as white=home,black=away,score=result.", parser=columns_in),
    ] = None
    table: Annotated[
        Path | None,
        typer.Option(help="Tables: TOML of columns, ignore (columns), date_format, outcomes (words), sides."),
    ] = None
    ignore: Annotated[Any, word_option(help="Columns to leave out.", parser=words_in)] = None
    date_format: Annotated[
        str | None, typer.Option(help="Tables: format of dates, such as %d/%m/%Y, if ambiguous.")
    ] = None
    outcomes: Annotated[
        str | None, typer.Option(help="Tables: meanings of result words, such as tie=0.5,both_bad=drop,A=first.")
    ] = None

    form: Annotated[str | None, typer.Option(help="TOML file that describes the form of the file.")] = None
    trust: Annotated[
        bool | None, typer.Option("--trust", help="Accept a reading that looks wrong; the list reports it.")
    ] = None
    better: Annotated[str | None, typer.Option(help="Scores of algorithms: higher or lower is better.")] = None
    rope: Annotated[
        float | None,
        range_option(Range(0.0, 1e6), help="Scores of algorithms: largest difference that counts as a tie."),
    ] = None

    @property
    def reader(self) -> dict[str, Any]:
        """Options of the reader that the user gave, by name."""
        chosen = {name: value for name, value in asdict(self).items() if value is not None and name != "table"}
        if self.table is None:
            return chosen
        table_options = options_in(self.table, [field.name for field in fields(self) if field.name != "table"])
        twice = next((name for name in chosen if name in table_options), None)
        if twice is not None:
            raise GameTableError(f"--{twice.replace('_', '-')}", f"it here or in {self.table}", "both")
        return chosen | table_options


@dataclass(frozen=True)
class GameTables(Tables):
    """Options of the reader of tables of games."""

    sides: Annotated[str | None, typer.Option(help="Separator of the people of a side in a cell, such as +.")] = None


def model_with_effects(model: str, effects: list[str] | None) -> str:
    """Name of a model with its effects, in the form of `halfpoint.models.declaration.catalogue.find`."""
    from halfpoint.models.declaration.catalogue import WITH, effect_of

    for text in effects or ():
        effect_of(text)
    return f"{model}{WITH}{'; '.join(effects)}" if effects else model


def know(own_model: str | None) -> None:
    """Register a user's model, so that its traces can be read; a trace of another function is refused."""
    from halfpoint.models.declaration.catalogue import find

    MODEL_FUNCTIONS.of_traces = None if own_model is None else find(own_model).function
