"""How work is shared out: processes and clusters, counts in chunks with checkpoints, interrupts, and what is told once."""
