"""Names the arrays in the memory of the kernel, and their rows and columns.

The scratch matrix `at` holds one board at a time. Each of its rows has one fact about every place or every decision; -1 means
none, and flags are 0 or 1. It is a single matrix because compiled code passes one array quickly but many slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from satjudge.world.verdicts import Fate, OrderResult

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[numpy.int32]"
LongNumbers: TypeAlias = "NDArray[numpy.int64]"
Flags: TypeAlias = "NDArray[numpy.bool_]"

RESULTS: tuple[OrderResult, ...] = tuple(OrderResult)
"""The results of orders by number (`bulk.judge.Outcomes.results`)."""
FATES: tuple[Fate | None, ...] = (None, *Fate)
"""The fates of units by number; None at 0."""
MOST_BOARD_UNITS = 62
"""The largest number of units on a board, since a core is written as bits of one number."""

NONE = -1
MOVE, SUPPORT, CONVOY, HOLD = range(4)
"""The kinds of orders by number; each order of the first three kinds has a decision."""

# The status of a board: it waits; partial information settled it; its cores were settled, too; it is left to Python; its
# rulebook has no answer; the input has a mistake.
PENDING, SETTLED, WITH_CORES, LEFT, UNRESOLVED, MISTAKEN = range(6)

# Rows of places: facts for the equations, the unit there and the decision about it, and the place after the moves.
OWNER, STATE, COLUMN, MOVE_OUT, FIRST_MOVE_IN, FIRST_HOLD_SUPPORT, CONVOY_AT, UNSUPPORTABLE = range(8)
DECIDED, CONTESTED, OCCUPIED = range(8, 11)
OF_PLACES = 11
# Rows of decisions: facts for the equations (`satjudge.judging.equations.situation`), and other facts.
KIND, PLACE, DESTINATION, SUPPORTED, BY_LAND, VIA_CONVOY, SUPPORTS_HOLD, OF_FLEET, HELPS_FLEET, DIFFICULT = range(11, 21)
MATCH, OPPOSED, NEXT_MOVE_IN, FIRST_SUPPORT, NEXT_SUPPORT, FIRST_CONVOY, NEXT_CONVOY = range(21, 28)
# Whether the fleets that are ordered to convoy a move connect its coasts (all of them, or those of its power), and whether a
# route of these fleets leads through a fleet.
SAILS, SAILS_OWN, PASSES, PASSES_OWN = range(28, 32)
MIGHT_BE_CONVOYED, ORDER, READ, OPEN = range(32, 36)
# Values of each decision: its upper bound, its lower bound, and its value while a truth table is filled.
HIGHEST, LOWEST, TRIED = range(36, 39)
ROWS = 39
PITCH = 64
"""The number of places in memory for each column of the scratch matrix."""

# Columns of facts about an order: the place and number of the ordered unit, and those of the unit that it helps …
OWN_PLACE, OWN_UNIT, OTHER_PLACE, OTHER_UNIT = range(4)
# … when it is legal (if it helps a foreign unit, or one of the same power), and its full form …
LEGAL, LEGAL_OWN, IN_FULL = range(4, 7)
# … for an order in full form, the facts that `build_candidate_situation` gives its decision …
ORDER_KIND, ORDER_TARGET, ORDER_BY_LAND, ORDER_VIA, ORDER_SUPPORTS_HOLD, ORDER_MIGHT = range(7, 13)
ORDER_FLAGS, UNIT_AFTER = range(13, 15)
# … and whether it counts as a move if it is illegal, so that its unit cannot be supported in place (4.E.1).
COUNTS_AS_MOVE = 15
COLUMNS = 16
TEXT_BEGINS, TEXT_ENDS = ORDER_KIND, ORDER_TARGET
"""For an order that is in no table: the positions of its text in the line."""

# Facts about units and locations: a row for each fact, with a column for each unit or location by number.
PLACE_OF_UNIT, FLEET_BIT, FIRST_EXIT, EXIT, PLACE_OF_LOCATION = range(5)
# Facts about waters, as bits: the neighbours of each water, the waters at the coast of each place, the water of each place.
NEAR, SHORES, WATER_BIT = range(5, 8)
# Columns of questions about convoys (`ConvoyQuestion`), in places.
ASKED_FROM, ASKED_TO, ASKED_WITHOUT, ASKED_THROUGH = range(4)

# When an order is legal: one of these, or the number of a question about convoys.
ALWAYS, NEVER, PLAINLY, UNASKED, IMPOSSIBLE = range(-1, -6, -1)
"""When an order is legal. PLAINLY: Python must find out. IMPOSSIBLE: never for the units that it names."""

# Kinds of facts that the kernel can request: facts about an order; about an order for other units than it names; whether a
# support or convoy matches a move.
ENTRIES, ALIASES, LINKS = range(3)

ILLEGAL_MOVE, ILLEGAL, LEAVE, WANTED, NO_ANSWER, MISTAKE = range(-1, -7, -1)
"""Results in place of a number.

ILLEGAL_MOVE: an illegal order whose unit nevertheless cannot be supported in place (4.E.1). ILLEGAL: any other illegal order.
LEAVE: Python must judge. WANTED: facts are missing and have been requested. NO_ANSWER: the rulebook has no answer to a core.
MISTAKE: the input has a mistake.
"""
HELD = -10
"""The offset of holds: a hold has HELD minus the number of its order in place of a decision number."""

# Rows of results for each unit; rows of `bits` with the indices of open decisions in a search.
RESULT, FATE, ATTACKER, AFTER, COUNTED = range(5)
TOLD = 5
GRAPH, REACHED, FOUND, MEMBER, CHECKED, TRIES = range(6)
# In the search for a route: the next waters to try, the waters beyond them, and whether it has passed the fleet.
AHEAD, BEYOND, PASSED = range(3)
# Counters: dislodged units, cores, and requested facts.
LOST, CORES, WANTS = range(3)

MOST_OPEN = 60
"""The largest number of open decisions on a board with cores."""
MOST_INPUTS = 8
"""The largest number of open decisions that the equation of one of them reads."""
MOST_TRIES = 1 << 20
"""The largest number of draws for a unit; since a hold is always legal, only damaged tables can need more."""
MOST_STEPS = 20_000
"""The largest number of steps in the search for the resolutions of a core, or for a route."""
BY_CIRCLE, BY_PARADOX, BY_SUPPORTS, BY_FAILURE = range(4)
"""The backup rules by number (`satjudge.judging.backup`)."""

# ---- batch lines (`satjudge.bulk.kernel.lines`) ----

TEXTS, COMINGS = range(3, 5)
"""Other kinds of facts, for lines: the meaning of a text, and the meaning of a later phase's order for a unit."""
ODD, UNREADABLE, MISSING = -1, -1, -2
"""Results in place of a number. ODD: Python must answer. UNREADABLE: a text has no meaning. MISSING: it is not known yet."""
OF_KEYS, OF_PHASES, OF_POWERS, OF_UNITS, OF_LOCATIONS, OF_ORDERS, OF_RETREATS, OF_ADJUSTMENTS, OF_MAPS, OF_RULES = range(10)
"""The kinds of texts; the same text may mean something else as another kind, such as an order of another phase."""
KEY_ID, KEY_UNITS, KEY_ORDERS, KEY_PHASE, KEY_DISLODGED, KEY_CENTERS, KEY_MAP, KEY_RULES, KEY_OF, KEY_VICTORY = range(10)
OF_MOVEMENT, OF_RETREAT, OF_ADJUSTMENT = range(3)
"""The phases by number."""
# Rows of a request, for units, orders, dislodged units and centres: the number and the texts' count of each power; the number,
# power, first and last position of each text; and the counts of powers and texts.
GROUP_POWER, GROUP_SIZE, TEXT_NUMBER, TEXT_POWER, GROUPS, BEGINS, ENDS = range(7)
UNIT_ROWS, ORDER_ROWS, LOST_ROWS, CENTER_ROWS = 0, 7, 14, 21
# The position of each power's name in the line, and whether it is written; facts such as the number of powers, id and phase.
NAME, NAME_END, POWER_TOLD, ABOUT = range(28, 32)
ABOUT_POWERS, ABOUT_ID, ABOUT_ID_END, ABOUT_PHASE, ABOUT_SEVERAL = range(5)
# What the line asks for; the position where its answer begins; the first and last row of the units to write; whether powers are
# written with their names on the map; and the unit or place whose legal orders the line asks for.
ABOUT_ASKED, ABOUT_BEGUN, ABOUT_TOLD, ABOUT_TOLD_END, ABOUT_NEXT, ABOUT_OF, ABOUT_OF_END, ABOUT_VICTORY = range(5, 13)
ABOUT_NAMED, ABOUT_RENAMED = 13, 14
# The part of the line that is being read: the key, the index of the power below it, and the index of the text of that power.
AT_KEY, AT_GROUP, AT_INDEX, ABOUT_OF_ALL = range(15, 19)
TO_JUDGE, TO_PLAY = range(2)
"""The purpose of a line: to be judged (docs/reference/batch.md), or to get the next position or legal orders."""
NAMELESS = -2
"""The number of a unit that an order calls by a name that no unit has: by its place alone, or without its coast."""
MOST_IMPOSSIBLE = 400
"""The largest number of orders on a line that are in no table because nobody could carry them out."""
# The column of each order's unit, and the order's full form; for each place, the columns of its unit and its dislodged unit.
ORDER_COLUMN, FORM, SEAT, LOST_SEAT = range(32, 36)
# For each unit: the order that counts, its destination, whether it crosses a difficult border, and the unit afterwards.
COUNTING, GOING, YIELDING, ARRIVED = range(36, 40)
# The owner of each place, whether each unit is removed, the orders of an adjustment phase, and the powers to adjust.
OWNED_BY, GONE, DUTY, DUTY_PLACE, DONE, ACCOUNT = range(40, 46)
# Units to write, with their powers.
TOLD_UNIT, TOLD_POWER, OF_REQUEST = range(46, 49)
NO_FORM, DISBANDED = -1, -2
"""Meanings of an order in place of a location or full form. NO_FORM: it is illegal. DISBANDED: the unit is disbanded."""
ILLEGAL_FORM = -10
"""The offset of forms of illegal orders that count as moves."""
REJECTED = -2
"""The order of a unit that has several legal orders of which none counts."""
# Columns of facts about a later phase's order: its kind, the place of its unit, and the unit that it builds.
DUTY_KIND, DUTY_AT, DUTY_BUILDS, OF_DUTIES = range(4)
BUILD, REMOVE, DECLINE, RETREATS, NO_DUTY = range(5)
# Roles of a place for a power, as bits; the last row is for powers that are not on the map.
HOME, MATTERS, IS_CENTER = 1, 2, 4
# Choices of a rulebook, and facts of a map, by number.
SEVERAL_ORDERS, TOO_MANY_BUILDS, BUILDS_IN_ONE, TOO_MANY_REMOVALS, MAY_DECLINE, FROM_CENTERS, BUILDS_ANYWHERE = range(7)
NAMED_RULES, NAMES_IGNORED, COASTS_IGNORED, OF_CHOICES = 7, 8, 9, 10
"""Other choices: the number of the rulebook's name, or -1, and whether the rulebook ignores how units are named.

COASTS_IGNORED is whether it ignores coasts that do not exist.
"""
FIRST_COUNTS, LAST_COUNTS, NONE_COUNTS = range(3)
# The cause for which a line is left to Python (`satjudge.bulk.tables.learner`): one of these …
IN_NO_TABLE, NOT_AS_USUAL, UNKNOWN_KEY, TWICE, SPELT_OTHERWISE, NO_UNITS, NO_CENTERS, OF_ANOTHER_PHASE = range(8)
PHASE_BEHIND, UNKNOWN_PHASE, OTHER_TABLES, CANNOT_BE_READ, TOO_MANY, SHARED_PLACE, NO_WAY, NO_CENTER, TWO_OWNERS = range(8, 17)
TO_NO_UNIT, SEVERAL_LEFT, UNDECIDED, MUST_BUILD, WITHOUT_STEPS, NOTHING_OF_IT, NO_ROOM, UNKNOWN_POWER = range(17, 25)
# … and its place: the number of the key, the indices of the power and of its text, and the positions in the line.
CAUSE, CAUSE_KEY, CAUSE_GROUP, CAUSE_INDEX, CAUSE_BEGINS, CAUSE_ENDS, OF_CAUSE = range(7)
FAR = 1 << 20
"""The number of steps to a place that cannot be reached."""
TEXT_KEYS = (1 << 44) - 1
MOST_DIGITS = 15
"""The largest number of digits of an id that the kernel accepts."""
MOST_YEAR_DIGITS = 5
LONGEST_ORDER = 64
"""The largest number of bytes of an order with its quotes and comma."""
SPACE, TAB, FEED, RETURN, TILDE, ZERO, SLASH, DASH = 32, 9, 10, 13, 126, 48, 47, 45
LETTER_H = 72
LETTER_A, LETTER_C, LETTER_E, LETTER_F, LETTER_I, LETTER_M, LETTER_N, LETTER_R, LETTER_S, LETTER_V, LETTER_W = b"ACEFIMNRSVW"
QUOTE, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET = 34, 92, 58, 44, 123, 125, 91, 93
# Texts of answers by number: JSON between the values, then verdicts, and then units and locations.
SAY_ID, SAY_NO_ID, SAY_RESULTS, SAY_DISLODGED, SAY_UNITS, SAY_RESOLUTIONS, SAY_RULINGS, SAY_RULE, SAY_CORE, SAY_END = range(10)
SAY_ILLEGAL, SAY_SUCCEEDS, SAY_FAILS, SAY_AUTOMATIC, SAY_CLOSED, SAY_RULES = range(10, 16)
# For answers about games: JSON around the outcome, the next position, legal orders and full orders; then the powers.
SAY_JUDGED, SAY_NEXT, SAY_NEXT_UNITS, SAY_NEXT_CENTERS, SAY_NEXT_DISLODGED, SAY_NAMES = range(20, 26)
SAY_LEGAL, SAY_ORDERS, SAY_NULL = range(26, 29)
SAY_POWER, MOST_POWERS = 32, 128
SAY_WON = SAY_POWER + MOST_POWERS
SAY_VERDICT = SAY_WON + MOST_POWERS
FATES_OF_VERDICT = 3
MOST_VERDICTS = 64
SAY_UNIT = SAY_VERDICT + MOST_VERDICTS
MOST_UNIT_TEXTS = 1024
SAY_LOCATION = SAY_UNIT + MOST_UNIT_TEXTS

# ---- games (`satjudge.bulk.kernel.games`) ----

SLOTS, LISTED, MET, OF_COUNTERS = range(3, 7)
"""Other counters: slots (units or sites that can get an order), listed orders, and impossible orders on the line."""
PHASE, YEAR, FALL, ENDED, WINNER, OF_MOMENT = range(6)
"""The state of a game: its phase by number, the year, whether it is Fall, whether and how it ended, and who won."""
GOES_ON, IN_VICTORY, IN_DRAW = range(3)
SLOT_GAME, SLOT_COLUMN, SLOT_POWER, SLOT_PLACE, SLOT_FIRST, OF_SLOT = range(6)
"""The facts about a slot: game, column of its order, power, province, and the index of its first legal order."""
MOST_LISTED = 1 << 17
"""The number of listed orders for which there must be room before a game is listed."""
CONVOYS, HELPS = 1, 2
"""Two numbers for each unit and each unit that it can help: the indices of the first support and of the first convoy."""
CANDIDATE, BY_SEA_TO = range(2)
"""Rows of orders by the unit that they help: the number, and the place to which an army can go only by sea, or -1."""
# Rows with later orders: by unit, by index of an exit, by province (the first build), all builds by province, by unit.
DISBAND_UNIT, RETREAT_TO, FIRST_BUILD, BUILD_UNIT, REMOVE_UNIT = range(5)
FIRST_DUTY, NEEDED, USUAL, FIRST_YEAR, LEASTS = range(5)
"""The number of the first later order; the centres that win here, and by the map; and the year in which games begin.

After them, the number of centres with which each power wins, or -1.
"""
NEEDED_TO_WIN = 8
"""Another role of a place (see `HOME`): a winner must own it."""


class Array(NamedTuple):
    """The type of an array's elements, by name, and its number of dimensions."""

    elements: str
    dimensions: int


_TABLE, _NUMBERS, _FLAGS = Array("int64", 2), Array("int32", 2), Array("bool", 2)
_BYTES = Array("uint8", 1)
ARRAYS: dict[str, Array] = {
    # Facts about a map under a rulebook (`satjudge.bulk.tables.order_facts`); `table` is any of the hash tables.
    "spots": _TABLE, "entries": _NUMBERS, "questions": _NUMBERS,
    "aliases": _TABLE, "links": _TABLE,
    # Boards and their outcomes (`satjudge.bulk.judge.Outcomes`).
    "units": _NUMBERS, "powers": _NUMBERS, "orders": _NUMBERS, "status": Array("int8", 1), "told": Array("int32", 3),
    "contested": _FLAGS, "seeds": Array("int64", 1),
    "resolutions": Array("int64", 1), "dislodged": _NUMBERS, "retreats": _FLAGS, "cores": _TABLE,
    "wanted": _TABLE, "counters": Array("int64", 1),
    # The scratch matrix, which is stored column by column as one row of numbers, and the truth tables of a core.
    "at": Array("int32", 1), "inputs": _NUMBERS, "tables": Array("int8", 2), "bits": _TABLE,
    # A line and its answer; the meanings of texts, and their bytes; the texts of answers, and the start of each; the locations
    # sorted by their texts; and the rows of a request.
    "line": _BYTES, "written": _BYTES, "texts": _TABLE, "pool": _BYTES, "said": _BYTES, "said_from": Array("int32", 1),
    "ranked": Array("int32", 1), "request": _NUMBERS, "cause": Array("int64", 1), "named_from": Array("int32", 1),
    # Orders of later phases, and the meaning of each for a unit; the roles of places for powers, the steps from home or from a
    # centre to each unit, the ranks of places by name; and the choices of the rulebook.
    "duties": _NUMBERS, "comings": _TABLE, "of_powers": _NUMBERS, "away": _NUMBERS, "alphabet": Array("int32", 1),
    "choices": Array("int32", 1), "impossible": Array("int8", 2),
    # Games: the owner of each province, the units that must retreat and their open exits, the units after the moves, and the
    # state of each game; the legal orders by slot, the orders given, and the builds due.
    "owners": _NUMBERS, "lost_units": _NUMBERS, "lost_powers": _NUMBERS, "ways_out": _TABLE, "arrived": _NUMBERS,
    "moments": _NUMBERS, "listing": Array("int32", 1), "slot_list": _NUMBERS, "asked": _NUMBERS, "due": _NUMBERS,
    # Orders by the unit that they help, and those of later phases; the waters that could carry armies; the conditions to win.
    "first_help": _NUMBERS, "helping": _NUMBERS, "later_orders": _NUMBERS, "reaches": Array("int64", 1),
    "aims": Array("int32", 1),
}  # fmt: skip
"""The types of all arrays that kernel functions use by name; a name means the same array in every function."""
LENGTHS = 3
"""The largest number of dimensions of an array. In memory, a descriptor has its address and three lengths, of 32 bits each."""
_ROW = Array("int32", 1)
HANDED: dict[str, Array] = {
    "table": _TABLE, "source": _BYTES, "places": _ROW, "forms": _ROW, "going": _ROW, "yielding": _ROW, "kind_of": _ROW,
    "place_of": _ROW, "turn_of": _ROW,
}  # fmt: skip
"""The types of arrays, or rows of them, that functions take as parameters: any hash table, for instance."""


MEMORY: dict[str, Array] = {
    "memory_8": _BYTES, "memory_32": _ROW, "memory_64": Array("int64", 1),
}  # fmt: skip
"""The whole memory of the kernel as arrays."""
# For setting up arrays (`satjudge.bulk.kernel.setup`): the mark at the beginning of a table file's contents, the size of their
# head and of the descriptors; the kinds of setup steps; the size of a step, and the bytes of a long number.
CONTENTS, CONTENTS_HEAD, OF_DESCRIPTORS = 0x746A7331, 4, 4 * len(ARRAYS)
PACKED, BYTES, TABLE, OF_TEXTS = range(4)
STEP, LONG = 8, 8


def slot_of(key: int, mask: int) -> int:
    """Return the slot at which the search for a key begins in a hash table with `mask` + 1 slots."""
    return (key ^ (key >> 15) ^ (key >> 31) ^ (key >> 47)) & mask


def mixed_in(key: int, byte: int) -> int:
    """Return the key of a text extended by one byte, given the key of the text before it.

    The complete key is combined with TEXT_KEYS by `&`.
    """
    return key * 1031 + byte
