"""The `halfpoint` command: its sub-commands, and how a user's mistake is told."""

import ast
import os
import re
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from halfpoint.cli.surroundings import prepare, tell
from halfpoint.games.errors import HalfpointError, clipped, printable

COMPLETING = "_HALFPOINT_COMPLETE"  # set by the shell that asks for completions
USAGE_ERROR = cast(type[Exception], typer.BadParameter.__mro__[2])  # click's, or its copy within typer
COMMANDS = {  # name: where its function (or its own sub-commands) stands; only what is asked for is imported
    "study": "halfpoint.study.commands:study",
    "report": "halfpoint.study.commands:report_command",
    "rate": "halfpoint.cli.rate:rate",
    "leaderboard": "halfpoint.fields.arena.commands:leaderboard_command",
    "next": "halfpoint.fields.arena.commands:next_command",
    "sprt": "halfpoint.fields.arena.commands:sprt_command",
    "fit": "halfpoint.cli.fit:fit",
    "summary": "halfpoint.cli.answers:summary",
    "models": "halfpoint.cli.models:models",
    "mle": "halfpoint.cli.estimates:mle",
    "rank": "halfpoint.cli.answers:rank",
    "match": "halfpoint.cli.answers:match_command",
    "tournament": "halfpoint.cli.answers:tournament",
    "pair": "halfpoint.cli.answers:pair",
    "compare": "halfpoint.cli.answers:compare",
    "criteria": "halfpoint.study.commands:criteria",
    "forecast": "halfpoint.cli.forecasting:forecast_command",
    "simulate": "halfpoint.cli.simulate:simulate_command",
    "data": "halfpoint.cli.data:data_app",
    "backtest": "halfpoint.cli.backtest:backtest",
    "calibrate": "halfpoint.cli.calibrate:calibrate",
    "list": "halfpoint.fields.office.commands:list_command",
    "performance": "halfpoint.fields.office.commands:performance_command",
    "pool": "halfpoint.fields.office.commands:pool_command",
    "bridge": "halfpoint.fields.bridge.commands:bridge_app",
    "lineups": "halfpoint.fields.lineups.commands:lineups_command",
    "teams": "halfpoint.fields.lineups.commands:teams_command",
    "races": "halfpoint.fields.races.commands:races_app",
}


FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
ADVISED = ("rate", "fit", "leaderboard")  # where an option is that another command names


def print_version(wanted: bool) -> None:
    """Print the version and end, if that is asked for."""
    if wanted:
        typer.echo(f"halfpoint {version('halfpoint')}")
        raise typer.Exit


def application(arguments: list[str]) -> typer.Typer:
    """Return the application with the command asked for, or with the names and first lines of all for the help."""
    app = typer.Typer(
        help="Bayesian paired comparison: Bradley-Terry and Davidson models, judged by proper scores.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(options_of_all)  # keeps sub-commands even where only one is registered
    completing = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    if COMPLETING in os.environ:
        arguments = completing.split()[1:]
    asked = arguments[0] if arguments else ""
    if asked not in COMMANDS:
        for name in COMMANDS:
            app.command(name, help=summary_of(name))(lambda: None)  # is listed, and never called
        return app
    module, attribute = COMMANDS[asked].split(":")
    target = getattr(import_module(module), attribute)
    if isinstance(target, typer.Typer):
        app.add_typer(target, name=asked)
    else:
        app.command(asked)(target)
    return app


def options_of_all(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def summary_of(name: str) -> str:
    """Return what a command says of itself, read from its source: its module imports samplers, and takes seconds."""
    module, attribute = COMMANDS[name].split(":")
    spec = find_spec(module)
    path = Path(str(spec.origin if spec else ""))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return ast.get_docstring(node) or ""
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == attribute:
            options = node.value.keywords if isinstance(node.value, ast.Call) else []
            return next((str(ast.literal_eval(one.value)) for one in options if one.arg == "help"), "")
    return ""


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    try:
        prepare()
        code = application(sys.argv[1:])(standalone_mode=False)
    except HalfpointError as error:
        message = printable(in_reach(str(error), sys.argv[1:]))
    except USAGE_ERROR as error:
        message = usage(error)
    except OSError as error:  # a full disk, an output that takes nothing more, a folder that cannot be read
        place = "output" if error.filename is None else str(error.filename)
        message = printable(f"{place}: expected to read or write it, found {error.strerror or error}.")
    except MemoryError as error:
        message = printable(f"memory: expected room for what was asked, found none. {error}".rstrip())
    else:
        raise SystemExit(code if isinstance(code, int) else 0)
    if message:
        tell(message)
    raise SystemExit(2)


def in_reach(message: str, arguments: list[str]) -> str:
    """Return a message with the commands that have an option it names, where the command asked for has it not."""
    flags = set(FLAG.findall(message))
    asked = " ".join(word for word in arguments[:2] if not word.startswith("-"))
    if not flags or not asked:
        return message
    own = options_of(arguments[0]).get(asked, options_of(arguments[0]).get(arguments[0], set()))
    strange = sorted(flags - own)
    having = {flag: [name for name in ADVISED if flag in options_of(name).get(name, set())] for flag in strange}
    told = [f"{flag}: halfpoint {', '.join(names)}" for flag, names in having.items() if names]
    return f"{message} ({'; '.join(told)}.)" if told else message


def options_of(name: str) -> dict[str, set[str]]:
    """Return the options of a command, or of each of its sub-commands, by their names."""
    if name not in COMMANDS:
        return {}
    command: Any = typer.main.get_command(application([name]))
    found = command.commands[name]
    parts = {f"{name} {key}": one for key, one in getattr(found, "commands", {}).items()} or {name: found}
    return {
        key: {word for one in part.params for word in (*one.opts, *one.secondary_opts)} for key, part in parts.items()
    }


def usage(error: Any) -> str:
    """Return a fault in the words of a command as one line; empty where no word stands and the help was shown."""
    text = re.sub(r"^Invalid value for '(-[^']+)'", r"\1", " ".join(error.format_message().split()))
    if not text or not sys.argv[1:] or type(error).__name__ == "NoArgsIsHelpError":
        return ""
    command = f"{error.ctx.command_path} --help" if error.ctx is not None else "halfpoint --help"
    return printable(f"{clipped(text).rstrip('.')}. See {command}.")
