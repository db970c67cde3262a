"""`halfpoint mle`: the table on the terminal and in a file, and errors in one line."""

import json

import pandas as pd


def test_the_command_prints_the_table(halfpoint, tmp_path):
    rows = [("Det", "Bal", 1.0)] * 4 + [("Det", "Bal", 0.0)] * 3 + [("Bal", "Det", 1.0)] + [("Bal", "Det", 0.0)] * 5
    rows += [("Tor", "Bal", 1.0)] * 6 + [("Bal", "Tor", 1.0)] + [("Tor", "Det", 1.0), ("Det", "Tor", 1.0)] * 3
    pd.DataFrame(rows, columns=["home", "away", "score"]).to_csv(tmp_path / "baseball.csv", index=False)
    words = ("mle", tmp_path / "baseball.csv", "--model", "bt-common", "--reference", "bal")
    code, out, error = halfpoint(*words, "--out", tmp_path / "table.csv")
    assert (code, error) == (0, "")
    text = " ".join(out.split())
    assert "bt-common by maximum likelihood on 26 games" in text
    assert "3 parameters, AIC" in text
    assert "on 3 degrees of freedom" in text
    assert pd.read_csv(tmp_path / "table.csv")["name"].tolist()[:3] == ["Tor", "Det", "Bal"]
    code, _, error = halfpoint(*words[:-1], "nobody")
    assert (code, error.count("\n")) == (2, 1)


def test_two_players_have_no_quasi_errors_and_the_record_says_so(halfpoint, tmp_path):
    rows = [("Ann", "Bob", 1.0)] * 3 + [("Bob", "Ann", 1.0), ("Ann", "Bob", 0.5)]
    pd.DataFrame(rows, columns=["white", "black", "score"]).to_csv(tmp_path / "match.csv", index=False)
    code, out, error = halfpoint("mle", tmp_path / "match.csv", "--json")
    assert (code, error) == (0, "")
    assert json.loads(out)["quasi_worst"] is None
