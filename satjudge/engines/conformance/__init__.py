"""A fixed set of positions that tells engines apart (the kit), and how an engine does on it."""
