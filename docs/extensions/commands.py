"""Write the reference of the commands from the commands themselves, before Sphinx reads its sources."""

import inspect

import typer.main
from generated_page import write_at_start

from halfpoint.apps.cli.app import COMMANDS, application, in_help


def commands():
    """Yield (words, command) of every command and sub-command, in the order of the help."""
    for name in sorted(COMMANDS, key=in_help):
        command = typer.main.get_command(application([name])).commands[name]
        below = getattr(command, "commands", None)
        if below is None:
            yield name, command
        else:
            for word, one in below.items():
                yield f"{name} {word}", one


def cell(text):
    """A text as a cell of a table."""
    return " ".join(str(text or "").split()).replace("|", "\\|")


def default_of(parameter):
    """Default as typed; empty without one."""
    value = parameter.default
    return "" if value is None or isinstance(value, bool) or callable(value) or value in ((), []) else f"`{value}`"


def section(name, command):
    """Section of one command."""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join(["halfpoint", name, *(f"{one.name.upper()}" for one in arguments), "[OPTIONS]"])
    lines = [f"## halfpoint {name}", "", inspect.cleandoc(command.help or ""), "", "```sh", usage, "```", ""]
    if arguments:
        lines += ["| argument | description |", "| --- | --- |"]
        lines += [f"| `{one.name.upper()}` | {cell(getattr(one, 'help', ''))} |" for one in arguments] + [""]
    if options:
        lines += ["| option | description | default |", "| --- | --- | --- |"]
        for one in options:
            words = ", ".join(f"`{word}`" for word in (*one.opts, *one.secondary_opts))
            lines.append(f"| {words} | {cell(one.help)} | {default_of(one)} |")
        lines.append("")
    return "\n".join(lines)


def page():
    """Page of all commands."""
    head = "# Commands\n\nMade from the commands themselves; `halfpoint COMMAND --help` prints the same.\n"
    return "\n".join([head, *(section(words, command) for words, command in commands())])


def setup(app):
    """Generate the page when the builder starts."""
    return write_at_start(app, "commands", page)
