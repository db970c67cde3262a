"""The page of a report: what a section says is on it, whatever the section is."""

import pytest
from markupsafe import Markup

from halfpoint.evaluation.report.page import SECTIONS, Report, ReportSection, report_page


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_warns_of_runs_that_did_not_converge_and_shows_its_markup(name):
    section = ReportSection(markup=Markup("<b>shown</b>"), warning="bt <did> NOT converge.", text=["said"])
    page = report_page(Report("games", False, {}, False, "1 of 1 runs did NOT converge", {name: section}))
    body = page[page.index(f'<section id="{name}"') :]
    assert '<p class="warning">bt &lt;did&gt; NOT converge.</p>' in body
    assert "<b>shown</b>" in body
    assert "<p>said</p>" in body
