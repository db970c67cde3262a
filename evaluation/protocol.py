"""Preregistered choices: the models to score are recorded with a hash, or the test set is refused.

A user who tries many models on the same games finds a model that fits their noise. So a model is chosen on earlier
games, the choice is written to a file with its hash and committed, and only then are the later games read, once. The
file describes the model in full, by its parts and priors, so that a model changed afterwards is not the model chosen.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.declaration.record import record_of
from halfpoint.models.games.atomic_write import read_json, write_json
from halfpoint.models.language.model import Model

_KIND = "halfpoint-choice-1"


# Hashes of the records of rows of the catalogue by the parts that models had before they were functions. A name of the
# catalogue keeps its log density, so today's row is the chosen model.
_BY_PARTS = {
    "listed": "9d2bedda857b0c14655f9dd8a1a0b10ea98503c61c3b7bbaae396987c6ed06e0",
    "listed-draws": "e449672ef817352a06acfaeb5e61c6bdcd95a99d152dc169221bca21599a484a",
    "listed-full": "e21d6a05b006a84efa4890521b55d620e3d76f5c97bcccbc437ec67d59926a39",
}


def _digest(content: Mapping[str, object]) -> str:
    """Hash of a choice: its numbers and texts in the order of their names."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _plain_record(model: Model) -> Any:
    """Record of a model after a round trip through JSON."""
    return json.loads(json.dumps(record_of(model)))


def _is_chosen(model: Model, recorded: Mapping[str, object]) -> bool:
    """True if a model is the recorded one."""
    record = _plain_record(model)
    if _BY_PARTS.get(model.name) == _digest(recorded):
        return bool(record["function"] == {"place": "catalogue"})
    return _holds(record, recorded)


def _holds(current: object, recorded: object) -> bool:
    """True if all recorded values are unchanged; new parts of the language are ignored."""
    if isinstance(recorded, Mapping):
        return isinstance(current, Mapping) and all(
            key in current and _holds(current[key], value) for key, value in recorded.items()
        )
    return bool(current == recorded)


@dataclass(frozen=True)
class Choice:
    """Choice of models, made on some games, to be scored on other games."""

    # primary: name of the model that the answer is about; models: the record of each by name; method; selection and
    # test: name and SHA-256 of the file of games, first and last period; tried: how many variants; found: scores on the
    # selection's games
    content: Mapping[str, Any]
    sha256: str  # hash of the content

    @classmethod
    def of(cls, models: Mapping[str, Model], primary: str, **about: object) -> Self:
        """Choice of models, with further data to record."""
        if primary not in models:
            raise EvaluationError("choice", f"one of {', '.join(models)}", repr(primary))
        records = {name: _plain_record(model) for name, model in models.items()}
        content = {"kind": _KIND, "primary": primary, "models": records, **about}
        return cls(content, _digest(content))

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read the choice in a file."""
        expected = "a choice written and committed before the test set is scored"
        try:
            saved = read_json(Path(path))
            content, sha256 = dict(saved["choice"]), str(saved["sha256"])
        except FileNotFoundError:
            raise EvaluationError(str(path), expected, "no such file", "Choose on the earlier games first.") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EvaluationError(str(path), expected, f"a file that cannot be read ({error})") from error
        if content.get("kind") != _KIND or _digest(content) != sha256:
            raise EvaluationError(str(path), expected, "a file changed after its hash was made")
        return cls(content, sha256)

    def write(self, path: str | Path) -> Path:
        """Write the choice with its hash."""
        if Path(path).exists() and self.from_file(path).sha256 != self.sha256:
            raise EvaluationError(
                str(path), "no choice yet, or the same choice", "a different choice", "Keep the first choice."
            )
        write_json({"choice": dict(self.content), "sha256": self.sha256}, Path(path))
        return Path(path)

    def require(self, model: Model, test_sha256: str) -> None:
        """Refuse to score other models than the chosen ones, or games other than the test set."""
        chosen = self.content["models"].get(model.name)
        place = f"choice {self.sha256[:12]}"
        if chosen is None:
            raise EvaluationError(place, f"one of {', '.join(self.content['models'])}", repr(model.name))
        if not _is_chosen(model, chosen):
            raise EvaluationError(place, f"{model.name} as chosen", "a different function or different priors")
        if str(self.content["test"]["sha256"]) != test_sha256:
            raise EvaluationError(place, "the games named in the choice", "different games")


def choice_file(name: str = "beat-the-list") -> Path:
    """File of a choice that ships with halfpoint; it may be missing."""
    return Path(str(files("halfpoint.evaluation").joinpath("choices", f"{name}.json")))
