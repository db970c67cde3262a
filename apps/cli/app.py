"""The `halfpoint` command: its sub-commands, and one line for each user error."""

import gc
import inspect
import os
import re
import sys
from contextlib import nullcontext, suppress
from errno import EIO
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from halfpoint.apps.cli.completion import COMPLETING, words_so_far
from halfpoint.apps.cli.scripting import FAULT, asks_for_json, code_of, put_fault, without_place
from halfpoint.apps.cli.surroundings import prepare, tell
from halfpoint.models.games.errors import HalfpointError, clip_text, printable
from halfpoint.models.games.lazy_import import left_out
from halfpoint.models.games.plugins import Installed, PluginError, is_extended

_USAGE_ERROR = cast(type[Exception], typer.BadParameter.__mro__[2])  # click's, or its copy within typer
_HELP = ("--help", "-h")
COMMANDS = Installed("halfpoint.commands")  # by name: a function or its own sub-commands; imported when asked for
PANELS = ("Rate and list", "Ask", "Plan", "Judge", "Research")  # of the help, in this order
FRONT = ("rate", "forecast", "list", "leaderboard", "backtest", "site")  # in the help without --all, in this order
_OTHERS, _LATER = "Others", 9  # the panel, and the place in one, of commands that name none
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
_UNUSED = ("dask", "coverage")  # xarray and numba import them wherever they are installed: .6 and .03 CPU s
_ADVISED = ("rate", "fit")  # where an option is that another command names


def _print_version(requested: bool) -> None:
    """Print the version and exit, if requested."""
    if requested:
        typer.echo(f"halfpoint {version('halfpoint')}")
        raise typer.Exit


def _print_help(context: typer.Context, requested: bool) -> None:
    """Print the help and exit, if requested."""
    if requested:
        typer.echo(context.get_help())
        raise typer.Exit


def application(arguments: list[str]) -> typer.Typer:
    """Application with the requested command, or with names and help of all commands."""
    lists_all = "--all" in arguments or COMPLETING in os.environ
    app = typer.Typer(
        help="Bayesian paired comparison: Bradley-Terry and Davidson models, judged by proper scores.",
        epilog=None if lists_all else f"halfpoint --help --all lists all {len(COMMANDS)} commands.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
        pretty_exceptions_enable=False,
    )
    app.callback()(_options_of_all)  # keeps sub-commands even where only one is registered
    if COMPLETING in os.environ:
        arguments = words_so_far()[1:]
    command_name = arguments[0] if arguments else ""
    if command_name not in COMMANDS:
        front = [name for name in FRONT if name in COMMANDS]  # those of fields may not be installed
        for panel, _, name, text in sorted(map(in_help, COMMANDS)) if lists_all else map(in_help, front):
            shown = (*PANELS, _OTHERS)[panel] if lists_all else "Commands"
            app.command(name, help=text, rich_help_panel=shown)(lambda: None)  # is never called
        for name in () if lists_all else COMMANDS.keys() - {*FRONT}:
            app.command(name, hidden=True)(lambda: None)  # for "Did you mean"
        return app
    target = COMMANDS[command_name]
    if isinstance(target, typer.Typer):
        app.add_typer(target, name=command_name)
    else:
        app.command(command_name)(target)
    return app


def _options_of_all(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    list_all: Annotated[
        bool, typer.Option("--all", callback=_print_help, is_eager=True, help="With --help: list all commands.")
    ] = False,
) -> None:
    """Read the options that precede a command."""


def in_help(name: str) -> tuple[int, int, str, str]:
    """Panel, place, name and words of a command; those of a faulty command of another distribution are its error."""
    try:
        target = COMMANDS[name]
    except PluginError as error:
        return len(PANELS), _LATER, name, str(error)
    if isinstance(target, typer.Typer):
        panel, place, words = target.rich_help_panel, _LATER, target.info.help
    else:
        panel, place = getattr(target, "panel", ("", _LATER))
        words = inspect.getdoc(target)
    return PANELS.index(panel) if panel in PANELS else len(PANELS), place, name, words or ""


def _run(words: list[str]) -> object:
    """Run a command and return its exit code, if it has one."""
    if COMPLETING in os.environ or {*_HELP} & {*words}:
        gc.disable()  # the process ends with the output
    command: Any = typer.main.get_command(application(words))
    if COMPLETING not in os.environ and _print_help_of(command, words):
        return 0
    return command(words, standalone_mode=False)


def _print_help_of(command: Any, words: list[str]) -> bool:
    """Print the help that words request without parsing them, for which typer imports pydantic: 0.1 CPU s."""
    place = next((place for place, word in enumerate(words) if word in _HELP), None)
    if place is None or getattr(sys.modules["__main__"], "__package__", None):  # python -m has another name
        return False
    context = typer.Context(command, info_name=Path(sys.argv[0]).name, **command.context_settings)
    for word in words[:place]:
        if not hasattr(command, "commands"):
            break  # arguments and options of the command
        if word not in command.commands:
            return False
        command = command.commands[word]
        context = typer.Context(command, info_name=word, parent=context, **command.context_settings)
    typer.echo(command.get_help(context))
    return True


def main() -> None:
    """Run the command line; a user error is one line on stderr and exit code 2."""
    fault: Exception
    try:
        prepare()
        foreign = is_extended() or any(".py" in word for word in sys.argv[1:])  # which may import what it likes
        foreign |= "xarray" in sys.modules  # which has looked for Dask already
        with nullcontext() if foreign else left_out(*_UNUSED):
            exit_code = _run(sys.argv[1:])
    except HalfpointError as error:
        code, fault, message = code_of(error), error, printable(in_reach(without_place(str(error)), sys.argv[1:]))
    except _USAGE_ERROR as error:
        code, fault, message = "usage", error, _usage(error)
    except OSError as error:  # a full disk, an output that takes nothing more, a folder that cannot be read
        either = error.filename is not None or error.errno == EIO  # a read that fails does not name its file
        place = ("input or output" if either else "output") if error.filename is None else str(error.filename)
        fails = "cannot be read or written" if either else "cannot be written"
        reason = f"{place}: {fails}: {error.strerror or error}."
        code, fault, message = "system", error, printable(without_place(reason))
    except MemoryError as error:
        reason = f"memory: too little for this command. {error}".rstrip()
        code, fault, message = "memory", error, printable(reason)
    else:
        raise SystemExit(exit_code if isinstance(exit_code, int) else 0)
    if message and asks_for_json():
        with suppress(OSError):
            put_fault(code, message, fault)
    if message:
        tell(message)
    raise SystemExit(FAULT)


def in_reach(message: str, arguments: list[str]) -> str:
    """Extend a message by the commands with an option that the current command lacks."""
    flags = set(FLAG.findall(message))
    command_name = " ".join(word for word in arguments[:2] if not word.startswith("-"))
    if not flags or not command_name:
        return message
    own_flags = options_of(arguments[0]).get(command_name, options_of(arguments[0]).get(arguments[0], set()))
    strange = sorted(flags - own_flags)
    having = {flag: [name for name in _ADVISED if flag in options_of(name).get(name, set())] for flag in strange}
    advice = [f"{flag}: halfpoint {', '.join(names)}" for flag, names in having.items() if names]
    return f"{message} ({'; '.join(advice)}.)" if advice else message


def options_of(name: str) -> dict[str, set[str]]:
    """The options of a command, or of each of its sub-commands, by their names."""
    if name not in COMMANDS:
        return {}
    command: Any = typer.main.get_command(application([name]))
    group = command.commands[name]
    parts = {f"{name} {key}": subcommand for key, subcommand in getattr(group, "commands", {}).items()} or {name: group}
    return {
        key: {word for parameter in part.params for word in (*parameter.opts, *parameter.secondary_opts)}
        for key, part in parts.items()
    }


def _usage(error: Any) -> str:
    """Usage error of a command as one line; empty if the help was printed instead."""
    text = re.sub(r"^Invalid value for '(-[^']+)'", r"\1", " ".join(error.format_message().split()))
    text = re.sub(r"^(?:-[\w-]+: Value error, (?=--)|(-[\w-]+: )Value error, )", r"\1", text)  # of typer's parsers
    if not text or not sys.argv[1:] or type(error).__name__ == "NoArgsIsHelpError":
        return ""
    command = f"{error.ctx.command_path} --help" if error.ctx is not None else "halfpoint --help"
    text = clip_text(text).rstrip(".")
    return printable(f"{text}{'' if text.endswith('?') else '.'} See {command}.")
