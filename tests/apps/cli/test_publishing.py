"""Guide to publishing: its settings, workflow and command are valid."""

import re
from pathlib import Path

import typer
import yaml

from halfpoint.apps.cli.app import application
from halfpoint.apps.fields.site.settings import _EXPECTED, _READER, KINDS, read_settings

TEXT = (Path(__file__).parents[3] / "docs/publishing.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_settings_of_the_guide_are_read(tmp_path):
    for name in ("season-2024.csv", "season-2025.csv", "fixtures.csv"):
        (tmp_path / name).write_text("")
    (tmp_path / "league.toml").write_text(blocks("toml")[0], encoding="utf-8")
    settings = read_settings(tmp_path / "league.toml")
    assert settings.source.zones == {"Champions League": (1, 4), "relegation": (18, 20)}
    assert (settings.kind, settings.address) == ("league", "https://club.example/")


def test_every_setting_and_kind_is_in_the_guide():
    rows = re.findall(r"(?m)^\| ((?:`\w+`(?:, )?)+) \|", TEXT)
    named = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert {*_EXPECTED, *_READER} - {"title", "better", "rope"} <= named
    assert all(f"`{kind}`" in TEXT for kind in KINDS)


def test_the_workflow_has_jobs_with_steps_and_a_command_that_exists():
    workflow = yaml.safe_load(blocks("yaml")[0])
    assert workflow[True].keys() == {"schedule", "push", "workflow_dispatch"}  # YAML reads `on` as true
    assert workflow["permissions"] == {"contents": "write", "pages": "write", "id-token": "write"}
    steps = workflow["jobs"]["site"]["steps"]
    assert all("uses" in step or "run" in step for step in steps)
    words = next(step["run"].split() for step in steps if step.get("run", "").startswith("halfpoint"))
    command = typer.main.get_command(application(["site"])).commands["site"]
    known = {option for one in command.params for option in one.opts}
    assert {word for word in words if word.startswith("-")} <= known
