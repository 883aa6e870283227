"""What is laid out without rich has the lines that rich would write."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console

from satjudge.show.layout import _UNUSUAL, Column, Group, Listing, Part, StyledText, format_lines

WORDS = (
    "A PAR - BUR",
    "succeeds",
    "x" * 23,
    "given",
    "",
    "may retreat to BEL, IRI, MAO, NTH or PIC",
    "a\nb",
    "–",
    "Österreich ",
    "  in",
)


def by_rich(part: Part, width: int) -> list[str]:
    """The lines of a part as rich writes them."""
    console = Console(width=width, highlight=False, emoji=False, markup=False, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(part)
    return [line.rstrip() for line in captured.get().split("\n")[:-1]]


def words(random: Random) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.choice((0, 1, 1, 2, 6))))


def table(random: Random) -> Listing:
    columns = [Column(words(random), random.random() < 0.4, random.random() < 0.3) for _ in range(random.randint(1, 6))]
    lined = random.random() < 0.5
    if lined and random.random() < 0.3:
        columns = [replace(column, total=words(random)) for column in columns]
    made = Listing(columns, title=random.choice((None, words(random))), show_header=random.random() < 0.8, lined=lined)
    made.caption = words(random) if lined and random.random() < 0.3 else ""
    for _ in range(random.randint(0, 5)):
        made.add_row(
            *(random.choice((words(random), StyledText(words(random), "bold"))) for _ in columns[: random.randint(1, 6)])
        )
    return made


@pytest.mark.parametrize("width", [20, 47, 120, 160])
def test_tables_have_the_lines_of_rich(width: int) -> None:
    for seed in range(40):
        random = Random(f"{width} {seed}")
        part = Group(StyledText(words(random)), table(random), words(random))
        assert format_lines(part, width) == by_rich(part, width), seed


def test_texts_have_styles_on_a_terminal() -> None:
    text = StyledText(", ").join([StyledText("disrupted", "red"), StyledText("dislodged", "bold red")]).add_part(" (ruled)")
    assert text.plain_text == "disrupted, dislodged (ruled)"
    assert text.is_bold
    assert [str(span.style) for span in text.__rich__().spans if span.style] == ["red", "bold red"]


def test_signs_of_another_width_are_left_to_rich() -> None:
    assert format_lines("日本", 80) is None
    assert format_lines("a\tb", 80) is None
    assert format_lines("\x1b[2J", 80) is None
    usual = [chr(code) for code in range(0x3000) if not _UNUSUAL.search(chr(code)) and chr(code) != "\n"]
    assert len(usual) > 1000
    assert {cell_len(sign) for sign in usual} == {1}


def test_a_part_is_laid_out_without_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.setitem(sys.modules, name, None)
    made = Listing([Column("Power", whole=True), Column("Centres", right=True)])
    made.add_row("France", "3")
    assert format_lines(made, 80) == ["Power   Centres", "France        3"]


def test_a_text_to_be_copied_is_not_broken() -> None:
    assert format_lines(StyledText("satjudge " * 9, whole=True), 20) == [("satjudge " * 9).rstrip()]
    assert len(format_lines(StyledText("satjudge " * 9), 20) or ()) > 1
