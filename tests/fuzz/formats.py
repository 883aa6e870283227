"""Every format that satjudge reads, with samples, and what is done with a mutated one.

`Format.read` raises `BrokenError` for an answer that is none: an internal error, a traceback, an exit code that is not
documented. Any other exception that it lets through is one as well.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from satjudge.apps.cli import run
from satjudge.base.errors import OracleError
from satjudge.base.resources import data_directory, data_file
from satjudge.engines.comparison import PhaseOrders
from satjudge.engines.connections.process_oracle import ProcessOracle
from satjudge.files.dialects import load_dialects
from satjudge.notation.bundled_cases import find_bundled_case, list_case_files
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Hold, Move, Named

GOOD_CODES = {0, 1, 2, 5}


class BrokenError(Exception):
    """An answer that is none; `what` tells one such failure from another."""

    def __init__(self, what: str, told: str = "") -> None:
        super().__init__(f"{what}\n{told}"[:2000])
        self.what = what


@dataclass(frozen=True)
class Format:
    """One format: samples of it, the words it is made of, and who reads it.

    `read(data, choice, folder)` hands `data` to one of its readers, by `choice`; files are written into `folder`.
    """

    name: str
    samples: Sequence[bytes]
    words: Sequence[bytes]
    read: Callable[[bytes, int, Path], None] = field(repr=False)


# ---- commands ----


class _Stream(io.TextIOWrapper):
    """Standard input or output in memory."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8", errors="strict" if data else "backslashreplace", newline="\n")

    @property
    def text(self) -> str:
        self.flush()
        content: bytes = self.buffer.getvalue()  # type: ignore[attr-defined]
        return content.decode("utf-8", "replace")


@contextmanager
def _streams(data: bytes) -> Iterator[tuple[_Stream, _Stream]]:
    stdin, stdout, stderr = _Stream(data), _Stream(), _Stream()
    with patch.object(sys, "stdin", stdin), patch.object(sys, "stdout", stdout), patch.object(sys, "stderr", stderr):
        yield stdout, stderr


def command(arguments: Sequence[str], stdin: bytes = b"") -> str:
    """What a command writes to standard output. Raises `BrokenError`, or what the command would call an internal error."""
    with patch.dict(os.environ, {"SATJUDGE_DEBUG": "1"}), _streams(stdin) as (stdout, stderr):
        code = run(list(arguments))
        output, errors = stdout.text, stderr.text
    if code not in GOOD_CODES:
        raise BrokenError(f"exit code {code}", errors)
    for sign in ("Traceback", "internal error", "cannot write: None"):
        if sign in errors:
            raise BrokenError(sign, errors)
    if code == 2 and not errors.strip():
        raise BrokenError("exit code 2 without a word")
    if "--json" in arguments and code in (0, 1) and output.strip():
        _json(output)
    return output


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BrokenError(f"no JSON: {error}", text) from None


def by_file(name: str, *commands: str) -> Callable[[bytes, int, Path], None]:
    """The commands with the data in a file of that name, which stands in them as `FILE`."""

    def read(data: bytes, choice: int, folder: Path) -> None:
        path = folder / name
        path.write_bytes(data)
        words = commands[choice % len(commands)].split(" ")
        command([str(path) if word == "FILE" else str(folder / "out.svg") if word == "OUT" else word for word in words])

    return read


def by_argument(*commands: str) -> Callable[[bytes, int, Path], None]:
    """The commands with the data as the argument that stands in them as `TEXT`, as the operating system hands it over."""

    def read(data: bytes, choice: int, folder: Path) -> None:
        text = data.replace(b"\0", b"").decode("utf-8", "surrogateescape")
        command([text if word == "TEXT" else word.replace("~", " ") for word in commands[choice % len(commands)].split(" ")])

    return read


def by_batch(data: bytes, choice: int, folder: Path) -> None:
    """Every line has its answer, and every answer is JSON."""
    lines = data.split(b"\n")
    asked = len(lines) - (not lines[-1])
    arguments = ["batch", "-", *(["--rules", "1971"] if choice % 3 == 2 else [])]
    answers = command(arguments, data).split("\n")[:-1]
    if len(answers) != asked:
        raise BrokenError("lines without an answer", f"{asked} asked, {len(answers)} answered")
    for answer in answers:
        _json(answer)


def by_gzip(data: bytes, choice: int, folder: Path) -> None:
    """A packed game; the damage is done to the packed bytes, or to what is in them."""
    (path := folder / "game.json.gz").write_bytes(data if choice % 2 else gzip.compress(data, 1))
    command(["replay", str(path)])


def by_engine(data: bytes, choice: int, folder: Path) -> None:
    """What an engine answers to a position."""
    sheet = find_bundled_case("6.F.14")
    dialects = list(load_dialects().values())
    dialect = dialects[choice % len(dialects)]
    oracle = ProcessOracle(["none"], dialect, rules="datc-3", timeout=1, restarts=100)
    oracle._read_answer_line = lambda question: data  # type: ignore[method-assign]
    orders: PhaseOrders = {"ENGLAND": [Hold(Named(UnitKind.FLEET, "LON")), Move(Named(UnitKind.FLEET, "WAL"), "ENG")]}
    with suppress(OracleError):
        oracle(sheet.board, orders)


def by_package(data: bytes, choice: int, folder: Path) -> None:
    """A package of jDip, of which one file or the packed archive is damaged."""
    files = {"variants.xml": VARIANTS, "borders.xml": BORDERS, "picture.svg": PICTURE}
    damaged = next((name for name, sample in files.items() if data[:40] == sample[:40]), list(files)[choice % 3])
    path = folder / "package.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, sample in files.items():
            archive.writestr(name, data if name == damaged else sample)
    command(["maps", "check", str(path), "--json"])


def by_archive(data: bytes, choice: int, folder: Path) -> None:
    """A packed package, damaged."""
    (path := folder / "damaged.zip").write_bytes(data)
    command(["maps", "show", str(path)])


# ---- samples ----


def _texts(folder: str, *names: str) -> list[bytes]:
    return [path.read_bytes() for path in list_case_files() if path.parent.name == folder and (not names or path.name in names)]


def _cases(text: bytes) -> list[bytes]:
    """The single cases of a file."""
    return [case for case in re.split(rb"\n(?=case:|# |---)", text) if case.strip()][:40]


def _exported(*cases: str) -> list[bytes]:
    return [(line + "\n").encode() for line in command(["export", *cases]).splitlines()]


def _game(board: Board, sheet: Sheet) -> bytes:
    from satjudge.files.diplomacy_package import PlayedPhase, saved_game
    from satjudge.judging.judge import judge

    orders = {power: [str(order) for order in given] for power, given in sheet.orders_by_power().items()}
    outcome = judge(board, orders)
    played = [PlayedPhase("S1901M", board, orders, outcome.results), PlayedPhase("S1901R", outcome.next_board, {}, {})]
    return json.dumps(saved_game("mine", played)).encode() + b"\n"


SHEET = b"""case: mine
title: A convoy
rules: datc-3
England owns A Yorkshire, SC LON LVP
power Tyrolia

England:
  F North Sea C A Yorkshire - Norway         | available
  A Yorkshire - Norway via convoy            | fails
Russia:
  F St Petersburg(nc) - Norway               | fails, dislodged
  A Sweden S F STP/NC - NWY
retreats
Russia: F STP - BAR
"""
JDIP = b"""VARIANT_ALL Standard
CASE one (Trieste)
PRESTATE_SETPHASE Spring 1901, Movement   # the phase
PRESTATE
  Austria: A vie
  Italy: A ven
PRESTATE_SUPPLYCENTER_OWNERS
  Austria: vie
ORDERS
  Austria: A vie-tri
  Italy: A ven-tri
POSTSTATE_SAME
END
CASE two
PRESTATE_SETPHASE Fall 1901, Retreat
PRESTATE
  Austria: A tri
PRESTATE_DISLODGED
  Italy: A tri
PRESTATE_RESULTS
  SUCCESS: Austria: A vie-tri
  FAILURE: Italy: A tri-ser
ORDERS
  Italy: A tri-ven
POSTSTATE
  Austria: A tri
  Italy: A ven
END
"""
DAIDE = b"""MAP ('STANDARD')
12:01 SCO (GER MUN) (FRA PAR) (UNO SPA)
12:01 NOW (SPR 1901) (GER AMY MUN) (GER AMY RUH) (FRA AMY BUR) (RUS FLT (STP SCS))
ORD (SPR 1901) ((GER AMY MUN) MTO BUR) (SUC)
ORD (SPR 1901) ((GER AMY RUH) SUP (GER AMY MUN) MTO BUR) (SUC)
ORD (SPR 1901) ((FRA AMY BUR) HLD) (RET)
NOW (SUM 1901) (GER AMY BUR) (GER AMY RUH) (FRA AMY BUR MRT (BEL GAS MAR PAR PIC)) (RUS FLT (STP SCS))
ORD (SUM 1901) ((FRA AMY BUR) DSB) (SUC)
NOW (WIN 1901) (GER AMY BUR) (GER AMY RUH)
ORD (WIN 1901) (GER WVE) (SUC)
NOW (SPR 1902) (GER AMY BUR)
"""
JUDGE = b""":: Judge: USIN  Game: Dot  Variant: Standard

Movement results for Fall of 1901. (dot.002)

France: Army Paris -> Burgundy.
France: Army Marseilles SUPPORT Army Paris -> Burgundy.
Germany: Army Burgundy HOLD. (*dislodged*)
Russia: Fleet St Petersburg (south coast), No Order Processed.

The following units were dislodged:

The German Army in Burgundy can retreat to Belgium or Picardy or
Gascony.

Retreat results for Fall of 1901. (dot.003)

Germany: Army Burgundy -> Belgium (*bounce, destroyed*).

Ownership of supply centers:

France:    Brest, Marseilles, Paris.
Unowned:   Belgium.

Adjustment results for Winter of 1901. (dot.004)

France:   Builds a fleet in Brest.
Russia:   Defaults, removing the fleet in St Petersburg.
The next phase of 'dot' will be Movement for Spring of 1902.
"""
JUDGE_WORDS = (
    b" -> ",
    b" (*bounce*)",
    b" SUPPORT ",
    b"Army ",
    b" or ",
    b"St.",
    b":",
    b".",
    b", No Order Processed",
    b"Builds a",
    b"\n",
)
ONLINE = b"""{"gameID": 7, "variantID": 1, "gameOver": "No", "phases": [
{"turn": 0, "phase": "Diplomacy", "centers": [{"terrID": 41, "countryID": 4}],
"units": [{"unitType": "Army", "terrID": 41, "countryID": 4}],
"orders": [{"countryID": 4, "terrID": 41, "unitType": "Army", "type": "Move", "toTerrID": 48, "success": "Yes"}]},
{"turn": 1, "phase": "Diplomacy", "units": [{"unitType": "Army", "terrID": 48, "countryID": 4, "retreating": "No"}]},
{"turn": 1, "phase": "Builds", "units": [], "orders": [{"countryID": 4, "terrID": 37, "type": "Build Fleet"}]}]}
"""
DAIDE_WORDS = (b"(", b")", b"NOW ", b"ORD ", b"SCO ", b"(SPR 1901)", b"(GER AMY MUN)", b"MRT ", b" MTO BUR", b"WVE", b"\n")
ONLINE_WORDS = (b"41", b"82", b"null", b'"Retreats"', b'"Support move"', b'"Yes"', b'"retreating":', b"{", b"}", b",")
LINE = b"""case: small
behind: SPA
without: F WES, LYO
finding: holds
France: A GAS S A MAR; F MAO S A GAS; A MAR
"""
MAP = b"""BEGIN SPRING 1850 MOVEMENT
VICTORY 3
NORTH (NORTHERN:N) HIL FEN
A HIL
SOUTH (SOUTHERN) DAL
F DAL/SC
UNOWNED CAP
RULE BUILD_ANY
Hill = hil
The Fens = fen marsh the+fens
Dale (north coast) = dal/nc
Dale = dal marsh
LAND HIL ABUTS FEN DAL CAP~
COAST FEN ABUTS HIL LAK dal
COAST DAL/NC ABUTS LAK
COAST DAL/SC ABUTS CAP ICE
COAST dal ABUTS HIL FEN LAK ICE CAP
PORT CAP ABUTS hil~ DAL/SC dal ICE
WATER LAK ABUTS FEN DAL/NC
SHUT ICE ABUTS DAL/SC CAP
IN SPRING: WATER ICE
AMEND FEN ABUTS -DAL
FEN -> Marsh = mar
DUMMY SOUTH
"""
AMENDED = b"""based_on = "standard"
name = "no-spain"
title = "Without Spain"
remove = ["SPA"]
forget = ["unit"]
[province.DEN]
convoys = true
add_army = ["POR"]
[closed]
fall = ["BAR"]
"""
VARIANTS = b"""<?xml version="1.0"?>
<!DOCTYPE VARIANTS [<!ELEMENT VARIANTS (VARIANT+)>]>
<VARIANTS><MAP_DEFINITION id="p" URI="picture.svg"/>
<VARIANT name="Lakes"><MAP adjacencyURI="borders.xml"><MAP_GRAPHIC ref="p" default="true"/></MAP>
<RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_OWNED"/></RULEOPTIONS>
<POWER name="North" adjective="Northern" altnames="Boreas"/><POWER name="South" adjective="Southern"/>
<STARTINGTIME turn="Spring, 1850, Movement"/><WINNING_SUPPLY_CENTERS value="3"/>
<SUPPLYCENTER province="hil" homepower="boreas" owner="north"/><SUPPLYCENTER province="dal" homepower="south"/>
<INITIALSTATE province="hil" power="north" unit="army"/>
<INITIALSTATE province="dal" power="south" unit="fleet" unitcoast="sc"/></VARIANT></VARIANTS>
"""
BORDERS = b"""<?xml version="1.0"?>
<PROVINCES><BORDER_DEFINITIONS><BORDER id="ice" season="fall"/><BORDER id="steep" from="cap" baseMoveModifier="-1"/>
</BORDER_DEFINITIONS><PROVINCE shortname="hil" fullname="Hill" borders="steep"><UNIQUENAME name="peak"/>
<ADJACENCY type="mv" refs="dal cap"/></PROVINCE>
<PROVINCE shortname="dal" fullname="Dale"><ADJACENCY type="mv" refs="hil cap"/><ADJACENCY type="sc" refs="cap ice"/></PROVINCE>
<PROVINCE shortname="cap" fullname="Cape" isConvoyableCoast="true"><ADJACENCY type="mv" refs="hil dal"/>
<ADJACENCY type="xc" refs="dal-sc ice"/></PROVINCE>
<PROVINCE shortname="ice" fullname="Ice" borders="ice"><ADJACENCY type="xc" refs="dal-sc cap"/></PROVINCE></PROVINCES>
"""
PICTURE = b"""<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY % more "| j:PROVINCE_DATA">]>
<svg viewBox="-5 0 200 100" xmlns:j="http://jdip"><j:PROVINCE name="hil"><j:UNIT x="10" y="20.5"/></j:PROVINCE>
<g id="BriefLabelLayer"><text transform="translate(50,60)" x="0" y="0">dal</text></g></svg>
"""
PLACES = (b"LON", b"BRE", b"ENG", b"STP/NC", b"St Petersburg (nc)", b"North Sea", b"SPA/SC", b"BUL", b"MAO", b"Switzerland")
MAP_WORDS = (
    *PLACES, b" ABUTS ", b"COAST ", b"LAND ", b"WATER ", b"SHUT ", b"AMEND ", b"DROP ", b"USE standard\n", b"UNPLAYED ALL",
    b"IN FALL: ", b"RULE ", b"FLOW ", b"BEGIN ", b"OWNS ", b"UNITS", b" -> ", b" = ", b"~", b"*", b"-", b"/", b"(", b":",
    b"UNOWNED ", b"+", b"_",
)  # fmt: skip
XML_WORDS = (
    b"<", b"/>", b">", b'"', b"&", b"&a;", b"<!ENTITY a 'b'>", b"<!--", b"]]>", b"refs", b"hil", b"dal-sc", b"-", b"none",
    b"wing", b"<PROVINCE>", b"</VARIANT>", b'default="true"', b"x", b"1e9", b"../x", b"\0",
)  # fmt: skip
ORDER_WORDS = (
    *PLACES, b" A ", b" F ", b" - ", b" S ", b" C ", b" H", b" H\n", b" via convoy", b" via land", b" supports ", b" convoys ",
    b"England: ", b"FRANCE:", b"Build A PAR", b"Remove", b"D", b"R ", b"hold", b"moves to", b"(ec)", b" under 1971: fails",
    b"| fails", b"| under", b"retreats\n", b"builds\n", b"case: x\n", b"rules: 1971\n", b"notes: ", b"phase: retreat\n", b"it",
)  # fmt: skip
JSON_WORDS = (*PLACES, b'"units":', b'"orders":', b'"A PAR - BUR"', b'"phase":"retreat"', b'"id":', b'"dislodged":')
GOALS = (
    b"paradox", b"no-resolution", b"several-resolutions", b"differs:1971,datc-3", b"dislodged:ENG", b"occupied:FRANCE:BEL",
    b"paradox and not dislodged:ENG", b"(circular or paradox) and fails:ENG",
)  # fmt: skip
WISHES = (b"take BEL", b"keep LON and hold", b"hold BRE or not take ENG", b"dislodged:ENG", b"(keep LON)")
GOAL_WORDS = (*PLACES, *GOALS, *WISHES, b" and ", b" or ", b"not ", b"(", b")", b":", b",", b"'", b"1971", b"FRANCE")
STATE_WORDS = (b'"seed":', b'"chunk":', b'"boards":', b"{", b"}", b":", b",", b"-1", b'"x"', b"1.5", b"[1]")
TOML_WORDS = (b"[", b"]", b"=", b'"', b"'''", b"\n", b"extends = ", b'"datc-3"', b"4.A.2", b'"all-hold"', b"title = ", b"[[x]]")
REGION = "BRE~ENG~LON"


def formats(folder: Path) -> list[Format]:
    """All of them; files that samples are made with are written into `folder`."""
    sheets = [SHEET, *_texts("datc-3.2", "6.A.txt", "6.F.txt", "6.H.txt", "6.J.txt"), *_texts("promoted")]
    singles = [case for text in sheets for case in _cases(text)]
    batch = _exported("6.F.14", "6.H.1", "6.J.1", "6.A.1", "6.G.1")
    batch.append(b"".join(batch * 2))
    sheet = find_bundled_case("6.F.14")
    game = _game(sheet.board, sheet)
    rulebooks = [path.read_bytes() for path in sorted((data_directory() / "models" / "rulebooks").glob("*.toml"))]
    rulebooks.append(b'name = "mine"\ntitle = "Mine"\nextends = "datc-3"\n[choices]\n"4.A.2" = "all-hold"\n')
    tables = [data_file("models", "crosscheck", name).read_bytes() for name in ("dialects.toml", "explained.toml")]
    state, checkpoint = folder / "census.jsonl", folder / "crosscheck.jsonl"
    census = f"census --boards 3 --units 4..5 --compare-every 0 --jobs 1 --state {state}"
    campaign = "crosscheck --against kruijswijk-guess --fuzz 3 --units 4..5 --jobs 1 --checkpoint"
    command(census.split())
    command([*campaign.split(), str(checkpoint)])
    reply = command(["batch", "-"], batch[0]).encode().replace(b'"6.F.14"', b"1")
    answers = [reply, reply.strip()]
    maps = command(["maps", "convert", "loeb9"]).encode()
    with zipfile.ZipFile(archive := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("lakes/variants.xml", VARIANTS)
        package.writestr("lakes/borders.xml", BORDERS)
    replay, cross = ("replay FILE", "replay FILE --json"), campaign.removesuffix(" --checkpoint")
    of_a_sheet = (
        "judge FILE", "judge FILE --json", "check FILE", "resolutions FILE", "explain FILE", "compare FILE --rules datc-3,1971",
        "equations FILE", "render FILE -o OUT", "resolutions FILE --jsonl",
        "crosscheck --against kruijswijk-guess --jobs 1 FILE",
    )  # fmt: skip
    of_a_map = ("maps check FILE", "maps show FILE --json", "maps convert FILE")
    return [
        Format("sheet", singles, ORDER_WORDS, by_file("sheet.txt", *of_a_sheet)),
        Format("batch", batch, (*JSON_WORDS, *ORDER_WORDS), by_batch),
        Format("game", [game, game * 2], (*JSON_WORDS, *ORDER_WORDS), by_file("game.json", *replay)),
        Format("packed game", [game, gzip.compress(game)], JSON_WORDS, by_gzip),
        Format("daide", [DAIDE], DAIDE_WORDS, by_file("game.log", *replay, "judge FILE", "game import FILE --list")),
        Format("njudge", [JUDGE], JUDGE_WORDS, by_file("mails.txt", *replay, "judge FILE", "game import FILE --list")),
        Format("webdiplomacy", [ONLINE], ONLINE_WORDS, by_file("game.json", *replay, "judge FILE", "game import FILE --list")),
        Format("jdip", [JDIP], ORDER_WORDS, by_file("cases.txt", *replay)),
        Format(
            "rulebook", rulebooks, TOML_WORDS,
            by_file("rules.toml", "judge datc:6.F.14 --rules FILE", "rulebooks FILE", "compare datc:6.F.9 --rules datc-3,FILE"),
        ),
        Format("setting", [b"4.A.2=all-hold", b"4.A.1=any-route"], TOML_WORDS, by_argument("judge datc:6.F.14 --set TEXT")),
        Format(
            "order", [b"F LON S F WAL - ENG", b"A BRE - LON"], ORDER_WORDS,
            by_argument(
                "explain datc:6.F.14 TEXT", "explain datc:6.F.14 --without TEXT", "explain datc:6.F.14 --with France:~TEXT",
                "explain datc:6.F.14 --with TEXT", "explain datc:6.F.14 --why-not TEXT",
            ),
        ),
        Format("goal", GOALS, GOAL_WORDS, by_argument(f"search TEXT --region {REGION} --max-units 3 --timeout 2 --json")),
        Format("region", [b"BRE ENG LON"], GOAL_WORDS, by_argument("search paradox --region TEXT --max-units 2 --timeout 2")),
        Format("wish", WISHES, GOAL_WORDS, by_argument("guarantee TEXT datc:6.F.14 --power France --timeout 2 --json")),
        Format("line", [LINE], ORDER_WORDS, by_file("line.txt", "prove FILE --enemies 2", "prove FILE --enemies 2 --json")),
        Format("census state", [state.read_bytes()], STATE_WORDS, by_file("state.jsonl", census.replace(str(state), "FILE"))),
        Format("checkpoint", [checkpoint.read_bytes()], STATE_WORDS, by_file("state.jsonl", f"{campaign} FILE")),
        Format(
            "dialect", tables, TOML_WORDS,
            by_file("own.toml", f"{cross} --dialect FILE", f"{cross} --known FILE"),
        ),
        Format("engine", answers, JSON_WORDS, by_engine),
        Format("map", [AMENDED, maps], TOML_WORDS, by_file("own.toml", *of_a_map)),
        Format("dpjudge", [MAP], MAP_WORDS, by_file("own.map", *of_a_map)),
        Format("package", [VARIANTS, BORDERS, PICTURE], XML_WORDS, by_package),
        Format("archive", [archive.getvalue()], XML_WORDS, by_archive),
    ]  # fmt: skip
