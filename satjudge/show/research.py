"""Writes the results of `count`, `verify` and `census` as tables and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satjudge.base.words import number_of, quote_text
from satjudge.bulk.census import NOT_EXHAUSTED, Census
from satjudge.bulk.position_counts import Counted
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.tallies import ONE_RESOLUTION, OTHERWISE, NameTally
from satjudge.proofs.verify.checks import FILE, Checked, Verified
from satjudge.show.layout import Column, Listing, Part, StyledText
from satjudge.show.text import make_listing
from satjudge.world.geography import Map


def iter_count_lines(counts: Counted, game_map: Map) -> Iterator[Part]:
    """Yield a table of the numbers of units, order sets and positions, for each power and in total, and remarks on it."""
    name = ": ".join(filter(None, (counts.id, counts.title)))
    totals = {
        "Power": "all",
        "Units": f"{sum(len(power.units) for power in counts.powers.values())}",
        "Moves and holds": _format_number(counts.plain_order_sets),
        "All legal orders": _format_number(counts.order_sets),
        "Positions": _format_number(counts.positions),
    }
    columns = [Column(heading, right=heading != "Power", total=total) for heading, total in totals.items()]
    table = Listing(columns, f"{name}  [{counts.rulebook.name}]", lined=True)
    for power, own in counts.powers.items():
        numbers = (own.plain_order_sets, own.order_sets, own.positions)
        table.add_row(game_map.name_of(power), str(len(own.units)), *map(_format_number, numbers))
    yield table
    yield "Moves and holds: order sets without supports and convoys. A power's positions: as if it were alone on the board."
    if counts.positions is None:
        yield "Positions are not counted, because the map has special rules for moves."
        return
    yield f"Positions if units of the same power and kind are distinguished: {_format_number(counts.positions_told_apart)}."
    if counts.more_by_help:
        yield f"Moves by land or sea lead to these positions. There may be more, because {counts.more_by_help}."
    else:
        yield "Other orders lead to no further positions, because no unit can be convoyed or dislodged."
    if counts.counted_twice:
        yield "A second way of counting gives the same numbers."


def _format_number(text: str | None) -> str:
    return "-" if text is None else f"{int(text):,}"


# ---- verify ----

SUBJECTS_SHOWN = 30
LONGEST_TITLE = 200


def iter_claim_lines(verified: Verified) -> Iterator[str]:
    """Yield lines on a certificate: the claim, the title, which is marked as not verified, and the subject of the claim."""
    yield f"{verified.file}: {verified.claim}"
    yield f"  called {quote_text(verified.title, LONGEST_TITLE)}, which is not verified"
    yield from (f"    {line}" for line in verified.subject[:SUBJECTS_SHOWN])
    if (more := len(verified.subject) - SUBJECTS_SHOWN) > 0:
        yield f"    and {number_of(more, 'line')} more; --json lists them all"


def format_check(check: Checked) -> str:
    """Return a line on one check of a certificate: its name, and what it found or why it failed."""
    return f"  {'FAILED' if check.problem else 'ok':<6}  {check.name}: {check.problem or check.found}"


def iter_assumption_lines(verified: Verified, sentences: Mapping[str, str]) -> Iterator[str]:
    """Yield the numbered assumptions of a certificate, by their `sentences`, if it is accepted; nothing if it is refused."""
    if verified.accepted:
        yield "  It rests on:" if verified.assumptions else "  It rests on nothing else"
        for number, name in enumerate(verified.assumptions, 1):
            yield f"  {number}. {sentences[name]}"


def format_conclusion(verified: Verified) -> str:
    """Return a line that a certificate is accepted, or that it is refused and which check failed."""
    if verified.accepted:
        return "  accepted"
    failed = next(check.name for check in verified.checks if check.problem)
    return f"  refused: the check “{failed}” failed"


def format_overall_conclusion(verified_certificates: Sequence[Verified]) -> str:
    """Return a line that counts all certificates, the refused ones, and those that could not be read."""
    unread = sum(any(check.name == FILE for check in one.checks) for one in verified_certificates)
    refused = sum(not one.accepted for one in verified_certificates) - unread
    exceptions = [
        *([f"{refused:,} refused"] if refused else []),
        *([f"{unread:,} could not be read"] if unread else []),
    ]
    return f"{number_of(len(verified_certificates), 'certificate')}, {' and '.join(exceptions) or 'all accepted'}"


# ---- census ----

KIND_COLOURS = {
    "circular movement": "#8cb369",
    "paradox with several resolutions": "#2a6f97",
    "paradox without a resolution": "#bc4749",
    "cyclic dependency with one resolution": "#f4a259",
}


def format_map(census: Census) -> str:
    """Return ` on the map NAME` for the map of a census; "" for the standard map."""
    return f" on the map {census.map}" if census.map else ""


def iter_census_tables(census: Census) -> Iterator[Part]:
    """Yield all counts of a census as tables and sentences: resolutions, cores, rulebooks, claims and dependencies."""
    cores = sum(named.cores for named in census.names.values())
    yield StyledText(
        f"{number_of(census.boards, 'board')} of seed {census.seed}{format_map(census)}, judged by {census.rulebook.name}: "
        f"{census.boards_with_cores:,} with a core, {number_of(cores, 'core')} of {number_of(len(census.shapes), 'shape')}"
        + (f"; for {number_of(census.unresolved, 'board')}, this rulebook has no answer" if census.unresolved else "")
    )
    yield _make_resolutions_table(census)
    if census.names:
        yield _make_names_table(census)
    if census.compared:
        yield _make_rulebooks_table(census)
    yield _make_claims_table(census)
    yield from _iter_footnotes(census)


def count_by_resolutions(census: Census) -> dict[str, dict[str, int]]:
    """Return numbers of boards by flavour (`all` last) and number of resolutions: `0`, `1`, `2`, `more`, `NOT_EXHAUSTED`."""
    rows: dict[str, dict[str, int]] = {}
    for flavour in Flavour:
        for number, boards in census.resolutions.get(flavour, {}).items():
            column = number if number in ("0", "1", "2", NOT_EXHAUSTED) else "more"
            for name in (str(flavour), "all"):
                row = rows.setdefault(name, dict.fromkeys(("0", "1", "2", "more", NOT_EXHAUSTED), 0))
                row[column] += boards
    return dict(sorted(rows.items(), key=lambda item: item[0] == "all"))


def _make_resolutions_table(census: Census) -> Listing:
    boards = count_by_resolutions(census)
    stopped = any(row[NOT_EXHAUSTED] for row in boards.values())
    columns = ["0", "1", "2", "more", *([NOT_EXHAUSTED] if stopped else [])]
    title, numbers = "Boards by number of resolutions", ("Boards", *columns)
    counts = {flavour: [sum(row.values()), *map(row.__getitem__, columns)] for flavour, row in boards.items()}
    rows = ((flavour, *map("{:,}".format, row)) for flavour, row in counts.items())
    return make_listing("Flavour", *numbers, rows=rows, title=title, numbers=numbers)


def sort_names(census: Census) -> list[tuple[str, NameTally]]:
    """Return the names of cores with their counts, sorted by kind, order (as in second-order) and frequency, highest first."""
    kinds = list(KIND_COLOURS)
    return sorted(census.names.items(), key=lambda item: (kinds.index(item[1].kind), item[1].order, -item[1].cores, item[0]))


def _make_names_table(census: Census) -> Listing:
    numbers = ("Cores", "Boards", "per 1,000", "Shapes", "Units")
    table = make_listing("Kind", "Name", *numbers, "Smallest", title="Cores", numbers=(*numbers, "Smallest"))
    previous = ""
    for name, named in sort_names(census):
        shapes = sum(name in shape.names for shape in census.shapes.values())
        rate = f"{1000 * named.boards / census.boards:.2f}"
        kind = named.kind if named.kind != previous else ""
        previous = named.kind
        smallest = (str(named.smallest.units), f"board {named.smallest.board}")
        table.add_row(kind, name, f"{named.cores:,}", f"{named.boards:,}", rate, f"{shapes:,}", *smallest)
    return table


def _make_rulebooks_table(census: Census) -> Listing:
    names = sorted({name for pair in census.differing for name in pair.split(",")} | set(census.unresolved_by))
    every = f"every {_format_ordinal(census.compare_every)} board" if census.compare_every > 1 else "every board"
    title = f"Rulebooks that leave units in different places: {every}, {census.compared:,} in all"

    def differing(rulebook: str, other: str) -> str:
        pair = census.differing.get(",".join(sorted((rulebook, other))))
        return "·" if rulebook == other else f"{pair.boards:,}" if pair else "0"

    rows = ((one, *(differing(one, other) for other in names), f"{census.unresolved_by.get(one, 0):,}") for one in names)
    return make_listing("Rulebook", *names, "No answer", rows=rows, title=title, numbers=(*names, "No answer"))


def _format_ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _make_claims_table(census: Census) -> Listing:
    numbers = ("Tested", "Violated")
    table = make_listing("Claim", "says", *numbers, "Counterexamples", title="Kruijswijk's claims", numbers=numbers)
    for claim, tests in census.claims.items():
        examples = ", ".join(f"board {one.board}" for one in tests.counterexamples[:5]) or "none"
        table.add_row(claim, tests.claim, f"{tests.tested:,}", f"{tests.violations:,}", examples)
    return table


def _iter_footnotes(census: Census) -> Iterator[StyledText]:
    whole, *others = [f"{census.dependencies.get(finding, 0):,}" for finding in (*ONE_RESOLUTION, OTHERWISE)]
    yield StyledText(
        f"Cyclic dependencies with one resolution: bounds settle all decisions of {whole}, some decisions of {others[0]}, "
        f"and none of {others[1]}. With several resolutions or none: {others[2]}."
    )
    if census.ambiguous_shapes:
        yield StyledText(f"Each of these names stands for several shapes: {', '.join(census.ambiguous_shapes)}.", style="red")
