"""How work is shared out: processes and clusters, counts in chunks with checkpoints, interrupts, and what is told once."""

PROGRESS = "SATJUDGE_PROGRESS"
"""Where this is set in the environment, commands tell their progress as lines on standard error that begin with it."""
