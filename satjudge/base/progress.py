"""Names the variable of the environment by which commands are asked to report progress on standard error."""

PROGRESS = "SATJUDGE_PROGRESS"
"""The variable of the environment that holds a mark: commands then report progress on standard error as lines that begin
with the mark."""
