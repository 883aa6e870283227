"""Independent adjudicators that the answers of satjudge are compared with."""
