"""The `halfpoint` command: its sub-commands, and one line for each user error."""

import ast
import os
import re
import sys
from contextlib import nullcontext, suppress
from errno import EIO
from importlib.metadata import version
from typing import Annotated, Any, cast

import typer

from halfpoint.apps.cli.remembered import HELP, application_of, help_of, recall, remember
from halfpoint.apps.cli.scripting import FAULT, asks_for_json, code_of, put_fault, without_place
from halfpoint.apps.cli.surroundings import prepare, tell
from halfpoint.models.games.errors import HalfpointError, clip_text, printable
from halfpoint.models.games.lazy_import import left_out
from halfpoint.models.games.plugins import Installed, PluginError, is_extended, source_of

_COMPLETING = "_HALFPOINT_COMPLETE"  # set by a shell that requests completions
_USAGE_ERROR = cast(type[Exception], typer.BadParameter.__mro__[2])  # click's, or its copy within typer
COMMANDS = Installed("halfpoint.commands")  # by name: a function or its own sub-commands; imported when asked for
PANELS = ("Rate and list", "Ask", "Plan", "Judge", "Research")  # of the help, in this order
FRONT = ("rate", "forecast", "list", "leaderboard", "backtest", "site")  # in the help without --all, in this order
_OTHERS, _LATER = "Others", 9  # the panel, and the place in one, of commands that name none
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
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
    """Application with the requested command, or with names and first lines of all commands for the help."""
    lists_all = "--all" in arguments or _COMPLETING in os.environ
    app = typer.Typer(
        help="Bayesian paired comparison: Bradley-Terry and Davidson models, judged by proper scores.",
        epilog=None if lists_all else f"halfpoint --help --all lists all {len(COMMANDS)} commands.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
        pretty_exceptions_enable=False,
    )
    app.callback()(_options_of_all)  # keeps sub-commands even where only one is registered
    completing = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    if _COMPLETING in os.environ:
        arguments = completing.split()[1:]
    command_name = arguments[0] if arguments else ""
    if command_name not in COMMANDS:
        front = [name for name in FRONT if name in COMMANDS]  # those of fields may not be installed
        for panel, _, name, text in sorted(map(in_help, COMMANDS)) if lists_all else map(in_help, front):
            shown = (*PANELS, _OTHERS)[panel] if lists_all else "Commands"
            app.command(name, help=text, rich_help_panel=shown)(lambda: None)  # is never called
        for name in () if lists_all else COMMANDS.keys() - {*FRONT}:
            app.command(name, hidden=True)(lambda: None)  # for "Did you mean"
        return app
    if _COMPLETING in os.environ and (remembered := recall(command_name)):
        return application_of(command_name, remembered)
    target = COMMANDS[command_name]
    if isinstance(target, typer.Typer):
        app.add_typer(target, name=command_name)
    else:
        app.command(command_name)(target)
    if _COMPLETING in os.environ:
        group: Any = typer.main.get_command(app)
        return application_of(command_name, remember(command_name, group.commands[command_name]))
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
    """Panel, place, name and words of a command, read from its source: importing samplers takes seconds."""
    try:
        entry = COMMANDS.entry(name)
        body = ast.parse(source_of(entry)).body
    except (PluginError, SyntaxError) as error:
        return len(PANELS), _LATER, name, str(error)
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == entry.attr:
            return *_panel_of(node.decorator_list), name, ast.get_docstring(node) or ""
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == entry.attr:
            words = [word.value for word in getattr(node.value, "keywords", ()) if word.arg == "help"]
            return *_panel_of([node.value]), name, next((str(ast.literal_eval(word)) for word in words), "")
    return len(PANELS), _LATER, name, ""


def _panel_of(calls: list[ast.expr]) -> tuple[int, int]:
    """Number of the panel that decorators or an application name, and a place in it: `@command("Ask", 1)`."""
    values = [node.value for call in calls for node in ast.walk(call) if isinstance(node, ast.Constant)]
    panel = next((PANELS.index(str(value)) for value in values if value in PANELS), len(PANELS))
    return panel, next((value for value in values if type(value) is int), _LATER)


def _run(words: list[str]) -> Any:
    """Run a command and return its exit code, if it has one; remembered help is printed."""
    if not words or words[0] not in COMMANDS or _COMPLETING in os.environ:
        return application(words)(standalone_mode=False)
    if {*HELP} & {*words}:

        def make_help() -> Any:
            command: Any = typer.main.get_command(application(words))
            with suppress(SystemExit):
                command(words, standalone_mode=False)
            return command.commands[words[0]]

        typer.echo(help_of(words, make_help), nl=False)
        return 0
    command: Any = typer.main.get_command(application(words))
    code = command(words, standalone_mode=False)
    remember(words[0], command.commands[words[0]])
    return code


def main() -> None:
    """Run the command line; a user error is one line on stderr and exit code 2."""
    fault: Exception
    try:
        prepare()
        foreign = is_extended() or any(".py" in word for word in sys.argv[1:])  # which may import what it likes
        foreign |= "xarray" in sys.modules  # which has looked for Dask already
        with nullcontext() if foreign else left_out("dask"):  # xarray imports it wherever it is installed: .6 CPU s
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
