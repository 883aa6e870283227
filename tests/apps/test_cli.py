"""The commands: what they print, and their exit codes (0 fine, 1 disagreement, 2 usage, 3 internal, 5 nothing ran)."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import click
import pytest

import satjudge.apps.cli.judge
from satjudge import __version__, load_rulebook
from satjudge.apps.cli import GROUPS, cli, replace_old_options, run
from satjudge.apps.cli.output import describe_page_location
from satjudge.files.documents import exported_lines
from satjudge.judging.equations.situation import Situation
from satjudge.judging.solve import brute_engine, full_engine, staged_engine
from satjudge.judging.solve.result import Adjudication, Resolutions
from satjudge.notation.bundled_cases import list_case_files
from satjudge.notation.sheet_reader import read_sheets

BUFFERED = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
COMMAND = (sys.executable, "-c", "from satjudge.apps.cli import main; main()")
DOCS = Path(__file__).resolve().parents[2] / "docs"
PARADOX = "datc:6.F.14"
SHEET = "England:\n  F London - North Sea | succeeds\n"


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401
        return json.loads(self.out)


Invoke = Callable[..., Ran]


@pytest.fixture
def invoke(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Run one command in this process, perhaps with text on standard input."""

    def call(*arguments: str, stdin: str | bytes = b"") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        return Ran(run(list(arguments)), *capsys.readouterr())

    return call


@pytest.fixture
def sheet(tmp_path: Path) -> Callable[[str], str]:
    """Write an order sheet and return its name."""

    def write(text: str) -> str:
        path = tmp_path / "sheet.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def in_shell(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False, **options)


def has_provenance(document: dict[str, Any], rules: str = "datc-3") -> None:
    """The version, and the rulebook with all its settings."""
    rulebook = load_rulebook(rules)
    assert document["satjudge"] == __version__
    assert document["rulebook"] == {"name": rulebook.name, "title": rulebook.title, "settings": rulebook.settings()}
    assert (document["rulebook"]["settings"]["4.A.2"] == "szykman") is (rules == "datc-3")


# Help and usage.


def test_the_commands_are_there() -> None:
    assert {"judge", "resolutions", "check", "datc", "batch", "equations", "export"} <= set(cli.commands)


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("name", [None, *cli.commands])
def test_help_has_an_example(invoke: Invoke, name: str | None, option: str) -> None:
    ran = invoke(*([name] if name else []), option)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: satjudge {name or '[OPTIONS]'}")
    _, _, examples = ran.out.partition("Examples:")
    assert f"satjudge {name or 'judge'}" in " ".join(examples.split())


@pytest.mark.parametrize("name", cli.commands)
def test_every_option_is_explained(name: str) -> None:
    for parameter in cli.commands[name].params:
        assert not isinstance(parameter, click.Option) or parameter.help, f"{name} {parameter.name}"


def test_the_examples_of_the_help_name_commands_and_options_that_exist() -> None:
    for command in cli.commands.values():
        assert command.epilog
        unquoted = re.sub(r'"[^"]*"', "QUOTED", command.epilog)  # what another program is to be given
        for name, arguments in re.findall(r"satjudge (\w+)([^·|>]*)", unquoted):
            options = {option for parameter in cli.commands[name].params for option in parameter.opts}
            assert {word for word in arguments.split() if word.startswith("-") and word != "-"} <= options


def test_every_summary_is_a_sentence_the_first_of_the_command_s_help() -> None:
    listed = {name: about for group in GROUPS.values() for name, about in group.items()}
    assert listed == {name: one.get_short_help_str(limit=200) for name, one in cli.commands.items()}
    assert all(about.endswith(".") and len(about) <= 64 for about in listed.values())


@pytest.mark.parametrize("name", cli.commands)
def test_the_help_fits_a_screen(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    command = cli.commands[name]
    for inside in ([], *([one] for one in (command.commands if isinstance(command, click.Group) else ()))):
        assert len(invoke(name, *inside, "--help").out.splitlines()) <= 45


@pytest.mark.parametrize(
    ("old", "new", "notes"),
    [
        ("conformance --make kit --part datc", "kit kit --part datc", 1),
        ("conformance --make=kit", "kit kit", 1),
        ("conformance --dashboard runs", "report runs", 1),
        ("conformance --junit=k.xml --html k.html", "conformance --report k.xml --report k.html", 2),
        ("conformance --tries 9 --restarts=2", "conformance --limit tries=9 --limit restarts=2", 2),
        ("crosscheck --reduce crash.jsonl --test x", "reduce crash.jsonl --test x", 1),
        ("crosscheck --fuzz 3 --scheduler tcp://h:1 --memory 5", "crosscheck --fuzz 3 --jobs tcp://h:1 --limit memory=5", 2),
        ("crosscheck --shrink 5 --startup-timeout 9", "crosscheck --limit shrink=5 --limit startup=9", 2),
        ("search paradox --scheduler tcp://h:1", "search paradox --jobs tcp://h:1", 1),
        ("render f -o x.svg --no-legend", "render f -o x.svg --legend no", 1),
        ("maps draw standard --key", "maps draw standard --key", 0),
        ("verify --memory 5 x.zip", "verify --memory 5 x.zip", 0),
    ],
)
def test_options_of_version_1_0_still_work_with_a_note(
    capsys: pytest.CaptureFixture[str], old: str, new: str, notes: int
) -> None:
    assert " ".join(replace_old_options(old.split())) == new
    assert capsys.readouterr().err.count("the old form works until version 1.2") == notes


def test_the_package_runs_as_a_module() -> None:
    ran = subprocess.run([sys.executable, "-m", "satjudge", "--version"], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == (f"satjudge, version {__version__}\n", "")


def test_progress_is_told_in_lines_to_a_program_that_asks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from satjudge.apps.cli.output import show_call_count

    for asked, lines in (("", []), ("1", ["replies", "replies: 1", "replies: 2"])):
        if asked:
            monkeypatch.setenv("SATJUDGE_PROGRESS", asked)
        with show_call_count("replies") as step:
            step()
            step()
        assert capsys.readouterr().err.splitlines() == [f"SATJUDGE_PROGRESS: {line}" for line in lines]


def test_version(invoke: Invoke) -> None:
    assert invoke("--version") == (0, f"satjudge, version {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command"),
        (["judg", PARADOX], "judge"),
        (["judge"], "FILE"),
        (["judge", PARADOX, "--nonsense"], "--nonsense"),
        (["judge", PARADOX, "--engine", "magic"], "magic"),
        (["resolutions", PARADOX, "--limit", "-1"], "--limit"),
        (["resolutions", PARADOX, "--limit", "0"], "--limit"),
        (["resolutions", PARADOX, "--show", "-1"], "--show"),
        (["resolutions", PARADOX, "--timeout", "0"], "--timeout"),
        (["resolutions", PARADOX, "--graph", "no/such/folder/x.dot"], "no/such/folder/x.dot"),
        (["judge", "missing.txt"], "there is no file missing.txt (shipped cases are named like datc:6.F.14)"),
        (["judge", "."], "is a directory"),
        (["judge", PARADOX, "--rules", "nonsense"], "there is no rulebook 'nonsense'"),
        (["judge", PARADOX, "--rules", "missing.toml"], "missing.toml"),
        (["judge", PARADOX, "--rules", "1971,2023"], "to compare several, run `satjudge compare FILE --rules 1971,2023`"),
        (["judge", PARADOX, "--set", "4.A.2"], "ISSUE=VALUE"),
        (["judge", PARADOX, "--set", "4.A.2=nonsense"], "szykman"),
        (["judge", PARADOX, "--set", "4.Z.2=szykman"], "there is no option '4.Z.2'"),
        (["resolutions", "datc:6.I.1"], "6.I.txt"),
        (["equations", "datc:6.I.1"], "6.I.txt"),
        (["equations", PARADOX, "--proto", "no/such/folder/x.pbtxt"], "no/such/folder/x.pbtxt"),
        (["check"], "FILE"),
        (["explain", "a.txt", "F", "SMY", "-", "AEG"], 'in quotes: satjudge explain a.txt "F SMY - AEG"'),
        (["explain", "a.txt", "SMY", "-", "AEG", "--rules", "1982"], 'explain a.txt "SMY - AEG" --rules 1982'),
        (["explain", "a.txt", "--without", "F", "SMY", "-", "AEG"], 'explain a.txt --without "F SMY - AEG"'),
        (["game", "show", "g.json", "--legal", "A", "PAR"], 'game show g.json --legal "A PAR"'),
        (["game", "report", "g.json", "--due", "Sunday", "20:00"], 'the words in quotes: satjudge game report g.json --due "S'),
        (["compare", "a.txt", "--rules", "1982", "2023"], "with commas: satjudge compare a.txt --rules 1982,2023"),
        (["judge", "a.txt", "b.txt"], "unexpected extra argument (b.txt)"),
        (["judge", "a.txt", "--as-meant"], "Only `satjudge game order` corrects misspelt orders"),
        ([], "Usage: satjudge"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(
    invoke: Invoke, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = invoke(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert "internal" not in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", ["judge datc:", "resolutions datc:", "equations datc:", "check datc:", "datc ", "export "])
def test_an_unknown_case_has_a_suggestion(invoke: Invoke, command: str) -> None:
    ran = invoke(*f"{command}6.F.140".split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("satjudge: there is no case '6.F.140' (did you mean datc:6.F.14,")


# judge

PARADOX_TABLE = """\
6.F.14: Simple convoy paradox  [datc-3]
Power    Order                Verdict               Remarks
England  F LON S F WAL - ENG  given
         F WAL - ENG          succeeds
France   A BRE - LON          fails                 did not move: its convoy is disrupted at F ENG
         F ENG C A BRE - LON  disrupted, dislodged  by the rule for paradoxes; dislodged by F WAL of England,\
 2 against 1; may retreat to BEL, IRI, MAO, NTH or
                                                    PIC
A paradox: F LON S F WAL - ENG, F WAL - ENG and F ENG C A BRE - LON depend on each other, and 2 results are\
 consistent. By the Szykman rule, F ENG C A BRE - LON
is disrupted. The other results follow from this.
Afterwards  England  F LON, F ENG
            France   A BRE
Add retreats for these units in a section `retreats` below the orders: F ENG of France.

"""
PARADOX_IN_DETAIL = """\
6.F.14: Simple convoy paradox  [datc-3]
Power    Order                Verdict               Remarks
England  F LON S F WAL - ENG  given
         F WAL - ENG          succeeds
France   A BRE - LON          fails                 its convoy is disrupted at F ENG
         F ENG C A BRE - LON  disrupted, dislodged  by F WAL; may retreat to BEL, IRI, MAO, NTH, PIC
Consistent resolutions: 2.
Backup rule szykman settled a core with 2 resolutions: F LON S F WAL - ENG; F WAL - ENG; F ENG C A BRE - LON.
Judged by: staged.
Afterwards  England  F LON, F ENG
            France   A BRE
Add retreats for these units in a section `retreats` below the orders: F ENG of France.

"""


def test_judge_prints_a_plain_table(invoke: Invoke) -> None:
    assert invoke("judge", PARADOX) == (0, PARADOX_TABLE, "")
    assert invoke("judge", PARADOX, "--details") == (0, PARADOX_IN_DETAIL, "")


def test_judge_prints_the_same_from_a_shell_whatever_the_terminal_is_like() -> None:
    environment = os.environ | {"COLUMNS": "40", "FORCE_COLOR": "1", "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    ran = in_shell("judge", PARADOX, env=environment)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, PARADOX_TABLE, "")


def test_judge_with_retreats_and_reasons(invoke: Invoke) -> None:
    out = invoke("judge", "datc:6.H.9").out
    assert re.search(r"^Germany +A BER - PRU +succeeds *$", out, re.MULTILINE)
    fate = "by F HEL of England, 2 against 1; may retreat to (BAL, )?BER"
    assert re.search(rf"^ +F KIE H +dislodged +{fate}", out, re.MULTILINE)
    assert re.search(r"^Retreats\nPower .*\nGermany +F KIE R BER +succeeds", out, re.MULTILINE)
    reasons = invoke("judge", "datc:6.A.1", "--details").out
    assert re.search(r"F NTH - PIC +illegal +a fleet cannot move from NTH to PIC \(6\.A\.3, 6\.A\.9\)", reasons)
    head_to_head = "attack 1 does not exceed defend 2 of A BER - PRU (itself, A SIL) in a head-to-head battle"
    fate = "; dislodged by A BER; may retreat to LVN, WAR"
    assert " ".join(f"A PRU - BER fails, dislodged {head_to_head}{fate}".split()) in " ".join(
        invoke("judge", "datc:6.E.1", "--details").out.split()
    )
    assert re.search(
        r"A TYR S A VEN +cut +by A VIE - TYR of Austria$", invoke("judge", "datc:6.D.2", "--details").out, re.MULTILINE
    )
    plain = invoke("judge", "datc:6.A.1").out
    assert re.search(r"F NTH - PIC +illegal +a fleet cannot move from NTH to PIC$", plain, re.MULTILINE)


def test_judge_says_who_dislodged_a_unit_whose_order_is_illegal(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    text = """\
England:
  F English Channel - Paris
  F English Channel S A London
Germany:
  A Munich - Spain
  A Munich H
France:
  F Brest - English Channel
  F Mid-Atlantic S F Brest - English Channel
  A Burgundy - Munich
  A Ruhr S A Burgundy - Munich
"""
    out = invoke("judge", sheet(text)).out
    fate = "dislodged by F BRE of France, 2 against 1; may retreat to BEL, IRI, LON"
    assert re.search(rf"F ENG - PAR +illegal, dislodged +a fleet cannot move .*; {fate}", out)
    assert re.search(rf"^ +F ENG S A LON +illegal, dislodged +there is no unit in LON to support; {fate}", out, re.MULTILINE)
    assert re.search(r"^Germany +A MUN - SPA +illegal  +an army cannot move from MUN to SPA: [^;]*$", out, re.MULTILINE)
    assert re.search(r"^ +A MUN H +dislodged +by A BUR of France, 2 against 1; may retreat to BER,", out, re.MULTILINE)


RETREATS = """\
England:
  F North Sea - Holland
  F Helgoland Bight Supports F North Sea - Holland
  F Irish Sea - English Channel
  F Mid-Atlantic Supports F Irish Sea - English Channel
France:
  A Burgundy - Ruhr
  A Belgium Supports A Burgundy - Ruhr
  A Munich Supports A Burgundy - Ruhr
  F English Channel H
Germany:
  A Holland H
  A Ruhr H
"""


@pytest.mark.parametrize(
    ("retreats", "told"),
    [
        ("", "A HOL of Germany (no order), F ENG of France (no order), A RUH of Germany (no order)"),
        (
            "Germany:\n  A Holland - Kiel\n  A Ruhr - Kiel\nFrance:\n  F English Channel - Paris\n",
            "A HOL of Germany (several units retreated there), F ENG of France (no legal order), "
            "A RUH of Germany (several units retreated there)",
        ),
        ("Germany:\n  A Holland - Kiel\n  A Ruhr D\nFrance:\n  F English Channel - London\n", None),
    ],
    ids=["no order", "no legal order", "all retreat"],
)
def test_judge_says_which_units_are_disbanded(
    invoke: Invoke, sheet: Callable[[str], str], retreats: str, told: str | None
) -> None:
    out = invoke("judge", sheet(f"{RETREATS}retreats\n{retreats}")).out
    assert "Order these retreats" not in out
    _, _, after = out.partition("\nRetreats\n")
    assert re.findall(r"^Disbanded: (.*)\.$", after, re.MULTILINE) == ([told] if told else [])
    assert ("No orders.\n" in after) is (not retreats)
    assert re.search(rf"^ +Germany  {'none' if told else 'A KIE'}$", after, re.MULTILINE)


def test_judge_says_what_is_built_and_what_is_not(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    text = """phase: adjustment
England owns SC London, SC Liverpool, SC Edinburgh, SC Norway, F Wales
France owns SC Paris, SC Brest, A Spain
Italy owns A Rome
Turkey owns SC Smyrna
England:
  Build F London
  Waive
Turkey:
  Build A Smyrna
"""
    ran = invoke("judge", sheet(text))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("""
England  F LON B  succeeds
         WAIVE    succeeds
Turkey   A SMY B  succeeds
England leaves 2 builds unused (1 declined).
France leaves 1 build unused.
Italy in civil disorder loses A ROM.
Afterwards  England  F WAL, F LON
            France   A SPA
            Italy    none
            Turkey   A SMY

""")


def test_judge_says_that_no_centre_has_an_owner(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    text = "phase: adjustment\nFrance owns A Paris{}\nFrance:\n  Build A Marseilles\n"
    hint = "No supply centre has an owner here. State the owners in the sheet: `France owns SC PAR, SC BRE`.\n"
    out = invoke("judge", sheet(text.format(""))).out
    assert hint in out
    assert "France  A MAR B  illegal  France has nothing to build\n" in out
    owned = invoke("judge", sheet(text.format("\nFrance owns SC PAR, SC BRE"))).out
    assert "owner" not in owned
    assert "France  A MAR B  illegal  France does not own Marseilles\n" in owned


def test_judge_without_orders(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    file = sheet("England owns F London, F Wales\nFrance owns A Paris\n")
    position = "Afterwards  England  F LON, F WAL\n            France   A PAR\n\n"
    assert invoke("judge", file) == (0, f"{file}  [datc-3]\nNo orders: all units hold.\n{position}", "")
    (case,) = invoke("judge", file, "--json").document["cases"]
    assert (case["results"], case["units"]) == ({}, {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A PAR"]})


def test_judge_in_json(invoke: Invoke) -> None:
    ran = invoke("judge", PARADOX, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.document["engine"] == "staged"
    (case,) = ran.document["cases"]
    has_provenance(case)
    assert case["id"] == "6.F.14"
    assert case["phase"] == "movement"
    assert case["results"] == {"ENGLAND": ["given", "succeeds"], "FRANCE": ["fails", "disrupted, dislodged"]}
    assert case["dislodged"] == {"FRANCE": {"F ENG": ["BEL", "IRI", "MAO", "NTH", "PIC"]}}
    assert case["resolutions"] == 2
    assert "retreats" not in case


def test_judge_in_json_with_retreats(invoke: Invoke) -> None:
    (case,) = invoke("judge", "datc:6.H.9", "--json").document["cases"]
    assert case["retreats"]["results"] == {"GERMANY": ["succeeds"], "RUSSIA": ["succeeds"]}
    assert case["retreats"]["units"]["GERMANY"] == ["A PRU", "A SIL", "F BER"]
    assert "RUSSIA" not in case["retreats"]["units"]


def test_judge_several_cases(invoke: Invoke) -> None:
    (file,) = (path for path in list_case_files() if path.parts[-2:] == ("datc-3.2", "6.I.txt"))
    ran = invoke("judge", str(file), "--json")
    assert [case["id"] for case in ran.document["cases"]] == [f"6.I.{number}" for number in range(1, 8)]
    assert invoke("judge", str(file)).out.count("[datc-3]") == 7


def test_a_setting_changes_the_outcome(invoke: Invoke) -> None:
    ran = invoke("judge", PARADOX, "--set", "4.A.2=all-hold", "--json")
    (case,) = ran.document["cases"]
    assert case["rulebook"]["name"] == "datc-3 with 4.A.2=all-hold"
    assert case["rulebook"]["settings"] == load_rulebook("datc-3").settings() | {"4.A.2": "all-hold"}
    assert (case["results"]["ENGLAND"][1], case["results"]["FRANCE"][0]) == ("fails", "fails")
    assert case["dislodged"] == {}
    table = invoke("judge", PARADOX, "--set", "4.A.2=all-hold").out
    assert "[datc-3 with 4.A.2=all-hold]" in table
    assert "By the rule All Hold" in table


def test_a_rulebook_of_the_users_own(invoke: Invoke, tmp_path: Path) -> None:
    own = tmp_path / "house.toml"
    own.write_text('title = "Our house"\nbased_on = "datc-3"\n[settings]\n"4.A.2" = "all-hold"\n', encoding="utf-8")
    (case,) = invoke("judge", PARADOX, "--rules", str(own), "--json").document["cases"]
    assert case["rulebook"]["title"] == "Our house"
    assert case["rulebook"]["settings"]["4.A.2"] == "all-hold"
    assert case["rulings"][0]["rule"] == "all-hold"


def test_an_unresolved_core_is_exit_code_1(invoke: Invoke) -> None:
    ran = invoke("judge", PARADOX, "--set", "4.A.2=none")
    assert (ran.code, ran.err) == (1, "")
    heading, message, end = ran.out.splitlines()
    assert (heading, end) == ("6.F.14: Simple convoy paradox  [datc-3 with 4.A.2=none]", "")
    assert message.startswith("Unresolved: ")
    assert "no answer to this core with 2 resolutions: F LON S F WAL - ENG; F WAL - ENG; F ENG C A BRE - LON" in message


def test_a_case_without_an_answer_does_not_hide_the_others(invoke: Invoke) -> None:
    (file,) = (path for path in list_case_files() if path.parts[-2:] == ("datc-3.2", "6.F.txt"))
    ran = invoke("judge", str(file), "--rules", "1971", "--json")
    assert (ran.code, ran.err) == (1, "")
    cases = ran.document["cases"]
    assert [case["id"] for case in cases] == [f"6.F.{number}" for number in range(1, 31)]
    silent = [case for case in cases if "unresolved" in case]
    assert len(silent) >= 2
    assert all(("results" in case) is (case not in silent) for case in cases)
    for case in silent:
        has_provenance(case, "1971")
        assert "1971 has no answer to this core with " in case["unresolved"]
    shown = invoke("judge", str(file), "--rules", "1971")
    assert (shown.code, shown.err) == (1, "")
    assert shown.out.count("[1971]\n") == 30
    assert shown.out.count("[1971]\nUnresolved: 1971 has no answer to this core with ") == len(silent)


@pytest.fixture
def brute_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brute_engine, "MOST_DECISIONS", 3)


@pytest.mark.usefixtures("brute_for_three")
@pytest.mark.parametrize("command", [["check"], ["datc"], ["datc", "--set", "4.A.2=all-hold"]], ids=" ".join)
def test_a_case_that_is_too_much_for_brute_force(invoke: Invoke, command: list[str]) -> None:
    """6.A.1 has fewer decisions than 6.F.14; neither stops the other."""
    prefix = "datc:" if command == ["check"] else ""
    name, *options = command
    for cases in (("6.F.14", "6.A.1"), ("6.A.1", "6.F.14")):
        arguments = [name, *(prefix + case for case in cases), *options, "--engine", "brute"]
        ran = invoke(*arguments)
        assert (ran.code, ran.err) == (1, "")
        message = "not answered: brute force supports at most 3 decisions, not 4"
        assert re.search(rf"^6\.F\.14 .*{message} +\d+$", ran.out, re.MULTILINE)
        document = invoke(*arguments, "--json").document
        told = [case for case in (*document["cases"], *document.get("deviations", ())) if not case["answered"]]
        assert {case["id"] for case in told} == {"6.F.14"}
        assert told[0]["differences"][0]["found"] == message


@pytest.mark.usefixtures("brute_for_three")
def test_judge_goes_on_behind_a_case_that_is_too_much(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    many = "".join(f"  A {place} - Burgundy\n" for place in ("Paris", "Marseilles", "Munich", "Belgium"))
    file = sheet(f"case 1: Many\nFrance:\n{many}case 2: Few\nFrance:\n  A Paris H\n")
    ran = invoke("judge", file, "--engine", "brute")
    assert (ran.code, ran.err) == (1, "")
    message = "brute force supports at most 3 decisions, not 4"
    assert ran.out.startswith(f"1: Many  [datc-3]\nUnanswered: {message}\n\n2: Few  [datc-3]\nPower ")
    first, second = invoke("judge", file, "--engine", "brute", "--json").document["cases"]
    assert (first["unanswered"], second["results"]) == (message, {"FRANCE": ["stands"]})


@pytest.mark.usefixtures("brute_for_three")
@pytest.mark.parametrize("options", [[], ["--json"], ["--graph", "core.svg"], ["--graph", "core.dot"]], ids=" ".join)
def test_resolutions_of_a_case_that_is_too_much_say_so(invoke: Invoke, options: list[str]) -> None:
    ran = invoke("resolutions", PARADOX, "--engine", "brute", *options)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "satjudge: brute force supports at most 3 decisions, not 4\n"


# Reading sheets.


def test_standard_input(invoke: Invoke) -> None:
    assert "F LON - NTH  succeeds" in invoke("judge", "-", stdin=SHEET).out
    assert invoke("judge", "-", stdin="\ufeff" + SHEET).code == 0
    assert invoke("check", "-", stdin=SHEET).code == 0
    assert invoke("resolutions", "-", stdin=SHEET).out.startswith("standard input  [datc-3]\n")
    assert invoke("equations", "-", stdin=SHEET).out.startswith("# standard input [datc-3]\n")


@pytest.mark.parametrize("command", ["judge", "resolutions", "equations", "check"])
@pytest.mark.parametrize(
    ("text", "place", "message", "suggestion"),
    [
        ("England:\n  F Londn - North Sea\n", "2:5", "expected a province, found 'Londn", "(did you mean London (LON)?)"),
        ("\n# Spring\nEngland:\n\tF London - Nroth Sea\n", "4:13", "'Nroth Sea'", "(did you mean North Sea (NTH)?)"),
        ("Englnd:\n  F London H\n", "1:1", "there is no power 'Englnd'", "(did you mean England?)"),
        ("England:\n  F London H | sucseeds\n", "2:", "'sucseeds' is not a verdict", "(verdicts are "),
        ("  F London H\n", "1:3", "whose order is 'F London H'?", "(write England: above it)"),
        ("England owns F Lundon\n", "1:", "'Lundon'", "(did you mean London (LON)?)"),
        ("phase: winter\nEngland:\n  F London H\n", "1:1", "there is no phase 'winter'", "(phases: movement, adjustment)"),
        ("England:\n  London H\n", "2", "is LON an army or a fleet?", "(write A LON or F LON"),
        ("England:\n  A London H\nFrance:\n  F London H\n", "4", "two units in LON", "(say which one is there: "),
        ("phase: retreat\nEngland:\n  F LON H\n", "1:1", "cannot begin with a retreat phase", "(write the movement orders, "),
        ("England:\n  F London H | cut {printed: given}\n", "2", "but the reason is missing", "(add a line erratum: with"),
        ("England:\n", "1", "there is nothing in this sheet", "(write a power and its orders: "),
        ("England owns A Paris, F Wales\nEngland:\n  F Paris H\n  A North Sea H\n", "4", "an army cannot be at sea", ""),
    ],
    ids=range(13),
)
def test_mistakes_in_sheets(
    invoke: Invoke, sheet: Callable[[str], str], command: str, text: str, place: str, message: str, suggestion: str
) -> None:
    file = sheet(text)
    ran = invoke(command, file)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"satjudge: {file}:{place}")
    assert message in ran.err
    assert suggestion in ran.err
    assert ran.err.count("\n") == 1
    piped = invoke(command, "-", stdin=text)
    assert piped.code == 2
    assert piped.err == ran.err.replace(file, "standard input")


@pytest.mark.parametrize("data", [b"", b"\n# nothing\n", b"\xff\xfe", b"x" * 10_000_001], ids=["no", "blank", "odd", "long"])
def test_standard_input_that_is_no_sheet(invoke: Invoke, data: bytes) -> None:
    ran = invoke("judge", "-", stdin=data)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("satjudge: standard input:")
    assert len(ran.err) < 300


def test_an_unknown_rulebook_in_a_sheet(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    file = sheet("rules: datc-33\n" + SHEET)
    ran = invoke("judge", file)
    assert ran.code == 2
    assert "there is no rulebook 'datc-33' (did you mean datc-3?)" in ran.err
    assert invoke("judge", file, "--rules", "datc-3").code == 0


# resolutions

COUNTS = [("6.F.14", 2), ("6.F.16", 0), ("6.F.22", 2), ("6.F.24", 0), ("6.C.1", 2), ("6.A.11", 1)]


@pytest.mark.parametrize("engine", ["full", "staged", "brute"])
@pytest.mark.parametrize(("case", "count"), COUNTS)
def test_counts_of_resolutions(invoke: Invoke, case: str, count: int, engine: str) -> None:
    ran = invoke("resolutions", f"datc:{case}", "--engine", engine, "--json")
    assert (ran.code, ran.err) == (0, "")
    (document,) = ran.document["cases"]
    has_provenance(document)
    assert document["id"] == case
    assert document["engine"] == engine
    assert (document["count"], document["complete"]) == (count, True)
    assert len(document["resolutions"]) == count
    assert bool(document["rulings"]) is (count != 1)


def test_resolutions_side_by_side(invoke: Invoke) -> None:
    assert invoke("resolutions", PARADOX) == (
        0,
        """\
6.F.14: Simple convoy paradox  [datc-3]
Core  Power    Order                #1         #2         Ruled
1     England  F LON S F WAL - ENG  given      cut        given
1     England  F WAL - ENG          succeeds   fails      succeeds
      France   A BRE - LON          fails      fails      fails
1     France   F ENG C A BRE - LON  disrupted  available  disrupted (ruled)
Consistent resolutions: 2.
Core 1: simple paradox, 2 resolutions, settled by backup rule szykman (shape 1C1M1S-2r-21451013)
  ┌ F ENG C A BRE - LON  is stopped by  F WAL - ENG
  │ F WAL - ENG  needs  F LON S F WAL - ENG
  └ F LON S F WAL - ENG  is stopped by  F ENG C A BRE - LON

""",
        "",
    )


def test_the_number_of_columns(invoke: Invoke) -> None:
    limited = invoke("resolutions", PARADOX, "--show", "1").out
    assert "#1" in limited
    assert "#2" not in limited
    assert "Consistent resolutions: 2.\n" in limited
    assert "The first 1 are shown; --show shows more, --jsonl lists all." in limited
    assert "are shown" not in invoke("resolutions", PARADOX, "--show", "2").out


def test_the_limit_of_the_search(invoke: Invoke) -> None:
    limited = invoke("resolutions", PARADOX, "--limit", "1")
    assert limited.code == 0
    assert "#1" in limited.out
    assert "#2" not in limited.out
    assert "Consistent resolutions: at least 1 (the search was stopped).\n" in limited.out
    (document,) = invoke("resolutions", PARADOX, "--limit", "1", "--json").document["cases"]
    assert (document["count"], document["complete"], len(document["resolutions"])) == (1, False, 1)
    assert document["ruled"]["decisions"]["F WAL - ENG"] is True
    assert "Consistent resolutions: 2.\n" in invoke("resolutions", PARADOX, "--limit", "2").out


def test_resolutions_as_lines(invoke: Invoke) -> None:
    ran = invoke("resolutions", PARADOX, "--jsonl")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    for number, line in enumerate((first, second), start=1):
        has_provenance(line)
        assert (line["id"], line["resolution"]) == ("6.F.14", number)
    support, attack, army, convoy = "F LON S F WAL - ENG", "F WAL - ENG", "A BRE - LON", "F ENG C A BRE - LON"
    assert first["decisions"] == {support: True, attack: True, army: False, convoy: False}
    assert first["strengths"] == {
        attack: {"path": True, "attack": 2, "prevent": 2, "defend": 2, "opposition": 1},
        army: {"path": False, "attack": 0, "prevent": 0, "defend": 1, "opposition": 1},
    }
    assert first["hold"] == {"LON": 1, "WAL": 0, "BRE": 1, "ENG": 1}
    assert second["decisions"] == {support: False, attack: False, army: False, convoy: True}
    assert second["strengths"] == {
        attack: {"path": True, "attack": 1, "prevent": 1, "defend": 1, "opposition": 1},
        army: {"path": True, "attack": 1, "prevent": 1, "defend": 1, "opposition": 1},
    }
    assert second["hold"] == {"LON": 1, "WAL": 1, "BRE": 1, "ENG": 1}


def test_a_board_without_resolutions_has_no_lines(invoke: Invoke) -> None:
    assert invoke("resolutions", "datc:6.F.16", "--jsonl") == (0, "", "6.F.16: Pandin's paradox: 0 consistent resolutions\n")
    assert "Consistent resolutions: 0." in invoke("resolutions", "datc:6.F.16").out


def test_rulings_in_json(invoke: Invoke) -> None:
    (document,) = invoke("resolutions", PARADOX, "--json").document["cases"]
    (ruling,) = document["rulings"]
    assert ruling == {
        "rule": "szykman",
        "name": "the Szykman rule",
        "core": ["F LON S F WAL - ENG", "F WAL - ENG", "F ENG C A BRE - LON"],
        "resolutions": 2,
        "settled": {"F ENG C A BRE - LON": False},
    }
    assert document["ruled"] == document["resolutions"][0]


# Which engine does the work.


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often each engine is called."""
    counted = {"staged": 0, "full": 0}

    def count(name: str, original: Callable[..., Adjudication]) -> Callable[..., Adjudication]:
        def adjudicate(situation: Situation, found: Resolutions) -> Adjudication:
            counted[name] += 1
            return original(situation, found)

        return adjudicate

    monkeypatch.setattr(staged_engine, "adjudicate", count("staged", staged_engine.adjudicate))
    monkeypatch.setattr(full_engine, "adjudicate", count("full", full_engine.adjudicate))
    return counted


@pytest.mark.parametrize(
    ("arguments", "engine", "times"),
    [
        (["judge", PARADOX], "staged", 1),
        (["judge", PARADOX, "--json"], "staged", 1),
        (["resolutions", PARADOX], "staged", 1),
        (["resolutions", PARADOX, "--jsonl"], "staged", 1),
        (["datc", "6.A"], "full", 12),
        (["check", PARADOX], "full", 1),
        (["batch"], "staged", 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_engines(invoke: Invoke, calls: dict[str, int], arguments: list[str], engine: str, times: int) -> None:
    other = {"staged": "full", "full": "staged"}[engine]
    row = b'{"units": {"FRANCE": ["A PAR"]}}\n'
    assert invoke(*arguments, stdin=row).code == 0
    assert calls[engine] >= times  # more where a case has expectations under other rulebooks
    assert calls[other] == 0
    once = calls[engine]
    assert invoke(*arguments, "--engine", other, stdin=row).code == 0
    assert calls == {engine: once, other: once}


def test_judging_without_a_core_loads_no_solver(sheet: Callable[[str], str]) -> None:
    code = (
        "import sys; from satjudge.apps.cli import run; assert run(sys.argv[1:]) == 0;"
        "print(sorted({'ortools', 'networkx', 'pandas', 'numpy'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code, "judge", sheet(SHEET)], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


# datc, check, export


def test_all_cases_pass(invoke: Invoke) -> None:
    ran = invoke("datc")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^DATC 3\.2: 176/176 passed, 8\d\d verdicts compared$", ran.out, re.MULTILINE)


def test_errata_stand_beside_their_case(invoke: Invoke) -> None:
    out = invoke("datc", "6.D").out
    assert out.startswith("Errata of the source\n")
    assert re.search(r'^6\.D\.4 +A BER S F KIE +given +cut +"Support is cut', out, re.MULTILINE)
    assert re.search(r'^6\.D\.35 +"A Smyrna Supports', out, re.MULTILINE)
    assert len(re.findall(r"^6\.D\.", out, re.MULTILINE)) == 3


@pytest.mark.parametrize("names", [["6.A"], ["6.a."], ["datc:6.A"], [f"6.A.{number}" for number in range(1, 13)]])
def test_sections_and_single_cases(invoke: Invoke, names: list[str]) -> None:
    assert "\nDATC 3.2: 12/12 passed, " in "\n" + invoke("datc", *names).out


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (["--edition", "2.4", "7.C"], 14),
        (["--edition", "2.4", "7.C.13", "9.", "10.G", "datc:8"], 1 + 7 + 2 + 5),
        (["2.4/7.C"], 14),
        (["--edition", "2.4", "2.4/12"], 4),
    ],
)
def test_cases_of_the_older_edition(invoke: Invoke, names: list[str], number: int) -> None:
    ran = invoke("datc", *names)
    assert (ran.code, ran.err) == (0, "")
    assert f"\nDATC 2.4: {number}/{number} passed, " in "\n" + ran.out


def test_all_cases_of_the_older_edition_pass(invoke: Invoke) -> None:
    ran = invoke("datc", "--edition", "2.4", "--engine", "staged")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^DATC 2\.4: 245/245 passed, 1\d\d\d verdicts compared$", ran.out, re.MULTILINE)


def test_a_case_of_the_older_edition_has_a_short_name(invoke: Invoke) -> None:
    out = invoke("judge", "datc:2.4/7.B.12").out
    assert out.startswith("2.4/7.B.12: Complex bounce with TSR  [datc-2]\n")
    assert "DATC 3.2" not in invoke("datc", "6.A", "--edition", "2.4").out
    ran = invoke("datc", "--edition", "2.4", "7.B.35")
    assert ran.code == 2
    assert re.search(r"there is no case '2\.4/7\.B\.35' \(did you mean [^)]*datc:2\.4/7\.B\.34", ran.err)


@pytest.mark.parametrize("name", ["7.B.12", "7.b", "9"])
def test_what_only_the_older_edition_has_is_said_to_be_there(invoke: Invoke, name: str) -> None:
    ran = invoke("datc", name)
    assert (ran.code, ran.err) == (2, f"satjudge: there is no case '{name}' (the DATC 2.4 has datc:2.4/{name.upper()})\n")
    assert invoke("datc", f"datc:2.4/{name.upper()}").code == 0


def test_cases_in_json(invoke: Invoke) -> None:
    document = invoke("datc", "6.B.11", "6.B.12", "--json").document
    assert document["engine"] == "full"
    assert document["passed"] == document["ran"] == len(document["cases"]) >= 2
    wrong_label, case = document["cases"][:2]
    has_provenance(case)
    assert (case["id"], case["passed"], case["checked"]) == ("6.B.12", True, 1)
    assert case["differences"] == case["errata"] == case["erratum"] == []
    assert wrong_label["errata"] == [{"order": "F SPA/SC - LYO", "printed": "fails", "correct": "illegal"}]
    assert wrong_label["erratum"]


@pytest.mark.parametrize("engine", ["full", "staged"])
def test_a_broken_expectation_is_exit_code_1(invoke: Invoke, tmp_path: Path, engine: str) -> None:
    (original,) = (path for path in list_case_files() if path.parts[-2:] == ("datc-3.2", "6.A.txt"))
    text = original.read_text(encoding="utf-8")
    broken, count = re.subn(r"(A Venice - Tyrolia +\| )fails", r"\1succeeds", text, count=1)
    assert count == 1
    file = tmp_path / "broken.txt"
    file.write_text(broken, encoding="utf-8")
    assert invoke("check", str(original)).code == 0
    ran = invoke("check", str(file), "--engine", engine)
    assert ran.code == 1
    line = next(number for number, line in enumerate(broken.splitlines(), 1) if "Venice - Tyrolia" in line)
    assert re.search(rf"^6\.A\.11 .*Italy +A VEN - TYR +succeeds +fails +{line}$", ran.out, re.MULTILINE)
    assert "Cases: 11/12 passed" in ran.out
    document = invoke("check", str(file), "--engine", engine, "--json")
    assert document.code == 1
    assert document.document["ran"] - document.document["passed"] == 1
    (failed,) = [case for case in document.document["cases"] if not case["passed"]]
    expected = {"power": "ITALY", "order": "A VEN - TYR", "expected": "succeeds", "found": "fails", "line": line}
    assert failed["differences"] == [expected]
    assert failed["file"] == str(file)


def test_a_broken_expectation_of_a_retreat_or_a_removal(invoke: Invoke, tmp_path: Path) -> None:
    retreats = "England owns F London\nFrance:\n  F Wales - English Channel | succeeds\n"
    file = tmp_path / "sheet.txt"
    for text in (
        "phase: adjustment\nFrance owns A Paris, F Brest, SC Paris\nFrance:\n  Automatic disband A Paris\n",
        "phase: adjustment\nFrance owns A Paris, F Brest, SC Paris\nFrance:\n  A Paris D | illegal\n",
        retreats.replace("succeeds", "fails"),
    ):
        file.write_text(text, encoding="utf-8")
        assert invoke("check", str(file)).code == 1, text
    file.write_text(retreats, encoding="utf-8")
    assert invoke("check", str(file)).code == 0


def test_check_with_nothing_expected(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    file = sheet("England:\n  F London H\n")
    for options in ([], ["--json"]):
        ran = invoke("check", file, *options)
        assert ran.code == 5
        assert "nothing ran" in ran.err
        assert "| succeeds" in ran.err


def test_check_takes_many_files(invoke: Invoke, sheet: Callable[[str], str]) -> None:
    assert "Cases: 3/3 passed" in invoke("check", sheet(SHEET), PARADOX, "datc:6.A.1").out


def test_export(invoke: Invoke) -> None:
    ran = invoke("export", "6.F.14", "6.H.9")
    assert (ran.code, ran.err) == (0, "")
    paradox, moves, retreats = (json.loads(line) for line in ran.out.splitlines())
    assert paradox["units"] == {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
    assert paradox["expected"]["results"] == {"ENGLAND": ["given", "succeeds"], "FRANCE": ["fails", "disrupted, dislodged"]}
    assert (moves["id"], moves["phase"]) == ("6.H.9", "movement")
    assert (retreats["id"], retreats["phase"]) == ("6.H.9/retreats", "retreat")
    assert retreats["dislodged"]["GERMANY"].keys() == {"F KIE"}
    assert retreats["orders"] == {"GERMANY": ["F KIE R BER"], "RUSSIA": ["A PRU D"]}


def test_export_takes_verdicts_and_removals_from_the_case() -> None:
    text = "phase: adjustment\nFrance owns A Paris, F Brest, SC Paris\nFrance:\n"
    text += "  Build A Paris | succeeds\n  Automatic disband A Paris\n"  # which is not what satjudge says
    (line,) = exported_lines(read_sheets(text)[0])
    assert line.expected.results == {"FRANCE": ["succeeds"]}
    assert line.expected.automatic == {"FRANCE": ["A PAR"]}
    assert line.centers == {"FRANCE": ["PAR"]}


# equations


def test_equations_as_text(invoke: Invoke) -> None:
    ran = invoke("equations", PARADOX)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "# 6.F.14: Simple convoy paradox [datc-3]"
    assert "HOLD(WAL) = 1 if not MOVE(F WAL - ENG) else 0" in lines
    assert "CONVOY(F ENG C A BRE - LON) = not MOVE(F WAL - ENG)" in lines
    assert "  PATH(A BRE - LON) = CONVOY(F ENG C A BRE - LON)" in lines


def solutions(text: str) -> tuple[int, set[str]]:
    """How many solutions a model has, and how its variables are called."""
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1

    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text)
    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C would no longer reach Python afterwards
    solver.solve(model, counter)
    return counter.count, {variable.name for variable in model.proto.variables}


@pytest.mark.parametrize(("case", "count"), COUNTS)
def test_the_model_can_be_loaded_and_says_the_same(invoke: Invoke, tmp_path: Path, case: str, count: int) -> None:
    file = tmp_path / "model.pbtxt"
    ran = invoke("equations", f"datc:{case}", "--proto", str(file))
    assert (ran.code, ran.err) == (0, f"wrote {file}\n")
    assert ran.out == invoke("equations", f"datc:{case}").out
    found, names = solutions(file.read_text(encoding="utf-8"))
    assert found == count
    labels = re.findall(r"^ *(\w+)\((.*?)\) = ", ran.out, re.MULTILINE)
    assert {"MOVE", "PATH", "ATTACK", "PREVENT", "DEFEND", "HOLD"} <= {term for term, _ in labels}
    assert {f"{term}[{about}]" for term, about in labels} <= names


def test_the_model_in_binary(invoke: Invoke, tmp_path: Path) -> None:
    from ortools.sat import cp_model_pb2

    file = tmp_path / "model.pb"
    assert invoke("equations", PARADOX, "--proto", str(file)).code == 0
    model = cp_model_pb2.CpModelProto()
    model.ParseFromString(file.read_bytes())
    assert solutions(str(model))[0] == 2


def test_one_model_for_one_case(invoke: Invoke, tmp_path: Path) -> None:
    (file,) = (path for path in list_case_files() if path.parts[-2:] == ("datc-3.2", "6.C.txt"))
    ran = invoke("equations", str(file), "--proto", str(tmp_path / "model.pbtxt"))
    assert ran.code == 2
    assert "contains 9 cases: choose one with --case ID" in ran.err
    assert not list(tmp_path.iterdir())


# One case of several.


@pytest.mark.parametrize("command", ["judge", "resolutions", "explain", "compare", "equations"])
def test_one_case_of_a_file(invoke: Invoke, sheet: Callable[[str], str], command: str) -> None:
    text = "case a: one\nFrance:\n  A PAR - BUR\ncase b: two\nItaly:\n  A ROM - APU\n"
    both, second = invoke(command, sheet(text)), invoke(command, sheet(text), "--case", "b")
    assert both.code == second.code == 0
    assert ("a: one" in both.out, "a: one" in second.out) == (True, False)
    assert second.out in both.out
    assert invoke(command, "-", "--case", "b", stdin=text) == second
    missing = invoke(command, sheet(text), "--case", "c")
    assert (missing.code, missing.out) == (2, "")
    assert "there is no case c in " in missing.err
    assert missing.err.endswith(" (there are a, b)\n")
    alone = invoke(command, sheet("France:\n  A PAR - BUR\n"), "--case", "c")
    assert alone.err.endswith(" (its only case has no ID: leave out --case)\n")


@pytest.mark.parametrize(("line", "at"), [("rules: 1983", 1), ("under 1983:", 4), ("under datc-3 with 4.A.7=a:", 4)])
def test_a_rulebook_that_there_is_not_is_told_with_its_line(
    invoke: Invoke, sheet: Callable[[str], str], line: str, at: int
) -> None:
    lines = ["case a: one", "France:", "  A PAR H | stands"]
    lines.insert(1 if at == 1 else 3, line)
    ran = invoke("check", path := sheet("\n".join([*lines, "  same" if at > 1 else ""])))
    assert ran.code == 2
    assert ran.err.startswith(f"satjudge: {path}:{at}: ")


# What goes wrong outside.


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [["judge", PARADOX], ["export", "6.A.1"], ["batch"], ["--help"]], ids=" ".join)
def test_no_space_left(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full_device:
        ran = subprocess.run(
            [*COMMAND, *arguments],
            input=b'{"units": {"FRANCE": ["A PAR"]}}\n',
            stdout=full_device,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
            env=BUFFERED,
        )
    assert (ran.returncode, ran.stderr) == (2, b"satjudge: cannot write: No space left on device\n")


def test_an_internal_error_is_exit_code_3(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the sky fell")

    monkeypatch.setattr(satjudge.apps.cli.judge, "judge_case", broken)
    monkeypatch.delenv("SATJUDGE_DEBUG", raising=False)
    ran = invoke("judge", PARADOX)
    assert ran == (3, "", "satjudge: internal error: ZeroDivisionError: the sky fell (SATJUDGE_DEBUG=1 shows where)\n")
    monkeypatch.setenv("SATJUDGE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError, match="the sky fell"):
        invoke("judge", PARADOX)


def test_an_interruption_is_exit_code_130(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(satjudge.apps.cli.judge, "judge_case", interrupted)
    ran = invoke("judge", PARADOX)
    assert (ran.code, ran.err.split()) == (130, ["interrupted"])


def test_codes_reach_the_shell(sheet: Callable[[str], str]) -> None:
    file = sheet("England:\n  F London - North Sea | fails\n")
    assert in_shell("check", file).returncode == 1
    assert in_shell("judge", "missing").returncode == 2
    assert in_shell("batch", stdin=subprocess.DEVNULL).returncode == 5


@pytest.mark.parametrize("arguments", [["export"], ["batch", "rows.jsonl"], ["batch"]], ids=" ".join)
def test_a_reader_that_has_had_enough(arguments: list[str], tmp_path: Path) -> None:
    row = b'{"units": {"FRANCE": ["A PAR"]}}\n'
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(row * 20_000)
    with rows.open("rb") as stdin:
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=BUFFERED
        )
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith(b'{"id":')
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("arguments", [["judge", PARADOX], ["export", "6.A.1"]], ids=" ".join)
def test_a_reader_that_is_gone_already(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = subprocess.run(
            [*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False, env=BUFFERED
        )
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_orders_that_cannot_be_read_may_be_told_and_not_stop_the_judge(invoke: Invoke) -> None:
    """4.E.2 in DATC 2.4: by default a typed sheet is refused; `--lenient` judges it with those orders illegal."""
    text = "France:\n  A PAR - BUR\n  A MAR to Switzerland\n  whistle Dixie\nretreats\nFrance:\n  ???\n"
    refused = invoke("judge", "-", stdin=text)
    assert refused.code == 2
    assert "standard input:3:12: expected a province, found 'Switzerland'" in refused.err
    judged = invoke("judge", "-", "--lenient", "--json", stdin=text)
    assert judged.code == 0
    (case,) = judged.document["cases"]
    assert case["results"] == {"FRANCE": ["succeeds", "illegal", "illegal"]}
    assert case["units"] == {"FRANCE": ["A BUR", "A MAR"]}
    assert case["retreats"]["results"] == {"FRANCE": ["illegal"]}
    assert "found 'Switzerland'" in invoke("judge", "-", "--lenient", stdin=text).out


@pytest.mark.parametrize("command", [[], ["render"], ["search"]])
def test_help_that_names_pages_says_where_they_are(invoke: Invoke, command: list[str]) -> None:
    assert f"\nPages: {DOCS}/\n" in invoke(*command, "--help").out
    assert "Pages:" not in invoke("rulebooks", "--help").out


@pytest.mark.parametrize(
    ("repository", "pages"),
    [
        ("https://code.example.net/satjudge", "https://code.example.net/satjudge/blob/v1/docs/"),
        ("https://example.org/satjudge", "in the folder docs of the repository"),
    ],
)
def test_an_address_that_leads_nowhere_is_not_told(
    repository: str, pages: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Until there is a public repository its address is a placeholder. A clone has the pages itself."""
    named = Message()
    named["Project-URL"] = f"Documentation, {repository}/blob/v1/README.md"
    monkeypatch.setattr("importlib.metadata.metadata", lambda _: named)
    monkeypatch.setattr("satjudge.__file__", str(tmp_path / "site-packages" / "satjudge" / "__init__.py"))
    assert describe_page_location("as docs/guides/search.md says") == f"Pages: {pages}"


def test_no_help_names_the_placeholder_of_an_address(invoke: Invoke) -> None:
    for command in ([], ["batch"], ["search"], ["lines"], ["conformance"]):
        assert "example.org/satjudge" not in invoke(*command, "--help").out


def test_rulebooks_are_compared_by_what_they_choose(invoke: Invoke) -> None:
    shown = invoke("rulebooks", "1982", "2023", "--differences").out
    assert re.findall(r"^(4\.\S+)", shown, re.MULTILINE) == ["4.A.2", "4.A.3", "4.A.5", "4.D.8", "4.D.9.retreats"]
    assert re.search(r"^4\.A\.5 +May a unit retreat to the province that its convoyed attacker left\?$", shown, re.MULTILINE)
    assert re.search(r"^ +1982 +barred +no: the text taken literally", shown, re.MULTILINE)
    document = invoke("rulebooks", "1982", "2023", "--differences", "--json").document
    assert [one["issue"] for one in document["options"]] == re.findall(r"^(4\.\S+)", shown, re.MULTILINE)
    assert invoke("rulebooks", "1982", "1982", "--differences").out == "The rulebooks do not differ in any option.\n"
    alone = invoke("rulebooks", "1982", "--differences")
    assert (alone.code, "name another one in addition to 1982" in alone.err) == (2, True)
    assert re.search(r"^4\.E\.1 ", invoke("rulebooks", "--differences").out, re.MULTILINE)
    assert re.findall(r"^4\S+", invoke("rulebooks", "1971", "4.A.4", "4.A.2.1982").out, re.M)[:2] == ["4.A.2.1982", "4.A.4.1"]
    assert "there is no option for 4.Z (`satjudge rulebooks`" in invoke("rulebooks", "4.Z").err


def test_an_error_that_names_a_page_says_where_it_is(invoke: Invoke) -> None:
    refused = invoke("search", "nowhere:Goal")
    assert "(docs/guides/own-goals.md)" in refused.err
    assert f"\nPages: {DOCS}/\n" in refused.err
    assert "Pages:" not in invoke("judge", "docs/nowhere.txt").err


def test_the_picture_of_a_phase_has_its_name_in_words(invoke: Invoke, tmp_path: Path) -> None:
    game, picture = str(tmp_path / "g.json"), tmp_path / "g.svg"
    for step in (["new"], ["next"]):
        assert invoke("game", *step, game).code == 0
    assert invoke("render", game, "--case", "F1901M", "-o", str(picture)).code == 0
    assert ">Fall 1901, moves<" in picture.read_text("utf-8")
    for step in (["undo", game], ["order", game, "FRANCE", "A PAR - BUR"], ["next", game]):
        assert invoke("game", *step).code == 0
    assert "using S1901M, the latest phase with orders; choose another with --case (--case F1901M is the current position)" in (
        invoke("render", game, "-o", str(picture)).err
    )
