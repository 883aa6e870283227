"""Makes and verifies the certificates of docs/certificates/made.md: all, or those whose names stand behind the command.

Each recipe below is commands that write certificates. They are bundled in docs/certificates/NAME.zip, or in build/certificates
where that would be large, verified, and told of in a line of docs/certificates/made.jsonl: how many they are, their size and
digest, and what they cost. docs/certificates/made.md shows that as a table. What has a line, with the same commands and a
bundle with that digest, is not made again; `--anew` makes it.

The seconds are those of the processor: the commands without certificates, with certificates, and verifying these.
"""

from __future__ import annotations

import hashlib
import json
import resource
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click

from satjudge.apps.cli import run
from satjudge.proofs.certificates.lrat_proofs import stop_solver
from satjudge.proofs.verify.certificate import iter_certificates, write_bundle
from satjudge.proofs.verify.verifier import make_verification
from satjudge.world.geography import load_map
from satjudge.world.rules import preset_names

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "docs" / "certificates"
KEPT_ELSEWHERE = ROOT / "build" / "certificates"
LARGE = 1_000_000
"""The size in bytes above which a bundle is listed by its digest only."""

ASKED = ("search", "lines", "guarantee")
"""Commands whose argument is a question, not a file."""
NO_GAPS = ("only movement phases", "the fewest that there can be")
"""Remarks of commands about things that no certificate covers."""

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A claim, and the commands that write its certificates: one for each file of a pattern."""

    name: str
    claims: str
    commands: Sequence[str]

    def runs(self) -> Iterator[list[str]]:
        """The arguments of each command, one file at a time."""
        for command in self.commands:
            verb, what, *options = shlex.split(command)
            files = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob(what)) if "*" in what else [what]
            yield from ([verb, file, *options] for file in files)


def _cases(name: str, claims: str) -> Recipe:
    return Recipe(name, claims, [f"resolutions datc_cases/{name}/*.txt"])


def _fewest(first: int, last: int, *, complete: bool = True) -> Recipe:
    """Return the recipe for lines with these numbers of supply centres; `complete` if the atlas has all of them."""
    elsewhere = ", in no other provinces" if complete else ""
    claims = f"the fewest units that stand still for {first} to {last} supply centres{elsewhere} (docs/papers/lines.md)"
    commands = [f"lines centers={number}{' --all' if complete else ''}" for number in range(first, last + 1)]
    return Recipe(f"fewest-for-{first}-to-{last}", claims, commands)


BY_COUNTING = sorted(path.stem for path in (ROOT / "datc_cases" / "catalogue").glob("*.txt") if "6C" not in path.stem)
"""The shapes of the catalogue for which counting proves that fewer units are not enough."""

ALIKE_WITH_ONE = ("1971,1982", "1971,2000", "1971,datc-2", "1982,2000", "1982,datc-2", "2000,datc-2")
"""Pairs of rulebooks that do not differ with one unit, except for 2023, which reads as 2000 does, and the three below."""
ALIKE_IN_VERDICTS_WITH_ONE = (
    *(*ALIKE_WITH_ONE, "1971,2023", "1982,2023", "2023,datc-2"),
    *("2025ee,datc-3", "2025ee,guide-1998", "datc-3,guide-1998"),
)
"""Pairs that do not differ in verdicts; 2023 has its own, because it treats dislodged units differently from 2000."""
SIX = "BEL ENG LON NTH PIC WAL"
ALIKE_IN_SIX = (
    *((f"{pair}=units", 2) for pair in (*ALIKE_WITH_ONE[:-1], "datc-3,guide-1998")),
    *((f"{pair}=units", 3) for pair in ("2000,datc-2", "2025ee,datc-3")),
    *((f"{pair}=dislodgements", 3) for pair in (*ALIKE_WITH_ONE, "2025ee,datc-3") if pair != "1982,2000"),
    ("1982,2000=dislodgements", 4),
)
"""Numbers of units with which rulebooks do not differ in six provinces (docs/papers/rulebooks-matrix.md)."""
ALIKE_IN_VERDICTS_IN_SIX = (*((pair, 2) for pair in (*ALIKE_WITH_ONE[:-1], "1971,2023", "1982,2023")), ("2000,2023", 3))
"""The same for the results of orders."""

OVERRUN = "BEL PIC BUR RUH HOL KIE"
TWO_DISLODGED = " or ".join(f"dislodged:{one} and dislodged:{other}" for one, other in combinations(OVERRUN.split(), 2))
"""What the first goal of docs/guides/own-goals.md says in six provinces, in words that certificates know."""

RECIPES = (
    _cases("datc-3.2", "the cases of the DATC 3.2 have these resolutions, and no others"),
    _cases("datc-2.4", "the same for the cases of the DATC 2.4"),
    _cases("guide-1998", "the same for the examples of the Player's Technical Guide"),
    _cases("rulebook-1971", "the same for the examples of the rulebook of 1971"),
    _cases("rulebook-1982", "the same for the examples and the sample game of the rulebook of 1982"),
    _cases("promoted", "the same for satjudge's own cases"),
    _cases("cores", "the same for unusual cores (docs/papers/cores.md)"),
    _cases("catalogue", "the same for the 38 boards of the catalogue (docs/papers/catalogue.md)"),
    _cases("census", "the same for the shapes of the census (docs/papers/census.md)"),
    Recipe(
        "differences",
        "boards on which rulebooks differ have these resolutions under each, and no others (docs/papers/rulebooks-matrix.md)",
        [f"resolutions datc_cases/differences/*.txt --rules {rulebook}" for rulebook in preset_names()],
    ),
    Recipe(
        "lines",
        "these published or newly found lines stand still and hold (docs/papers/lines.md)",
        [f"prove datc_cases/lines/{file}.txt" for file in ("eastern", "fewest", "moving", "southern")],
    ),
    Recipe(
        "lines-that-break",
        "the fewest enemies that break these lines, and shipped attacks on them (docs/papers/published-lines.md)",
        [
            *(f"prove line:{line} --cheapest" for line in ("beshera-1", "sharp-eastern", "lipton-southern-1-black-sea")),
            "resolutions datc_cases/lines/attacks.txt",
        ],
    ),
    Recipe(
        "no-unit-to-spare",
        "the published lines hold, and break without any one of their units (docs/papers/published-lines.md)",
        [f"prove datc_cases/lines/{file}.txt --redundant" for file in ("eastern", "southern")],
    ),
    Recipe(
        "lines-claimed",
        "of lines that stand still, Lipton's six units are the fewest, and the only ones; none with Italy feeds itself with 12 "
        "centres; every one of at most 17 that does has a centre of England or Turkey (docs/papers/lines.md)",
        [
            'lines "protect:POR,SPA,TUN,CON,ANK,SMY and centers=6" --feeds --all '
            '--without "F LYO, F WES, F TYS, F TUN, F ION, F ADR, F AEG, F EAS, F BLA"',
            'lines "centers>=1 and centers<=17 and outside:BER,KIE,MUN,EDI,LON,LVP" --feeds --all '
            '--out "Turkey, France, Italy, Austria, Russia"',
            'lines "protect:ROM,NAP,VEN and centers<=12" --feeds',
            'lines "centers>=13 and centers<=17 and outside:EDI,LON,LVP,ANK,CON,SMY" --feeds',
        ],
    ),
    Recipe(
        "lines-without-pockets",
        "a line of at most 17 centres that stands still, feeds itself and cuts no enemies off has all of England or Turkey "
        "(docs/papers/lines.md)",
        ['lines "centers>=13 and centers<=17 and not-all:EDI,LON,LVP and not-all:ANK,CON,SMY" --feeds --no-pockets'],
    ),
    Recipe(
        "lines-around-powers",
        "the fewest units that stand still around each power, in no other provinces (docs/papers/lines.md)",
        [
            f'lines "centers={34 - len(homes)} and outside:{",".join(sorted(homes))}" --all'
            for homes in map(load_map().homes, load_map().powers)
        ],
    ),
    _fewest(1, 4),
    _fewest(5, 8),
    _fewest(9, 12),
    _fewest(13, 16),
    _fewest(17, 18),
    _fewest(19, 23, complete=False),
    _fewest(24, 24),
    _fewest(25, 25, complete=False),
    _fewest(26, 26),
    _fewest(27, 29, complete=False),
    _fewest(30, 33),
    Recipe(
        "searches-in-regions",
        "in these provinces fewer units are not enough, and the position found has these resolutions (README, "
        "docs/guides/search.md, docs/guides/own-goals.md)",
        [
            'search paradox --region "BRE ENG LON WAL"',
            'search paradox --region "BOH GAL VIE TYR" --max-units 4',
            'search no-resolution --region "DEN HEL LON NTH NWY SKA SWE"',
            'search "some(dislodged:UNIT)" --region "BEL PIC BUR"',
            'search differs-legal:1982,datc-3 --region "BEL PIC ENG"',
            'search differs:1982,datc-3 --region "BEL PIC ENG"',
            'search core:1C1M1S-0r-81281ad4 --region "DEN NTH NWY SKA SWE"',
            f'search "{TWO_DISLODGED}" --region "{OVERRUN}"',
        ],
    ),
    Recipe(
        "guarantees",
        "these orders achieve the goal whatever the others order (docs/guides/guarantee.md, docs/papers/endings.md)",
        [
            'guarantee "take SER and keep TRI" docs/guarantees/opening.txt --power Austria',
            'guarantee "keep BRE and keep PAR" docs/guarantees/defending-france.txt --power France',
        ],
    ),
    Recipe(
        "cores-with-fewer-units",
        "no core of 37 shapes has fewer units than the board of the catalogue, on any map (docs/papers/catalogue.md)",
        [f"search core:{shape}" for shape in BY_COUNTING],
    ),
    Recipe(
        "differs-in-six-provinces",
        "in six provinces rulebooks do not differ with fewer units, in where units stand or which are dislodged "
        "(docs/papers/rulebooks-matrix.md)",
        [f'search differs:{what} --region "{SIX}" --max-units {most}' for what, most in ALIKE_IN_SIX],
    ),
    Recipe(
        "differs-with-1",
        "on the whole map these rulebooks differ in no position with 1 unit (docs/papers/rulebooks-matrix.md)",
        [
            f"search differs:{pair}=units --max-units 1"
            for pair in (*ALIKE_WITH_ONE, "2025ee,datc-3", "2025ee,guide-1998", "datc-3,guide-1998")
        ],
    ),
    Recipe(
        "verdicts-in-six-provinces",
        "in six provinces rulebooks do not differ with fewer units in the results of orders (docs/papers/rulebooks-matrix.md)",
        [f'search differs:{pair}=verdicts --region "{SIX}" --max-units {most}' for pair, most in ALIKE_IN_VERDICTS_IN_SIX],
    ),
    Recipe(
        "retreats-in-six-provinces",
        "in six provinces no two rulebooks differ with 3 units in where units may retreat, nor 1982 and 2000 with 5 "
        "(docs/papers/rulebooks-matrix.md)",
        [
            f'search differs:{one},{other}=retreats --region "{SIX}" --max-units {5 if (one, other) == ("1982", "2000") else 3}'
            for one, other in combinations(preset_names(), 2)
        ],
    ),
    Recipe(
        "verdicts-with-1",
        "on the whole map these rulebooks judge every order alike in all positions with 1 unit "
        "(docs/papers/rulebooks-matrix.md)",
        [f"search differs:{pair}=verdicts --max-units 1" for pair in ALIKE_IN_VERDICTS_WITH_ONE],
    ),
    Recipe(
        "dislodged-with-2",
        "on the whole map two units dislodge nobody under any rulebook (docs/papers/rulebooks-matrix.md)",
        [f'search "some(dislodged:UNIT)" --max-units 2 --rules {rulebook}' for rulebook in preset_names()],
    ),
    Recipe(
        "several-resolutions-with-3",
        "on the whole map no paradox with several resolutions has 3 units (README, docs/papers/searches.md)",
        ['search "paradox and several-resolutions" --max-units 3'],
    ),
    Recipe(
        "differs-legal-with-1",
        "on the whole map these rulebooks agree on all orders that are legal under both with 1 unit (docs/papers/searches.md)",
        ["search differs-legal:1982,datc-3 --max-units 1", "search differs-legal:2000,datc-3 --max-units 1"],
    ),
    Recipe(
        "no-resolution-with-4",
        "on the whole map every board with 4 units has a resolution (README, docs/papers/searches.md)",
        ["search no-resolution --max-units 4"],
    ),
)
"""A claim of another kind is one more line."""


@click.command()
@click.argument("names", nargs=-1)
@click.option("--anew", is_flag=True, help="Make again what is made.")
@click.option("--page", is_flag=True, help="Write the table only.")
def main(names: tuple[str, ...], anew: bool, page: bool) -> None:
    """Exits with 1 if a certificate is refused."""
    log = _log().read_text(encoding="utf-8") if _log().exists() else ""
    rows = {row["name"]: row for row in map(json.loads, log.splitlines())}
    for recipe in RECIPES if not page else ():
        if names and recipe.name not in names:
            continue
        if not anew and _is_made(recipe, rows.get(recipe.name, {})):
            print(f"{recipe.name}: made already", flush=True)
            continue
        rows[recipe.name] = row = make(recipe)
        print(f"{recipe.name}: {row['accepted']} of {row['certificates']} accepted, {row['bytes']:,} bytes", flush=True)
        kept = [rows[one.name] for one in RECIPES if one.name in rows]
        _log().write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept), encoding="utf-8")
        (SHIPPED / "made.md").write_text(table(kept), encoding="utf-8")
    made = [rows[one.name] for one in RECIPES if one.name in rows]
    (SHIPPED / "made.md").write_text(table(made), encoding="utf-8")
    sys.exit(any(row["refused"] for row in made))


def _log() -> Path:
    return SHIPPED / "made.jsonl"


def _is_made(recipe: Recipe, row: Row) -> bool:
    found = (folder / f"{recipe.name}.zip" for folder in (SHIPPED, KEPT_ELSEWHERE))
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in found if file.exists()]
    return row.get("commands") == [*recipe.commands] and row["sha256"] in digests


def make(recipe: Recipe) -> Row:
    """Make a bundle and verify it."""
    with TemporaryDirectory(prefix="satjudge-") as name:
        folder = Path(name)
        without = None
        if not any(verb in ASKED for verb, *_ in recipe.runs()):  # that is long, and docs/papers/certificates.md has the ratio
            _seconds(lambda: [_quietly(arguments) for arguments in recipe.runs()])  # what is read once is read now
            without = round(_seconds(lambda: [_quietly(arguments) for arguments in recipe.runs()]), 2)
        told: list[str] = []
        runs = [(arguments, folder / str(number) / "certificate.zip") for number, arguments in enumerate(recipe.runs(), 1)]
        for _, path in runs:
            path.parent.mkdir()
        spent = _seconds(
            lambda: told.extend(_quietly([*arguments, "--certificate", str(path)]) for arguments, path in runs), stop_solver
        )
        bundled = dict(_named(runs))
        if not bundled:
            raise click.ClickException(f"{recipe.name}: no certificate was written: {' '.join(told)}")
    KEPT_ELSEWHERE.mkdir(parents=True, exist_ok=True)
    folder = SHIPPED if sum(map(len, bundled.values())) < LARGE else KEPT_ELSEWHERE
    bundle = folder / f"{recipe.name}.zip"
    write_bundle(bundled, bundle)
    refused: list[str] = []
    verifying = _seconds(lambda: refused.extend(_refused(bundle)))
    content = bundle.read_bytes()
    return {
        "name": recipe.name,
        "claims": recipe.claims,
        "commands": [*recipe.commands],
        "certificates": len(bundled),
        "accepted": len(bundled) - len(refused),
        "refused": refused,
        "without": [line for text in told for line in text.splitlines() if not line.startswith("wrote ")],
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "shipped": folder == SHIPPED,
        "seconds": {"without": without, "with": round(spent, 2), "verifying": round(verifying, 2)},
    }


def _named(runs: Sequence[tuple[Sequence[str], Path]]) -> Iterator[tuple[str, bytes]]:
    """What was written: called as the cases are, or numbered as the commands are; a rulebook that is asked for comes first."""
    for (verb, source, *options), path in runs:
        rulebook = f"{options[options.index('--rules') + 1]}-" if "--rules" in options else ""
        one = path.parent.name if verb in ASKED else Path(source).stem.removeprefix("line:")
        for file in sorted(path.parent.rglob("*.zip")):
            if file.is_file():
                yield f"{rulebook}{file.name.replace('certificate', one)}", file.read_bytes()


def _quietly(arguments: list[str]) -> str:
    """Run a command; what it says on standard error."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as told:
        run(arguments)
    return told.getvalue()


def _refused(bundle: Path) -> Iterator[str]:
    for package in iter_certificates(bundle):
        problems = [f"{check.name}: {check.problem}" for check in make_verification(package).run_checks() if check.problem]
        yield from (f"{package.path.name}: {problem}" for problem in problems)


def _seconds(work: Callable[[], object], end: Callable[[], object] = lambda: None) -> float:
    """Seconds of the processor that work takes, with those of the processes that it starts."""
    before = _spent()
    work()
    end()
    return _spent() - before


def _spent() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def table(rows: Sequence[Row]) -> str:
    """Format the page of the certificates."""
    lines = [
        "# Certificates",
        "",
        "`python benchmarks/studies/certify.py` wrote this page and made and verified the certificates.",
        "You can verify them again with `satjudge verify docs/certificates/*.zip`.",
        "[The guide to certificates](../guides/certificates.md) explains them.",
        "",
        "| bundle | claims | commands, each with `--certificate` | certificates | accepted | bytes | SHA-256 |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        name = f"[{row['name']}.zip]({row['name']}.zip)" if row["shipped"] else f"{row['name']}.zip, which `certify.py` makes"
        commands = "; ".join(f"`satjudge {command}`" for command in _shortened(row["commands"]))
        counts = f"{row['certificates']} | {row['accepted']} | {row['bytes']:,}"
        lines.append(f"| {name} | {row['claims']} | {commands} | {counts} | `{row['sha256']}` |")
    total = {key: sum(row[key] for row in rows) for key in ("certificates", "accepted", "bytes")}
    lines += [f"| all | | | {total['certificates']} | {total['accepted']} | {total['bytes']:,} | |", ""]
    lines += [
        "## What they cost",
        "",
        "Seconds of the processor for the commands without certificates and with them, for verifying, and ratios.",
        "",
        "| bundle | without | with | verifying | with : without | verifying : without |",
        "|---|---|---|---|---|---|",
    ]
    kinds = [row["seconds"] for row in rows if row["seconds"]["without"]]
    summed = {key: sum(kind[key] for kind in kinds) for key in ("without", "with", "verifying")}
    for name, spent in [*((row["name"], row["seconds"]) for row in rows), ("all but searches", summed)]:
        ratios = [f"{spent[key] / spent['without']:.1f}" if spent["without"] else "" for key in ("with", "verifying")]
        times = [f"{spent[key]:.1f}" if spent[key] else "" for key in ("without", "with", "verifying")]
        lines.append(f"| {' | '.join([name, *times, *ratios])} |")
    lines += ["", "## Without a certificate", ""]
    certified = {word.removeprefix("line:") for row in rows for command in row["commands"] for word in shlex.split(command)}
    found = _without(text for row in rows for text in dict.fromkeys(row["without"]))
    missing = {reason: [one for one in whose if one not in certified] for reason, whose in found.items()}
    for reason, whose in sorted((reason, whose) for reason, whose in missing.items() if whose):
        lines.append(f"- {reason}: {', '.join(whose)}")
    return "\n".join([*lines, ""])


def _without(told: Iterable[str]) -> dict[str, list[str]]:
    """What has no certificate, by the reason that commands tell; not what no certificate could be about."""
    found: dict[str, list[str]] = {}
    for text in told:
        identity, _, rest = text.partition(": ")
        if not any(why in text for why in NO_GAPS):
            _, _, reason = rest.replace("no certificate is written, for", "passed over,").rpartition("passed over, ")
            found.setdefault(reason, []).append(identity)
    return found


def _shortened(commands: Sequence[str]) -> Sequence[str]:
    """Commands that differ in nothing but their last word as one."""
    first, *others = dict.fromkeys(command.rpartition(" ")[0] for command in commands)
    if others or len(commands) < 2:
        return commands
    return [f"{first} {'|'.join(command.rpartition(' ')[2] for command in commands)}"]


if __name__ == "__main__":
    main()
