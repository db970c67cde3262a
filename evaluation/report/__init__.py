"""Pages that work offline: the report of a study and the explorer of one rating list."""
