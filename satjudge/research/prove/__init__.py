"""Lines of units that no enemy can break: proved to hold, broken by an attack, thinned out, repaired."""
