"""Types of the JSON records that commands print with `--json`; a build makes their JSON Schemas."""
