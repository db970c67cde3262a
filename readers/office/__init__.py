"""Files of tournament offices: workbooks, cross-tables in text, reports to federations, games of go and draughts."""
