"""A table file and the kernel judge by themselves: without numpy, and without asking anybody."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner
from helpers.slips import slipped_retreats, slipped_winters
from test_bulk import boards

from satjudge.apps.cli.export import kernel
from satjudge.base.errors import SatjudgeError
from satjudge.base.resources import data_file
from satjudge.bulk.batch import Settings, answer_line
from satjudge.bulk.kernel.memory import MISSING, TEXTS, WANTS
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.tables.learner import make_table_file
from satjudge.bulk.tables.reading import FORMAT, Host, Tables, parse_tables, read_table_file
from satjudge.bulk.wasm.loading import (
    CODE,
    KERNEL_SOURCES,
    TABLE_SOURCES,
    list_rulebooks,
    load_kernel,
    sum_sources,
    table_file_name,
)
from satjudge.notation.parse import parse_location
from satjudge.world.board import starting_board
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset, preset_names

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "kernel.md"


def tables(rules: str) -> Tables:
    return read_table_file(data_file("models", "kernel", table_file_name(rules)))


class Answering:
    """What a host does for each line."""

    def __init__(self, rules: str) -> None:
        self.host = Host(data_file("models", "kernel", CODE).read_bytes(), tables(rules))
        self.call = self.host.sandbox.prepare_call(self.host.header.functions["answer_line"], [0])
        self.line, self.written = self.host.find_place("line"), self.host.find_place("written")

    def answer(self, line: bytes) -> bytes | int:
        self.host.memory[self.line : self.line + len(line)] = line
        size = self.call(len(line))
        return bytes(self.host.memory[self.written : self.written + size]) if size >= 0 else size

    def wanted(self, line: bytes) -> list[bytes]:
        """The texts that were in no table."""
        rows, count = self.host.view_array("wanted"), self.host.view_array("counters")[WANTS]
        keys = [rows[2 * row + 1] for row in range(count) if rows[2 * row] == TEXTS]
        return [line[key >> 32 : key >> 4 & 0xFFFFFFF] for key in keys]


def test_table_files_are_those_of_the_kernel() -> None:
    """Else: `make kernel`."""
    found = load_kernel()
    assert found is not None
    assert found.manifest.kernel_sources == sum_sources(KERNEL_SOURCES)
    assert found.manifest.table_sources == sum_sources(TABLE_SOURCES)
    for name in list_rulebooks():
        header = tables(name).header
        assert header.kernel == found.manifest.printed
        assert header.functions == found.manifest.entries[name].functions
        assert header.rulebook == name


def test_kernel_and_tables_are_small() -> None:
    folder = data_file("models", "kernel", CODE).parent
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000
    code = (folder / CODE).stat().st_size
    for name in list_rulebooks():
        assert code + sum(part.deflated for part in tables(name).header.parts) < 600_000


@pytest.mark.parametrize("rules", preset_names())
def test_lines_of_all_phases_are_answered_as_on_the_plain_path(rules: str) -> None:
    ours, settings = Answering(rules), Settings(rules=rules)
    later = [*islice(slipped_retreats("tables"), 10), *islice(slipped_winters("tables"), 20)]
    rows = [*(row for flavour in Flavour for row in boards(flavour, 6, 0)), *later]
    answered = 0
    for row in rows:
        line = json.dumps(row).encode()
        found = ours.answer(line)
        if isinstance(found, bytes):
            answered += 1
            assert found == answer_line(line, settings), line
    assert answered > 24  # others speak of powers of their own, or in words


def test_texts_in_no_table_are_named() -> None:
    ours = Answering("datc-3")
    line = b'{"units":{"FRANCE":["A PAR"],"Lepanto":[]},"orders":{"FRANCE":["A PAR - BUR","A PAR to Burgundy"]}}'
    assert ours.answer(line) == MISSING
    assert ours.wanted(line) == [b"Lepanto", b"A PAR to Burgundy"]


def test_a_host_needs_no_numpy() -> None:
    text = """if True:
        import sys
        from satjudge.base.resources import data_file
        from satjudge.bulk.tables.reading import Host, read_table_file
        folder = data_file("models", "kernel", "kernel.wasm").parent
        host = Host((folder / "kernel.wasm").read_bytes(), read_table_file(folder / "standard.datc-3.tables"))
        line = b'{"units":{"FRANCE":["A PAR"]},"orders":{"FRANCE":["A PAR - BUR"]}}'
        host.memory[host.find_place("line"):host.find_place("line") + len(line)] = line
        size = host.sandbox.call(host.header.functions["answer_line"], [len(line)])
        assert b'"A BUR"' in bytes(host.memory[host.find_place("written"):host.find_place("written") + size])
        print("numpy" in sys.modules, "ortools" in sys.modules)"""
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"


def test_what_is_no_table_file_is_refused() -> None:
    data = data_file("models", "kernel", "standard.datc-3.tables").read_bytes()
    for damaged in (b"", b"PK", FORMAT, FORMAT + b"{}\n", data[:-9], data.replace(b'"bytes"', b'"byte"', 1)):
        with pytest.raises(SatjudgeError, match=r"not a table file|damaged"):
            parse_tables(damaged, lambda name: b"")


def test_the_command_writes_a_table_file_in_one_piece(tmp_path: Path) -> None:
    path, code = tmp_path / "one.tables", tmp_path / "kernel.wasm"
    run = CliRunner().invoke(kernel, ["--rules", "1982", "-o", str(path), "--code", str(code)])
    assert run.exit_code == 0, run.output
    written, kept = read_table_file(path), tables("1982")
    assert written.contents == kept.contents
    assert not any(part.file for part in written.header.parts)
    assert code.read_bytes() == data_file("models", "kernel", CODE).read_bytes()


def test_a_rulebook_that_the_kernel_does_not_know_is_refused_by_name() -> None:
    with pytest.raises(SatjudgeError, match=r"does not contain the equations of .*4\.A\.7=never"):
        make_table_file(None, load_preset("datc-3 with 4.A.7=never"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("colonial", "a railroad and a canal"),
        ("loeb9-10d", "provinces that are closed in a season and difficult borders"),
        ("standard-cape", "borders at half strength"),
        ("standard-neutral", "neutral units"),
        ("standard-transform", "units that change their kind"),
    ],
)
def test_a_rule_of_a_map_that_the_kernel_does_not_know_is_named(name: str, told: str) -> None:
    with pytest.raises(SatjudgeError, match=f"the map {name} has {told}.*, which the kernel does not support"):
        make_table_file(load_map(name), load_preset("datc-3"))


# docs/guides/kernel.md


def test_the_call_of_the_page_is_as_it_says() -> None:
    line, answer = (bytes.fromhex(block) for block in re.findall(r"```hex\n(.+?)```", PAGE.read_text(), re.DOTALL))
    assert Answering("datc-3").answer(line) == answer


def test_the_page_names_all_functions_that_hosts_call() -> None:
    text = PAGE.read_text()
    for name in ("first_free", "load", *tables("datc-3").header.functions):
        assert f"`{name}" in text


def test_a_table_file_tells_of_its_map_in_words() -> None:
    """As what people type is put into the kernel's words by it, its words are the codes' own, and lead to nothing else."""
    told = json.loads(tables("datc-3").about)
    standard = load_map()
    start = starting_board()
    assert told["start"]["phase"] == "S1901M"
    assert {unit for units in told["start"]["units"].values() for unit in units} == {str(unit) for unit in start.units}
    assert {centre: power for power, owned in told["start"]["centers"].items() for centre in owned} == start.centers
    assert told["powers"] == standard.power_names
    for code, province in told["provinces"].items():
        assert {parse_location(name, standard) for name in (code, province["name"], *province["called"])} == {code}
    assert all(tables(name).about == tables("datc-3").about for name in list_rulebooks())
    assert "hold" in told["words"]["H"]
