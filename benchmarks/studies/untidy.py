"""Writes legal orders as people and language models write them: with wrong letters, forgotten words, `VIA` everywhere."""

import random
import string
from collections.abc import Callable

PLACES = "BUR MUN BEL SPA SPA/NC SPA/SC BUL BUL/EC STP STP/SC NTH ENG MAO TUN NWY SER SWI XYZ VIA".split()  # noqa: SIM905
REMARKS = (
    "?",
    "!",
    ".",
    ";",
    "(*bounce*)",
    "(*void*)",
    "(bounce)",
    "(no convoy)",
    "please",
    "OK",
    "**",
    "(",
    "- ",
    "~",
    "#1",
    "NOW",
)
"""Texts after or before an order."""
NAMES = {
    "PAR": "Paris", "MUN": "Munich", "BUR": "Burgundy", "MAO": "Mid-Atlantic Ocean", "NTH": "North Sea", "STP": "St Petersburg",
    "MAR": "Marseilles", "BUL": "Bulgaria", "ENG": "English Channel", "TYR": "Tyrolia", "SPA": "Spain", "BRE": "Brest",
    "LON": "London", "KIE": "Kiel", "VIE": "Vienna", "BLA": "Black Sea", "CON": "Constantinople", "LVP": "Liverpool",
}  # fmt: skip
POWERS = ("FRANCE", "French", "GERMANY:", "German", "England", "Turkish")
ARROWS = (
    "->",
    "-->",
    ">",
    "=>",
    "=",
    "to",
    "TO",
    "moves to",
    "MOVE",
    "",
    "--",
    "~",
    "?",
    "\u2013",
    "_",
    "goes to",
    "into",
    "attacks",
    "|",
)
WORDS = {
    "S": ("supports", "SUPPORT", "supporting", "SUP", "s", "S S", "X"),
    "C": ("convoys", "CONVOY", "convoying", "CON", "c", "transports"),
    "H": ("hold", "HOLDS", "holding", "STAND", "h", "HLD", ""),
    "R": ("retreats to", "RETREAT", "-", "R -", "r", "retreating to", "withdraws to", ""),
    "D": ("disbands", "DISBAND", "remove", "REMOVED", "destroy", "d", "disbanded", "X"),
    "B": ("build", "BUILDS", "b", "built", "", "H"),
    "A": ("army", "ARMY", "a", "F", "", "Fleet", "the army in", "A A"),
    "F": ("fleet", "FLEET", "f", "A", "", "Army", "the fleet in", "W"),
}


def behind(words: str) -> Callable[[str, random.Random], str]:
    return lambda order, _: f"{order} {words}"


def letter(order: str, drawn: random.Random) -> str:
    at = drawn.randrange(len(order))
    return order[:at] + drawn.choice(string.ascii_uppercase) + order[at + 1 :]


def lost_letter(order: str, drawn: random.Random) -> str:
    at = drawn.randrange(len(order))
    return order[:at] + order[at + 1 :]


def more_letters(order: str, drawn: random.Random) -> str:
    at = drawn.randrange(len(order) + 1)
    return order[:at] + drawn.choice(string.ascii_uppercase + "-/.,?!*( ") + order[at:]


def swapped_letters(order: str, drawn: random.Random) -> str:
    at = drawn.randrange(len(order) - 1)
    return order[:at] + order[at + 1] + order[at] + order[at + 2 :]


def lost_word(order: str, drawn: random.Random) -> str:
    words = order.split()
    del words[drawn.randrange(len(words))]
    return " ".join(words)


def twice_a_word(order: str, drawn: random.Random) -> str:
    words = order.split()
    at = drawn.randrange(len(words))
    return " ".join([*words[:at], words[at], *words[at:]])


def swapped_words(order: str, drawn: random.Random) -> str:
    words = order.split()
    first, second = drawn.randrange(len(words)), drawn.randrange(len(words))
    words[first], words[second] = words[second], words[first]
    return " ".join(words)


def place(order: str, drawn: random.Random) -> str:
    """Another place in place of one."""
    words = order.split()
    places = [at for at, word in enumerate(words) if len(word) > 2 and word != "VIA"] or [0]
    words[drawn.choice(places)] = drawn.choice(PLACES)
    return " ".join(words)


def coast(order: str, drawn: random.Random) -> str:
    """A coast at a place, lost or in other words."""
    words = order.split()
    at = drawn.choice([at for at, word in enumerate(words) if len(word) > 2 and word != "VIA"] or [0])
    bare, sign, told = words[at].partition("/")
    more = (
        "/NC",
        "/SC",
        "/EC",
        " SC",
        "(NC)",
        " (sc)",
        "/N",
        "/ SC",
        "SC",
        "",
        " south coast",
        " (north coast)",
        " (south coast)",
        "/WC",
    )
    words[at] = bare + drawn.choice(
        [*more, *((f" {told}", f"({told.lower()})", f"/{told.lower()}", f" ({told})") if sign else ())]
    )
    return " ".join(words)


def other_word(order: str, drawn: random.Random) -> str:
    words = order.split()
    at = drawn.choice([at for at, word in enumerate(words) if word in WORDS] or [0])
    words[at] = drawn.choice(WORDS.get(words[at], ("",)))
    return " ".join(" ".join(words).split())


def arrow(order: str, drawn: random.Random) -> str:
    return " ".join(order.replace(" - ", f" {drawn.choice(ARROWS)} ").split())


def tight(order: str, drawn: random.Random) -> str:
    return order.replace(" - ", drawn.choice(("-", "->", " -", "- ", ">", "/", "\u2192"))).replace(
        "A ", drawn.choice(("A ", "A", "a. "))
    )


def whole_names(order: str, drawn: random.Random) -> str:
    return " ".join(NAMES.get(word, word) for word in order.split())


def remark(order: str, drawn: random.Random) -> str:
    what, where = drawn.choice(REMARKS), drawn.random()
    words = order.split()
    at = drawn.randrange(len(words))
    inside = " ".join([*words[:at], what, *words[at:]])
    return f"{order} {what}" if where < 0.6 else f"{what} {order}" if where < 0.75 else inside


def power(order: str, drawn: random.Random) -> str:
    words = order.split()
    at = drawn.choice((0, 0, 0, 3 if len(words) > 4 else 0, len(words)))
    return " ".join([*words[:at], drawn.choice(POWERS), *words[at:]])


def path(order: str, drawn: random.Random) -> str:
    begin, sign, end = order.rpartition(" - ")
    return f"{begin} - {drawn.choice(PLACES)} - {end}" if sign else f"{order} - {drawn.choice(PLACES)}"


def by_convoy(order: str, drawn: random.Random) -> str:
    more = drawn.choice(
        ("VIA CONVOY", "via", "by convoy", "(via convoy)", "VIA VIA", "via NTH", "by sea", "(VIA)", "convoy", "VIA C")
    )
    return f"{order.removesuffix(' VIA')} {more}"


def without_type(order: str, drawn: random.Random) -> str:
    return order.replace(" A ", " ").replace(" F ", " ") if drawn.random() < 0.5 else order[2:]


def first_word(order: str, drawn: random.Random) -> str:
    """`BUILD A PAR` for `A PAR B`."""
    words = order.split()
    return " ".join(
        [drawn.choice(("BUILD", "REMOVE", "RETREAT", "DISBAND", "B", "D", "R", "MOVE", "VIA", "FROM", "order")), *words[:-1]]
    )


def another(order: str, drawn: random.Random) -> str:
    return drawn.choice(
        ("A PAR - BUR", "F MAO - SPA/SC", "WAIVE", "waive", "A MUN", "PAR", "H", "A PAR H", "F STP/NC D", "A STP B", "F STP B")
    )


SLIPS: dict[str, Callable[[str, random.Random], str]] = {
    "wrong letter": letter,
    "lost letter": lost_letter,
    "more letters": more_letters,
    "swapped letters": swapped_letters,
    "VIA behind": behind("VIA"),
    "by convoy": by_convoy,
    "lost word": lost_word,
    "word twice": twice_a_word,
    "swapped words": swapped_words,
    "another place": place,
    "coast": coast,
    "other word": other_word,
    "arrow": arrow,
    "tight": tight,
    "small letters": lambda order, _: order.lower(),
    "whole names": whole_names,
    "remark": remark,
    "power": power,
    "path": path,
    "without type": without_type,
    "first word": first_word,
    "another order": another,
}
