"""Names the arrays in the memory of the kernel, and their rows and columns.

The scratch matrix `at` holds one board at a time: a row says one thing about all its places or decisions, -1 stands for none,
and flags are 0 or 1. It is one matrix because compiled code passes one quickly and many slowly.
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
"""The kinds of orders by number; the first three pose a decision."""

# What became of a board: it waits; partial information settled it; cores were settled too; it is the plain path's; its rulebook
# has no answer; a mistake in the input.
PENDING, SETTLED, WITH_CORES, LEFT, UNRESOLVED, MISTAKEN = range(6)

# Rows of places: what the equations read, the unit there and the decision about it, and what came of it.
OWNER, STATE, COLUMN, MOVE_OUT, FIRST_MOVE_IN, FIRST_HOLD_SUPPORT, CONVOY_AT, UNSUPPORTABLE = range(8)
DECIDED, CONTESTED, OCCUPIED = range(8, 11)
OF_PLACES = 11
# Rows of decisions: what the equations read (`satjudge.judging.equations.situation`), and what they say besides.
KIND, PLACE, DESTINATION, SUPPORTED, BY_LAND, VIA_CONVOY, SUPPORTS_HOLD, OF_FLEET, HELPS_FLEET, DIFFICULT = range(11, 21)
MATCH, OPPOSED, NEXT_MOVE_IN, FIRST_SUPPORT, NEXT_SUPPORT, FIRST_CONVOY, NEXT_CONVOY = range(21, 28)
# Whether the fleets that are ordered to convoy a move connect its coasts, or those of its power; whether a route of these leads
# through a fleet.
SAILS, SAILS_OWN, PASSES, PASSES_OWN = range(28, 32)
MIGHT_BE_CONVOYED, ORDER, READ, OPEN = range(32, 36)
# The views of the equations: each decision as the optimist, the pessimist and a truth table have it.
HIGHEST, LOWEST, TRIED = range(36, 39)
ROWS = 39
PITCH = 64
"""The number of places in memory for each column of the scratch matrix."""

# Columns of what is known of an order: where the unit that is ordered stands, and the one that it helps …
OWN_PLACE, OWN_UNIT, OTHER_PLACE, OTHER_UNIT = range(4)
# … when it is legal, by whether a foreign unit is helped or one of the same power, and how it then reads in full …
LEGAL, LEGAL_OWN, IN_FULL = range(4, 7)
# … and, of an order in full, what `build_candidate_situation` makes of it.
ORDER_KIND, ORDER_TARGET, ORDER_BY_LAND, ORDER_VIA, ORDER_SUPPORTS_HOLD, ORDER_MIGHT = range(7, 13)
ORDER_FLAGS, UNIT_AFTER = range(13, 15)
# … and whether it keeps its unit from being supported in place where it is illegal (4.E.1).
COUNTS_AS_MOVE = 15
COLUMNS = 16
TEXT_BEGINS, TEXT_ENDS = ORDER_KIND, ORDER_TARGET
"""Of an order that is in no table: where its text is in the line."""

# What is known of units and locations: a row for each of these, with the units or locations in their order.
PLACE_OF_UNIT, FLEET_BIT, FIRST_EXIT, EXIT, PLACE_OF_LOCATION = range(5)
# Waters are numbers, sets of them bits: what each touches; what touches the coast of a place; the water of a place.
NEAR, SHORES, WATER_BIT = range(5, 8)
# Columns of questions about convoys (`ConvoyQuestion`), in places.
ASKED_FROM, ASKED_TO, ASKED_WITHOUT, ASKED_THROUGH = range(4)

# When an order is legal: these, or the number of a question about convoys.
ALWAYS, NEVER, PLAINLY, UNASKED, IMPOSSIBLE = range(-1, -6, -1)
"""When an order is legal; PLAINLY leaves the question to the plain path, IMPOSSIBLE is never to the units that it names."""

# What compiled functions miss: what is known of an order; of an order to other units than it names; whether a support or convoy
# matches a move.
ENTRIES, ALIASES, LINKS = range(3)

ILLEGAL_MOVE, ILLEGAL, LEAVE, WANTED, NO_ANSWER, MISTAKE = range(-1, -7, -1)
"""Results in place of a number.

ILLEGAL_MOVE: an order that does not count, but keeps its unit from being supported in place (4.E.1). ILLEGAL: another order
that does not count. LEAVE: a board for the plain path. WANTED: facts are missing and asked first. NO_ANSWER: a core that the
rulebook has no answer to. MISTAKE: a mistake in the input.
"""
HELD = -10
"""The offset of a hold: HELD less the number of the order stands in place of the number of a decision."""

# What is told of each unit, and the rows of the numbers of open decisions in a search.
RESULT, FATE, ATTACKER, AFTER, COUNTED = range(5)
TOLD = 5
GRAPH, REACHED, FOUND, MEMBER, CHECKED, TRIES = range(6)
# In the search for a route: where it may go on, what lies beyond, and whether it has passed the fleet in question.
AHEAD, BEYOND, PASSED = range(3)
# Counters: units that were dislodged, cores, and what is wanted.
LOST, CORES, WANTS = range(3)

MOST_OPEN = 60
"""The largest number of open decisions on a board with cores."""
MOST_INPUTS = 8
"""The largest number of open decisions that the equation of one of them reads."""
MOST_TRIES = 1 << 20
"""The most orders that are tried for a unit; a hold is legal, so that more are not thinkable but for damaged tables."""
MOST_STEPS = 20_000
"""The largest number of steps in the search for the resolutions of a core, or for a route."""
BY_CIRCLE, BY_PARADOX, BY_SUPPORTS, BY_FAILURE = range(4)
"""The backup rules by number (`satjudge.judging.backup`)."""

# ---- batch lines (`satjudge.bulk.kernel.lines`) ----

TEXTS, COMINGS = range(3, 5)
"""What is missed besides, of a line: the meaning of a text, and what an order of a later phase comes to for a unit."""
ODD, UNREADABLE, MISSING = -1, -1, -2
"""Results in place of a number: of a line for the plain path; of a text without a meaning, or one that is not known yet."""
OF_KEYS, OF_PHASES, OF_POWERS, OF_UNITS, OF_LOCATIONS, OF_ORDERS, OF_RETREATS, OF_ADJUSTMENTS, OF_MAPS, OF_RULES = range(10)
"""The kinds of texts, which mean different things: those of the orders of each phase, the name of the map, of the rulebook."""
KEY_ID, KEY_UNITS, KEY_ORDERS, KEY_PHASE, KEY_DISLODGED, KEY_CENTERS, KEY_MAP, KEY_RULES, KEY_OF, KEY_VICTORY = range(10)
OF_MOVEMENT, OF_RETREAT, OF_ADJUSTMENT = range(3)
"""The phases by number."""
# Rows of a request: of each power that has units, orders, dislodged units or centres, its number and how many texts it has; of
# each text, its number, that of its power, and where it begins and ends in the line; and how many of both there are.
GROUP_POWER, GROUP_SIZE, TEXT_NUMBER, TEXT_POWER, GROUPS, BEGINS, ENDS = range(7)
UNIT_ROWS, ORDER_ROWS, LOST_ROWS, CENTER_ROWS = 0, 7, 14, 21
# Where each power's name stands in the line, and whether it was told; how many powers there can be, the id, and the phase.
NAME, NAME_END, POWER_TOLD, ABOUT = range(28, 32)
ABOUT_POWERS, ABOUT_ID, ABOUT_ID_END, ABOUT_PHASE, ABOUT_SEVERAL = range(5)
# What a line asks; where its answer begins behind what was written before; where units are told of from and to; whether
# powers go by the names that the map has for them; and the text of what legal orders are asked of.
ABOUT_ASKED, ABOUT_BEGUN, ABOUT_TOLD, ABOUT_TOLD_END, ABOUT_NEXT, ABOUT_OF, ABOUT_OF_END, ABOUT_VICTORY = range(5, 13)
ABOUT_NAMED, ABOUT_RENAMED = 13, 14
# What of the line is being read: the key, the power by its place behind that, the text by its place among those of the power.
AT_KEY, AT_GROUP, AT_INDEX, ABOUT_OF_ALL = range(15, 19)
TO_JUDGE, TO_PLAY = range(2)
"""What a line asks: to judge it (docs/reference/batch.md), or what comes next or is legal (`kernel.game_lines`)."""
NAMELESS = -2
"""The unit that an order calls by a name that no unit has: by its place alone, or without its coast."""
MOST_IMPOSSIBLE = 400
"""The room for orders of a line that are in no table as nobody could carry them out."""
# Of each order the column of its unit, and what it comes to; the column of the unit at each place, and of the dislodged one.
ORDER_COLUMN, FORM, SEAT, LOST_SEAT = range(32, 36)
# Of each unit, or dislodged unit, the order that counts; where it goes; whether over a difficult border; what it is afterwards.
COUNTING, GOING, YIELDING, ARRIVED = range(36, 40)
# The owner of each place, the units that go, the orders of an adjustment phase, and the powers in the order of their accounts.
OWNED_BY, GONE, DUTY, DUTY_PLACE, DONE, ACCOUNT = range(40, 46)
# Units that are told, with their powers.
TOLD_UNIT, TOLD_POWER, OF_REQUEST = range(46, 49)
NO_FORM, DISBANDED = -1, -2
"""What an order comes to in place of a location or a legal order: nothing; that the unit is disbanded."""
ILLEGAL_FORM = -10
"""The offset of forms of illegal orders that count as moves."""
REJECTED = -2
"""The order of a unit to which none of several legal ones counts."""
# Columns of what is known of an order of a later phase: its kind, the place of its unit, and the unit that it builds.
DUTY_KIND, DUTY_AT, DUTY_BUILDS, OF_DUTIES = range(4)
BUILD, REMOVE, DECLINE, RETREATS, NO_DUTY = range(5)
# What is known of a place to a power, as bits; the last row is of powers that the map does not know.
HOME, MATTERS, IS_CENTER = 1, 2, 4
# Choices of a rulebook, and facts of a map, by number.
SEVERAL_ORDERS, TOO_MANY_BUILDS, BUILDS_IN_ONE, TOO_MANY_REMOVALS, MAY_DECLINE, FROM_CENTERS, BUILDS_ANYWHERE = range(7)
NAMED_RULES, NAMES_IGNORED, COASTS_IGNORED, OF_CHOICES = 7, 8, 9, 10
"""Choices besides: the number of the rulebook, by its name, or -1; whether it ignores how units are called.

And whether it ignores coasts that there are not.
"""
FIRST_COUNTS, LAST_COUNTS, NONE_COUNTS = range(3)
# Why a line is refused (`satjudge.bulk.tables.learner`): one of these …
IN_NO_TABLE, NOT_AS_USUAL, UNKNOWN_KEY, TWICE, SPELT_OTHERWISE, NO_UNITS, NO_CENTERS, OF_ANOTHER_PHASE = range(8)
PHASE_BEHIND, UNKNOWN_PHASE, OTHER_TABLES, CANNOT_BE_READ, TOO_MANY, SHARED_PLACE, NO_WAY, NO_CENTER, TWO_OWNERS = range(8, 17)
TO_NO_UNIT, SEVERAL_LEFT, UNDECIDED, MUST_BUILD, WITHOUT_STEPS, NOTHING_OF_IT, NO_ROOM, UNKNOWN_POWER = range(17, 25)
# … and where: the key by its number, the power and its text as those that are being read, and from where to where in the line.
CAUSE, CAUSE_KEY, CAUSE_GROUP, CAUSE_INDEX, CAUSE_BEGINS, CAUSE_ENDS, OF_CAUSE = range(7)
FAR = 1 << 20
"""The steps to what cannot be reached."""
TEXT_KEYS = (1 << 44) - 1
MOST_DIGITS = 15
"""The largest number of digits of an id that is copied as it is."""
MOST_YEAR_DIGITS = 5
LONGEST_ORDER = 64
"""The most bytes of an order with what stands around it."""
SPACE, TAB, FEED, RETURN, TILDE, ZERO, SLASH, DASH = 32, 9, 10, 13, 126, 48, 47, 45
LETTER_H = 72
LETTER_A, LETTER_C, LETTER_E, LETTER_F, LETTER_I, LETTER_M, LETTER_N, LETTER_R, LETTER_S, LETTER_V, LETTER_W = b"ACEFIMNRSVW"
QUOTE, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET = 34, 92, 58, 44, 123, 125, 91, 93
# Texts of answers by number: what stands around the rest, then verdicts, and then units and locations.
SAY_ID, SAY_NO_ID, SAY_RESULTS, SAY_DISLODGED, SAY_UNITS, SAY_RESOLUTIONS, SAY_RULINGS, SAY_RULE, SAY_CORE, SAY_END = range(10)
SAY_ILLEGAL, SAY_SUCCEEDS, SAY_FAILS, SAY_AUTOMATIC, SAY_CLOSED, SAY_RULES = range(10, 16)
# Of answers about games: around the outcome and the next position, legal orders, and orders in full; then the powers.
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
"""Counters besides: places in which something may be ordered, orders that are listed, and impossible ones that were met."""
PHASE, YEAR, FALL, ENDED, WINNER, OF_MOMENT = range(6)
"""How a game stands: its phase by number, the year, whether it is Fall, whether and how it ended, and who won."""
GOES_ON, IN_VICTORY, IN_DRAW = range(3)
SLOT_GAME, SLOT_COLUMN, SLOT_POWER, SLOT_PLACE, SLOT_FIRST, OF_SLOT = range(6)
"""Of each place in which something may be ordered: game, column of the order, power, province, and the first of its orders."""
MOST_LISTED = 1 << 17
"""The room that is kept for the orders of one game."""
CONVOYS, HELPS = 1, 2
"""Of each unit and one that it helps two numbers follow: where supports begin among the orders, and where convoys do."""
CANDIDATE, BY_SEA_TO = range(2)
"""Rows of orders by the unit that is helped: the number, and the place to which an army is to go by sea alone, or -1."""
# Rows of the orders of later phases: by unit, by the number of an exit, by province, all builds by province, by unit.
DISBAND_UNIT, RETREAT_TO, FIRST_BUILD, BUILD_UNIT, REMOVE_UNIT = range(5)
FIRST_DUTY, NEEDED, USUAL, FIRST_YEAR, LEASTS = range(5)
"""The number of the first order of later phases; the centres that win, those of the map, and the year in which games begin.

Behind them the centres that win for each power, or -1.
"""
NEEDED_TO_WIN = 8
"""What is known of a place besides (`HOME` and so on): whoever wins has to own it."""


class Array(NamedTuple):
    """The type of an array's elements, by name, and its number of dimensions."""

    elements: str
    dimensions: int


_TABLE, _NUMBERS, _FLAGS = Array("int64", 2), Array("int32", 2), Array("bool", 2)
_BYTES = Array("uint8", 1)
ARRAYS: dict[str, Array] = {
    # What is known of a map under a rulebook (`satjudge.bulk.tables.order_facts`); `table` is any of the hash tables.
    "spots": _TABLE, "entries": _NUMBERS, "questions": _NUMBERS,
    "aliases": _TABLE, "links": _TABLE,
    # Boards, and what becomes of them (`satjudge.bulk.judge.Outcomes`).
    "units": _NUMBERS, "powers": _NUMBERS, "orders": _NUMBERS, "status": Array("int8", 1), "told": Array("int32", 3),
    "contested": _FLAGS, "seeds": Array("int64", 1),
    "resolutions": Array("int64", 1), "dislodged": _NUMBERS, "retreats": _FLAGS, "cores": _TABLE,
    "wanted": _TABLE, "counters": Array("int64", 1),
    # The scratch matrix, which is stored column by column as one row of numbers, and the truth tables of a core.
    "at": Array("int32", 1), "inputs": _NUMBERS, "tables": Array("int8", 2), "bits": _TABLE,
    # A line and its answer; what texts mean, and their bytes; what is said, and where each text of it begins; the locations in
    # the order of their texts; and the rows of a request.
    "line": _BYTES, "written": _BYTES, "texts": _TABLE, "pool": _BYTES, "said": _BYTES, "said_from": Array("int32", 1),
    "ranked": Array("int32", 1), "request": _NUMBERS, "cause": Array("int64", 1), "named_from": Array("int32", 1),
    # Orders of later phases, and what each comes to for a unit; what places are to powers, the steps from home or from a centre
    # to each unit, the places in the order of their names; and the choices of the rulebook. Rows of a request.
    "duties": _NUMBERS, "comings": _TABLE, "of_powers": _NUMBERS, "away": _NUMBERS, "alphabet": Array("int32", 1),
    "choices": Array("int32", 1), "impossible": Array("int8", 2),
    # Games: who owns each province, units that are to retreat and the exits that are open to them, where units are after their
    # moves, and how each game stands; what may be ordered, what is asked of it, and what is due.
    "owners": _NUMBERS, "lost_units": _NUMBERS, "lost_powers": _NUMBERS, "ways_out": _TABLE, "arrived": _NUMBERS,
    "moments": _NUMBERS, "listing": Array("int32", 1), "slot_list": _NUMBERS, "asked": _NUMBERS, "due": _NUMBERS,
    # Orders by the unit that is helped, and those of later phases; the waters on which armies could go; who wins.
    "first_help": _NUMBERS, "helping": _NUMBERS, "later_orders": _NUMBERS, "reaches": Array("int64", 1),
    "aims": Array("int32", 1),
}  # fmt: skip
"""The types of all arrays that functions of the kernel know by name; a name means the same array in every function."""
LENGTHS = 3
"""The most dimensions of an array. Its address and so many lengths, four numbers of 32 bits, stand for it in the memory."""
_ROW = Array("int32", 1)
HANDED: dict[str, Array] = {
    "table": _TABLE, "source": _BYTES, "places": _ROW, "forms": _ROW, "going": _ROW, "yielding": _ROW, "kinds": _ROW,
    "turns": _ROW,
}  # fmt: skip
"""The types of arrays, or rows of them, that functions take as parameters: any hash table, for instance."""


MEMORY: dict[str, Array] = {
    "memory_8": _BYTES, "memory_32": _ROW, "memory_64": Array("int64", 1),
}  # fmt: skip
"""The whole memory of the kernel as arrays."""
# What sets up arrays (`satjudge.bulk.kernel.setup`): what contents of a table file begin with, how many numbers come before the
# descriptors of arrays; these numbers; the kinds of steps, and the numbers of each; the bytes of a long number.
CONTENTS, CONTENTS_HEAD, OF_DESCRIPTORS = 0x746A7331, 4, 4 * len(ARRAYS)
PACKED, BYTES, TABLE, OF_TEXTS = range(4)
STEP, LONG = 8, 8


def slot_of(key: int, mask: int) -> int:
    """Return the slot of a hash table at which the search for a key begins."""
    return (key ^ (key >> 15) ^ (key >> 31) ^ (key >> 47)) & mask


def mixed_in(key: int, byte: int) -> int:
    """Return the key of a text, given the key of the text without its last byte, and that byte.

    The final key is taken with TEXT_KEYS.
    """
    return key * 1031 + byte
