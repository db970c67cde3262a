"""Claims and their evidence: each claim holds, falls or is undecided in each edition, with the reason.

A piece of evidence is a difference d with a standard error s, oriented so that a negative d supports the claim. It is
decisive if |d| > 2 s. In one edition a claim holds if decisive evidence is for it and none against it, falls if
decisive evidence is against it and none for it, and is undecided otherwise. A claim about every model, or about the
best model, falls with the first decisive evidence against it. The verdict on the claim is that of the corrected
edition, or of the last available edition.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from math import isnan
from typing import Literal

import pandas as pd

from halfpoint.apps.study.judged_sets import JudgedSet, difference
from halfpoint.models.declaration.catalogue import EDITIONS

Ruling = Literal["holds", "falls", "undecided"]
_SETS = ("A", "A-classical", "A-rapid", "B", "B-classical", "B-rapid")
_DECISIVE = 2.0  # standard errors


@dataclass(frozen=True)
class Evidence:
    """One comparison."""

    edition: str  # computed, described, corrected, or "data" where no model is involved
    on: str  # games it is made on
    measure: str  # the compared quantity, with its unit
    compared: str  # "first against second"
    difference: float  # negative speaks for the claim
    standard_error: float

    @property
    def speaks(self) -> Literal["for", "against", "neither"]:
        """Direction of the evidence."""
        if isnan(self.difference) or abs(self.difference) <= _DECISIVE * self.standard_error:
            return "neither"
        return "for" if self.difference < 0 else "against"


@dataclass(frozen=True)
class Claim:
    """A conclusion of the study."""

    name: str
    statement: str  # the conclusion in one sentence
    place: str  # where the study draws it
    evidence: Sequence[Evidence] = field(default_factory=tuple)  # comparisons under all editions
    note: str = ""  # remark beside the numbers
    of_all: bool = False  # the claim is about every comparison, so one that speaks against it is enough

    def counts(self, edition: str) -> tuple[int, int, int]:
        """Number of comparisons for, against and neither, including comparisons of the data alone."""
        sides = [comparison.speaks for comparison in self.evidence if comparison.edition in (edition, "data")]
        return sides.count("for"), sides.count("against"), sides.count("neither")

    def ruling(self, edition: str) -> Ruling:
        """The ruling in one edition."""
        speak_for, against, _ = self.counts(edition)
        if speak_for and not against:
            return "holds"
        return "falls" if against and (self.of_all or not speak_for) else "undecided"

    @property
    def editions(self) -> list[str]:
        """Editions that have evidence, in order."""
        present = {comparison.edition for comparison in self.evidence}
        return [edition for edition in EDITIONS if edition in present] or (["data"] if present else [])

    @property
    def verdict(self) -> Ruling:
        """Ruling in the corrected edition, or the last available one."""
        return self.ruling(self.editions[-1]) if self.editions else "undecided"

    @property
    def why(self) -> str:
        """Explain the verdict: the rulings of the editions and the clearest evidence of the last edition."""
        if not self.editions:
            return "no evidence: the models were not sampled in this run"
        words = "{} {} ({} for, {} against, {} undecided)"
        text = "; ".join(
            words.format(edition, self.ruling(edition), *self.counts(edition)) for edition in self.editions
        )
        last = [comparison for comparison in self.evidence if comparison.edition in (self.editions[-1], "data")]
        clear = [
            comparison for comparison in last if comparison.standard_error > 0 and not isnan(comparison.difference)
        ]
        if self.ruling(self.editions[-1]) == "falls":
            clear = [comparison for comparison in clear if comparison.speaks == "against"]
        if clear:
            clearest = max(clear, key=lambda comparison: abs(comparison.difference) / comparison.standard_error)
            text += (
                f". Clearest: {clearest.compared} on {clearest.on}, {clearest.measure} {clearest.difference:+.4g} "
                f"(standard error {clearest.standard_error:.2g})"
            )
        return f"{text}. {self.note}".strip() if self.note else text


def find_line(lines: Sequence[JudgedSet], name: str, edition: str, data: str) -> JudgedSet | None:
    """Plain forecast of a model: no imputation or zero, no anchors or anchors of the December list."""
    matching = (line for line in lines if (line.name, line.edition, line.set) == (name, edition, data))
    return next(
        (line for line in matching if line.imputation in ("none", "zero") and line.anchors in ("none", "list")), None
    )


def paired_scores(
    lines: Sequence[JudgedSet], first: tuple[str, str], second: tuple[str, str], data: str, score: str, edition: str
) -> Evidence | None:
    """Paired difference of two forecasts, (name, edition) each, on a set; None if one is missing.

    -2 lpd is summed over the games; other scores are means.
    """
    first_line, second_line = (find_line(lines, name, source, data) for name, source in (first, second))
    if (
        first_line is None
        or second_line is None
        or score not in first_line.per_game
        or score not in second_line.per_game
    ):
        return None
    measure = {"neg2_lpd": "deviance (-2 lpd)", "deviance_score": "binomial deviance"}.get(score, score)
    return Evidence(
        edition, data, measure, f"{first[0]} against {second[0]}", *difference(first_line, second_line, score)
    )


def over_sets(
    lines: Sequence[JudgedSet], pairs: Sequence[tuple[str, str]], score: str = "neg2_lpd", reference: bool = False
) -> list[Evidence]:
    """Paired differences of pairs of models (or of a model and a reference) on all sets and editions."""
    comparisons = (
        paired_scores(lines, (first, edition), (second, "reference" if reference else edition), data, score, edition)
        for edition, (first, second), data in product(EDITIONS, pairs, _SETS)
    )
    return [comparison for comparison in comparisons if comparison is not None]


def evidence_table(claims: Sequence[Claim]) -> pd.DataFrame:
    """Table of all evidence, one comparison a row."""
    rows = [
        {"claim": claim.name, **asdict(comparison), "speaks": comparison.speaks}
        for claim in claims
        for comparison in claim.evidence
    ]
    names = ["claim", "edition", "on", "measure", "compared", "difference", "standard_error", "speaks"]
    return pd.DataFrame(rows, columns=names)


def claims_table(claims: Sequence[Claim]) -> pd.DataFrame:
    """Table of claims: statement, place, the ruling of each edition, verdict and why."""
    rows = [
        {"claim": claim.name, "statement": claim.statement, "place": claim.place}
        | {edition: claim.ruling(edition) if edition in claim.editions else "" for edition in EDITIONS}
        | {"verdict": claim.verdict, "why": claim.why}
        for claim in claims
    ]
    return pd.DataFrame(rows, columns=["claim", "statement", "place", *EDITIONS, "verdict", "why"])
