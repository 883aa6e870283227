"""What is hostile or broken: input of another kind or without an end, closed streams, packages that are missing."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import satjudge
from satjudge.apps.cli import run
from satjudge.base.errors import RulebookError, SheetError
from satjudge.base.resources import LONGEST_TOML, decode_json
from satjudge.base.words import ERRORS, escape_controls, escape_json
from satjudge.judging.check import check_under
from satjudge.notation.sheet_reader import load_sheets, read_sheets

COMMAND = (sys.executable, "-c", "from satjudge.apps.cli import main; main()")
PARADOX = "datc:6.F.14"
Write = Callable[[str, str | bytes], str]
ESCAPE = "\x1b]0;owned\x07\x1b[31m\x9b2J\u202e"


def command(*arguments: str, env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[bytes]:
    whole = {**os.environ, **env}
    return subprocess.run([*COMMAND, *arguments], capture_output=True, timeout=120, check=False, env=whole, cwd=cwd)


def shell(line: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A line of the shell, in which `satjudge` is the command."""
    function = f'satjudge() {{ "{sys.executable}" -c "from satjudge.apps.cli import main; main()" "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", function], capture_output=True, timeout=120, check=False, env={**os.environ, **env})


@pytest.fixture
def written(tmp_path: Path) -> Write:
    def write(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


# ---- 11: files of another kind ----


@pytest.mark.parametrize(
    ("content", "what", "taker"),
    [
        ('{"id": "g", "map": "standard", "phases": [' + " " * 7_302 + "]}", "a saved game", "no position"),
        ('{"id": 1, "orders": {}}\n', "not a batch request", "missing required field `units`"),
        ('{"game": "g", "next_units": {}}\n', "not a phase of a game", "missing required field"),
        ('{"claims": {}}', "the run of a census", "satjudge report"),
        ('{"against": "x"}', "the run of a cross-check", "satjudge report"),
        ('name = "mine"\n[settings]\n', "a rulebook", "--rules"),
        ('name = "mine"\npowers = ["NORTH"]\n\n[province.HIL]\n', "a map", "satjudge maps show"),
        ("NORTH HIL\nLAND HIL ABUTS FEN\n", "a map", "satjudge maps show"),
        ("CASE x\nPRESTATE\nEngland: F nth\n", "the case has no END", "g.json"),
        (b"\x1f\x8b\x08\x00", "the gzip file is damaged", "g.json"),
        (b"PK\x03\x04", "a zip archive", "an order sheet"),
    ],
)
@pytest.mark.parametrize("name", ["judge", "resolutions", "explain", "check", "prove"])
def test_a_file_of_another_kind_is_told_by_its_kind(
    name: str,
    content: str | bytes,
    what: str,
    taker: str,
    written: Write,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([name, written("g.json", content)]) == 2
    told = capsys.readouterr().err
    assert f"{what}" in told
    assert taker in told


def test_a_saved_game_without_phases_makes_no_page(written: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = written("g.json", '{"phases": []}')
    assert run(["report", game, "-o", str(tmp_path / "x.html")]) == 2
    assert "there is no position in a saved game" in capsys.readouterr().err


# ---- 12: packages that are missing or broken ----

BLOCKER = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "{package}":
            raise {error}
sys.meta_path.insert(0, Blocker())
from satjudge.apps.cli import main
main()
"""
MISSING = 'ModuleNotFoundError(f"No module named {name!r}", name=name)'
USES = {
    "ortools": ["resolutions", "datc:6.F.14", "--engine", "full"],
    "networkx": ["resolutions", "datc:6.F.14", "--graph", "x.dot"],
    "resvg_py": ["render", PARADOX, "-o", "x.png"],
    "pysat": ["search", "paradox", "--region", "BRE ENG LON", "--second-opinion"],
    "distributed": ["crosscheck", "--against", "kruijswijk-guess", "--fuzz", "1", "--jobs", "tcp://127.0.0.1:1"],
}


@pytest.mark.parametrize("package", USES)
def test_a_missing_package_is_named(package: str, tmp_path: Path) -> None:
    program = BLOCKER.format(package=package, error=MISSING)
    ran = subprocess.run([sys.executable, "-c", program, *USES[package]], capture_output=True, cwd=tmp_path, check=False)
    assert ran.returncode == 2, ran.stderr
    assert b"pip install" in ran.stderr
    assert b"internal error" not in ran.stderr


def test_prove_names_the_solver_that_it_lacks() -> None:
    program = BLOCKER.format(package="ortools", error=MISSING)
    ran = subprocess.run([sys.executable, "-c", program, "prove", "line:walker-1"], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr == b"satjudge: this needs the package ortools, which is not installed (pip install ortools)\n"


@pytest.mark.parametrize(
    "raised",
    [
        'ImportError("needs another numpy")',
        *(pytest.param(error, marks=pytest.mark.slow) for error in ('AttributeError("no such thing")', 'OSError("libx.so")')),
    ],
)
@pytest.mark.parametrize("package", ["ortools", "networkx", "resvg_py", "pysat", "distributed"])
def test_a_broken_package_is_named(package: str, raised: str, tmp_path: Path) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(f"raise {raised}\n", encoding="utf-8")
    ran = command(*USES[package], env={"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert ran.returncode == 2, ran.stderr
    assert b"internal error" not in ran.stderr
    assert package.partition("_")[0].encode() in ran.stderr or b"pip install" in ran.stderr


# ---- 13: Ctrl-C while modules are imported ----

PAUSING = """
import sys, time
class Pausing:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            print("importing", flush=True)
            time.sleep(60)
sys.meta_path.insert(0, Pausing())
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("module", ["satjudge.world.board", "click", "satjudge.apps.cli.judge"])
@pytest.mark.parametrize("script", [True, False])
def test_an_interrupt_while_modules_are_imported(module: str, script: bool, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(PAUSING.format(module=module), encoding="utf-8")
    (tmp_path / "satjudge").write_text("import sys\nfrom satjudge.apps.cli import main\nsys.exit(main())\n", encoding="utf-8")
    program = [str(tmp_path / "satjudge")] if script else ["-m", "satjudge"]
    root = str(Path(satjudge.__file__).parent.parent)
    process = subprocess.Popen(
        [sys.executable, *program, "judge", "datc:6.A.1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": f"{root}:{tmp_path}"},
    )  # fmt: skip
    with process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"importing\n"
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
        assert (process.wait(), told.strip()) == (130, b"interrupted")


@pytest.mark.usefixtures("interruptible")
def test_the_library_leaves_signals_alone() -> None:
    program = "import signal, satjudge; assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# ---- 26: bounds ----


def test_a_key_of_many_parts_is_no_rulebook(written: Write) -> None:
    """`a.a.a…` took 9.8 GB."""
    for text in (
        "a." * 20_000 + "a = 1",
        "[" + "a." * 20_000 + "a]",
        "a = " + "[" * 20_000,
        "a = " + "{a=" * 20_000,
        "a = " + "1" * 5_000,
    ):
        with pytest.raises(RulebookError, match="not a readable TOML file"):
            satjudge.load_rulebook(written("deep.toml", text))
    with pytest.raises(RulebookError, match="too long: more than 200,000 bytes"):
        satjudge.load_rulebook(written("long.toml", "#" * (LONGEST_TOML + 1)))


# ---- 28: what is written, and where to ----


def spelled(text: str, encoding: str) -> str:
    """The text as a stream of that encoding writes it."""
    return text.encode(encoding, ERRORS).decode(encoding)


@pytest.mark.parametrize(
    "encoding", ["cp1252", "ascii", *(pytest.param(name, marks=pytest.mark.slow) for name in ("utf-8", "latin-1", "cp437"))]
)
@pytest.mark.parametrize(
    "arguments",
    [
        ["resolutions", PARADOX],
        ["judge", "a.txt"],
        ["judge", "a.txt", "--json"],
        ["explain", PARADOX],
        ["rulebooks"],
        ["--help"],
    ],
)
def test_output_in_any_encoding(encoding: str, arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("case 1: Zürich → “Łódź” ☃\nFrance:\n  A PAR H\n", encoding="utf-8")
    ran = command(*arguments, env={"PYTHONIOENCODING": encoding}, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")
    text = ran.stdout.decode("utf-8" if (arguments, encoding) == (["--help"], "ascii") else encoding)  # click writes no ASCII
    if arguments[0] == "resolutions":
        assert ("  ┌ F ENG C" in text) is (encoding in ("utf-8", "cp437"))
        assert ("  + F ENG C" in text) is (encoding in ("ascii", "latin-1", "cp1252"))
    if arguments[0] == "judge":
        line = json.loads(text)["cases"][0]["title"] if "--json" in arguments else text.splitlines()[0]
        expected = "Zürich → “Łódź” ☃"
        assert (expected if encoding == "utf-8" or "--json" in arguments else spelled(expected, encoding)) in line


def test_the_locale_of_c() -> None:
    assert shell(f"satjudge resolutions {PARADOX}", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0").returncode == 0


def test_what_an_encoding_lacks_is_put_in_ascii() -> None:
    assert spelled("─│┌ → … “a” ‘b’ – é ☃", "ascii") == "-|+ -> ... \"a\" 'b' - e \\u2603"
    assert spelled("é – ☃", "latin-1") == "é - \\u2603"


def test_control_characters_are_written_out() -> None:
    assert escape_controls(ESCAPE) == r"\x1b]0;owned\x07\x1b[31m\x9b2J\u202e"
    assert escape_controls("a\tb\nc ─ é") == "a\tb\nc ─ é"
    document = msgspec.json.encode({"title": ESCAPE + "é😀"}).decode()
    for encoding in ("utf-8", "ascii"):
        safe = escape_json(document, encoding)
        assert json.loads(safe) == {"title": ESCAPE + "é😀"}
        assert not set(safe) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert escape_json(document, "ascii").isascii()


@pytest.mark.parametrize(
    "arguments", [["judge"], ["resolutions"], ["explain"], ["check"], ["equations"], ["judge", "--json"], ["compare"]]
)
def test_terminal_escapes_of_a_sheet_are_shown(
    arguments: list[str],
    written: Write,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, *options = arguments
    title = ESCAPE.translate({0x1B: "\x1b", 0x85: None})
    sheet = written("s.txt", f"case 1: {title}\nsource: {title}\nFrance:\n  A PAR - BUR | fails\n")
    assert run([name, sheet, *options]) in (0, 1)
    assert run([name, sheet, "--case", title]) == 2
    assert run([name, title]) == 2
    assert run([name, f"--{title}"]) == 2
    captured = capsys.readouterr()
    assert not set(captured.out + captured.err) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "\\x1b]0;owned" in captured.err


def test_terminal_escapes_of_a_rulebook_are_shown(written: Write, capsys: pytest.CaptureFixture[str]) -> None:
    rules = written("r.toml", 'name = "\\u001b[31mred"\ntitle = "\\u009b2J"\n')
    assert run(["judge", PARADOX, "--rules", rules]) == 0
    assert run(["rulebooks", rules]) == 0
    out = capsys.readouterr().out
    assert not set(out) & {"\x1b", "\x9b"}
    assert "\\x1b[31mred" in out


def test_a_terminal_gets_no_escapes_but_those_of_styles(
    written: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert run(["judge", written("s.txt", f"case 1: {ESCAPE}\nFrance:\n  A PAR H\n")]) == 0
    out = capsys.readouterr().out
    assert "\x1b[1m" in out  # bold
    assert "\x1b]0" not in out
    assert "\x1b[31m" not in out
    assert "\\x1b]0;owned" in out


def test_only_one_module_writes_to_the_streams() -> None:
    """All that a command says goes through `satjudge.apps.cli.output`, which makes it safe; `batch` writes JSON alone."""
    for path in (Path(satjudge.__file__).parent / "apps" / "cli").glob("*.py"):
        if path.name == "output.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write"), path.name


@pytest.mark.parametrize(
    "name",
    [
        "judge",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("resolutions", "explain", "check", "equations", "compare")),
    ],
)
def test_closed_streams(name: str) -> None:
    closed = shell(f"satjudge {name} datc:6.A.1 >&-")
    assert (closed.returncode, closed.stderr) == (2, b"satjudge: cannot write: standard output is closed\n")
    assert shell(f"satjudge {name} datc:6.A.1 2>&-").returncode == 0
    assert shell(f"satjudge {name} no-such-file 2>&-").returncode == 2
    assert shell(f"satjudge {name} datc:6.A.1 >&- 2>&- <&-").returncode == 2
    assert shell(f"satjudge {name} datc:6.A.1 > /dev/full").stderr == b"satjudge: cannot write: No space left on device\n"


@pytest.mark.parametrize(
    ("streams", "code"),
    [
        (">&-", 2),
        ("2>&1 | true; exit ${PIPESTATUS[0]}", 0),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (("2>&-", 0), (">&- 2>&-", 2), ("2> /dev/full", 0))),
    ],
)
def test_a_census_does_its_work_whatever_the_streams_are(streams: str, code: int, tmp_path: Path) -> None:
    state, saved = tmp_path / "state.jsonl", tmp_path / "saved"
    line = f"satjudge census --boards 20 --jobs 1 --compare-every 0 --state {state} --save {saved}"
    ran = shell(f"{line} {streams}")
    assert ran.returncode == code, ran.stderr
    assert state.read_text(encoding="utf-8").count('"chunk"') > 0
    assert list(saved.glob("*.txt"))
    if streams == ">&-":
        assert ran.stderr.endswith(b"satjudge: cannot write: standard output is closed\n")


def test_a_file_does_not_take_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    assert shell(f"satjudge render {PARADOX} -o {picture} <&- >&- 2>&-").returncode == 0
    assert picture.read_text(encoding="utf-8").startswith("<")


# ---- 29: files that nobody asked to be read, and files without an end ----


def test_a_sheet_opens_no_rulebook(written: Write, capsys: pytest.CaptureFixture[str]) -> None:
    rules = written("own.toml", 'based_on = "1971"\n')
    for name in ("judge", "resolutions", "explain", "check", "equations"):
        sheet = written("s.txt", f"rules: {rules}\nFrance:\n  A PAR H | stands\n")
        assert run([name, sheet]) == 2
        assert "is not a rulebook that" in (told := capsys.readouterr().err)
        assert "--rules FILE.toml" in told
        assert run([name, sheet, "--rules", rules]) == 0
    under = read_sheets(f"France:\n  A PAR H | stands\nunder {rules}:\n  same\n")
    with pytest.raises(RulebookError, match="is not a rulebook that"):
        list(check_under(under[0]))


@pytest.mark.parametrize("name", ["judge", "check", "explain", "equations"])
def test_a_file_without_an_end(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "/dev/zero"]) == 2
    assert "/dev/zero: too long: more than 10,000,000 bytes" in capsys.readouterr().err


def test_state_is_kept_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["census", "--boards", "2", "--jobs", "1", "--state", "/dev/full"]) == 2
    assert "/dev/full: the state of the census can only be kept in a regular file" in capsys.readouterr().err
    assert run(["judge", PARADOX, "--rules", "/dev/zero.toml"]) == 2


def test_an_endless_rulebook(tmp_path: Path) -> None:
    (tmp_path / "x.toml").symlink_to("/dev/zero")
    with pytest.raises(RulebookError):
        satjudge.load_rulebook(str(tmp_path / "x.toml"))


def test_a_fifo_is_read(written: Write) -> None:
    sheet = written("s.txt", "France:\n  A PAR H\n")
    assert shell(f"satjudge judge <(cat {sheet})").returncode == 0


# ---- 30: bad usage is exit 2 ----

LONG_NAME = "n" * 300
HUGE = "9" * 400
USAGES = [
    *(
        [name, LONG_NAME]
        for name in ("judge", "resolutions", "explain", "equations", "check", "compare", "prove", "replay", "batch")
    ),
    ["crosscheck", "--against", "kruijswijk-guess", LONG_NAME],
    ["crosscheck", "--against", LONG_NAME, "--fuzz", "1"],
    ["datc", LONG_NAME],
    ["export", LONG_NAME],
    ["rulebooks", LONG_NAME],
    ["rulebooks", f"{LONG_NAME}.toml"],
    ["judge", PARADOX, "--rules", f"{LONG_NAME}.toml"],
    ["judge", PARADOX, "--set", LONG_NAME],
    ["render", PARADOX, "-o", f"{LONG_NAME}.svg"],
    ["render", PARADOX, "-o", "x.svg", "--width", HUGE],
    ["report", PARADOX, "-o", f"{LONG_NAME}.html"],
    ["report", f"{LONG_NAME}.json", "-o", "x.html"],
    ["resolutions", PARADOX, "--graph", f"{LONG_NAME}.dot"],
    ["equations", PARADOX, "--proto", f"{LONG_NAME}.pbtxt"],
    ["census", "--boards", "2", "--jobs", "1", "--state", LONG_NAME],
    ["census", "--boards", "2", "--jobs", "1", "--save", LONG_NAME],
    ["census", "--boards", "2", "--jobs", HUGE],
    ["search", "paradox", "--board", LONG_NAME],
    ["search", "paradox", "--region", "BRE ENG", "--save", LONG_NAME],
    ["search", "(" * 350 + "paradox" + ")" * 350, "--region", "BRE ENG LON"],
    ["search", "not " * 350 + "paradox", "--region", "BRE ENG LON"],
    ["guarantee", "(" * 350 + "hold" + ")" * 350, PARADOX, "--power", "England"],
    ["guarantee", "hold", LONG_NAME, "--power", "England"],
    *(["search", "paradox", "--region", "BRE ENG LON", "--timeout", value] for value in ("nan", "inf", "-1", "1e300", HUGE)),
    *(["resolutions", PARADOX, "--timeout", value] for value in ("nan", "inf", "-1", "0", "1e300")),
    *(["guarantee", "hold", PARADOX, "--power", "England", "--timeout", value] for value in ("nan", "inf", "-inf")),
    *(["crosscheck", "--against", "kruijswijk-guess", "--fuzz", "1", "--timeout", value] for value in ("nan", "inf", "0")),
]


@pytest.mark.parametrize("arguments", USAGES, ids=lambda arguments: " ".join(arguments)[:60].replace("\0", "0"))
def test_bad_usage(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    told = capsys.readouterr().err
    assert "internal error" not in told
    assert "None" not in told
    assert told.strip()


@pytest.mark.parametrize(
    "arguments",
    [
        ["resolutions", PARADOX, "--limit", HUGE],
        ["resolutions", PARADOX, "--show", HUGE],
        ["search", "paradox", "--region", "BRE ENG LON WAL", "--max-units", HUGE],
        ["search", "paradox", "--region", "BRE ENG LON WAL", "--longest-route", HUGE],
        ["census", "--boards", "2", "--jobs", "1", "--seed", HUGE],
        ["census", "--boards", "2", "--jobs", "1", "--compare-every", HUGE],
        ["crosscheck", "--against", "kruijswijk-guess", "--fuzz", "2", "--jobs", "1", "--seed", HUGE, f"--limit=shrink={HUGE}"],
        ["crosscheck", "--against", "kruijswijk-guess", "--only", HUGE, "--jobs", "1"],
    ],
    ids=lambda arguments: " ".join(arguments)[:70],
)
def test_huge_numbers(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are taken for what they are, or refused."""
    monkeypatch.chdir(tmp_path)
    assert run(arguments) in (0, 1, 2)
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "error", [OSError("no words"), OSError(None, None), OSError(), OSError(5, "told"), OSError(2, "gone", "x")]
)
def test_every_error_of_the_system_is_told_with_its_reason(
    error: OSError, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("satjudge.apps.cli.cli.main", failing)
    monkeypatch.setattr("satjudge.apps.cli.silence", lambda stream: None)
    assert run(["judge", PARADOX]) == 2
    told = capsys.readouterr().err
    assert "None" not in told
    assert any(word in told for word in ("no words", "OSError", "told", "x: gone"))


def test_a_key_that_stands_twice(written: Write, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(msgspec.DecodeError, match="the key 'a' appears twice"):
        decode_json('{"b": [{"a": 1, "a": 2}]}')
    with pytest.raises(msgspec.DecodeError, match="nested too deeply"):
        decode_json("[" * 100_000)
    assert decode_json("[" + "1" * 5_000 + ', {"a": {"a": 1}}]', list[msgspec.Raw])
    game = {
        "id": "x",
        "map": "standard",
        "phases": [{"name": "S1901M", "state": {"name": "S1901M", "units": {}}, "orders": {}, "results": {}}],
    }
    text = json.dumps(game).replace('"units": {}', '"units": {"FRANCE": ["A PAR"]}, "units": {}')
    for name, content in (("g.json", text), ("g.jsonl", text + "\n")):
        assert run(["replay", written(name, content)]) == 2
        assert "the key 'units' appears twice" in capsys.readouterr().err
    assert run(["report", written("r.json", '{"claims": {}, "claims": {}}'), "-o", "x.html"]) == 2
    assert "the key 'claims' appears twice" in capsys.readouterr().err


def test_a_sheet_that_cannot_be_read(written: Write) -> None:
    with pytest.raises(SheetError, match="cannot be read"):
        load_sheets(Path(LONG_NAME))


# ---- 26: many orders ----


@pytest.mark.slow
def test_pictures_and_explanations_of_many_orders_to_one_unit(
    written: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """4,000 orders to one unit took two minutes to draw, and 50,000 as long to explain."""
    many = "England:\n  F LON - NTH\n" + "  F LON - ENG\n" * 4_000
    assert run(["render", written("s.txt", many), "-o", str(tmp_path / "x.svg"), "--json"]) == 0
    assert "F LON - ENG of England (illegal)" in (tmp_path / "x.svg").read_text(encoding="utf-8") + capsys.readouterr().out
    assert run(["explain", written("s.txt", many + "  F LON - ENG\n" * 26_000)]) == 0
