"""Orders as unknowns: which order sets on this board, or on any, have two resolutions, none, or differ between rulebooks?"""
