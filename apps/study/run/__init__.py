"""The main job: sets of games, test sets, tables, checks and figures of a run of the study."""
