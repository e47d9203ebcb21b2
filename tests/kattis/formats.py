"""The beginning of a problem.yaml of the new format."""

NEW = "problem_format_version: 2025-09\nname: n\n"
