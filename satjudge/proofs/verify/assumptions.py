"""States the assumptions of certificates that are not proved in them; tests try each on many random boards."""

from __future__ import annotations

from collections.abc import Mapping

LEGALITY = "legality"
SIEGE = "siege"
ENEMIES = "enemies"
CONDITION = "condition"
SETTINGS = "settings"
RULINGS = "rulings"
CORES = "cores"

ASSUMPTIONS: Mapping[str, str] = {
    LEGALITY: "The orders and permissions of the position are those that count, and units are unsupportable just where they "
    "are told to be, after an illegal order to move or in civil disorder: which orders are legal is not proved (DATC 4.D.9, "
    "4.E; docs/reference/certificates.md)",
    SIEGE: "If foreign enemies with any legal orders can bring a unit into a province of a line whose units hold or support "
    "each other to hold, then the same or fewer units can do so with no other orders than moves by land or water into that "
    "province and into provinces whose units support the one there, and supports for moves into it by units in provinces that "
    "come later in the alphabet than the one where the move comes from (docs/background/lines.md)",
    ENEMIES: "There are no enemy units but those that the claim allows for. What the order sheet says of them is quoted, and "
    "not verified (docs/background/lines.md)",
    CONDITION: "Foreign enemies of any number can bring a unit into a province of a line whose units hold or support each "
    "other to hold just if some could move there and it has no unit, or if there are more of them than one and its supports: "
    "those who could move there by land or water, and of the others as many as could move into the provinces of different "
    "supporters (docs/background/lines.md, “The condition”)",
    SETTINGS: "Whatever the convoy orders of a board with legal orders are taken to be, available or disrupted, all other "
    "equations have a solution (docs/background/search.md, “What is true of every board”)",
    RULINGS: "What becomes of orders in the end satisfies all equations, and no moves fail that wait for each other round; or "
    "a paradox is ruled on: then the orders have no consistent resolution, or two that differ about a convoy that some move "
    "is ordered to take, and all equations are satisfied but those of convoys that fail, and under All Hold and the guide of "
    "1998 of moves that fail (docs/background/search.md, “Why each question is necessary”)",
    CORES: "A core has the shape of a name if it is the ring of links, or of moves, that has its name in docs/papers/cores.md: "
    "it has so many orders of different units, of these kinds, and where one looks at another there are values of the orders "
    "in the core for which its equation says otherwise once that one is otherwise, while all that is outside stays as it is",
}
"""The assumptions in sentences, by the word that certificates use."""
