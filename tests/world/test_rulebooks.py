"""Rulebooks on real texts and on generated boards: what each source says of itself and of others, and that engines agree."""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from satjudge.apps.cli import run
from satjudge.base.errors import RulebookError, SatjudgeError, UnresolvedError
from satjudge.bulk.batch import judge_many
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.compare import UNRESOLVED, compare
from satjudge.judging.check import check, check_block
from satjudge.judging.equations.logic import find_violated
from satjudge.judging.equations.situation import build_situation
from satjudge.judging.judge import judge, judge_phase
from satjudge.judging.legality import make_docket
from satjudge.judging.position import read_sheet_position
from satjudge.judging.solve import Engine, adjudicate
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.parse import parse_location, parse_unit
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, Phase
from satjudge.world.geography import load_map
from satjudge.world.rules import Rulebook, load_rulebook, options, preset_names, rulebook_sources

COLLECTIONS = {"datc-3.2": 176, "datc-2.4": 245, "rulebook-1982": 46, "rulebook-1971": 5, "guide-1998": 79}
"""The collections with the number of their cases: none may get lost."""
GAMES = Path(__file__).parents[2].parent / "shared" / "games"


@pytest.mark.parametrize(("collection", "count"), COLLECTIONS.items(), ids=list(COLLECTIONS))
def test_every_case_of_a_source_under_its_own_rulebook(collection: str, count: int) -> None:
    cases = [check(sheet, load_rulebook(sheet.rules), Engine.STAGED) for sheet in read_collection(collection)]
    assert len(cases) == count
    assert [(case.id, case.differences) for case in cases if not case.passed] == []
    assert all(case.checked for case in cases)


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_what_a_source_says_of_other_rulebooks(collection: str) -> None:
    failed = []
    for sheet in read_collection(collection):
        for block in sheet.under:
            for name in block.rulebooks:
                case = check_block(sheet, block, load_rulebook(name).with_settings(block.settings), Engine.STAGED)
                failed += [(sheet.identity, case.rulebook.name, entry) for entry in case.differences]
    assert failed == []


def test_presets_choose_on_every_issue_and_say_why() -> None:
    assert preset_names() == ["1971", "1982", "2000", "2023", "2025ee", "datc-2", "datc-3", "guide-1998"]
    issues = [option.issue for option in options()]
    for name in preset_names():
        assert list(load_rulebook(name).settings()) == issues
        assert set(rulebook_sources(name)) == set(issues), name
        assert load_rulebook(name).name == name


def _random_rulebook(random: Random) -> Rulebook:
    """Every issue of the movement phase settled at random."""
    while True:
        chosen = [
            f"{option.issue}={random.choice(list(option.values))}"
            for option in options()
            if not option.issue.startswith(("4.D.4", "4.D.5", "4.D.6", "4.D.7", "4.D.8", "4.C.3", "4.C.4", "4.B.7", "5.B.9"))
        ]
        try:
            return load_rulebook().with_settings(chosen)
        except RulebookError:
            continue


def _rulebooks(random: Random, more: int) -> Iterator[Rulebook]:
    for name in preset_names():
        yield load_rulebook(name)
    for _ in range(more):
        yield _random_rulebook(random)


@pytest.mark.parametrize(
    ("flavour", "more"),
    [
        (Flavour.CONVOYS, 12),
        *(pytest.param(flavour, 40, marks=pytest.mark.slow) for flavour in (Flavour.CONVOYS, Flavour.CIRCLES)),
    ],
)
def test_engines_agree_under_every_rulebook(flavour: Flavour, more: int) -> None:
    random = Random(f"rulebooks {flavour}")
    compared = unresolved = 0
    for rulebook in _rulebooks(random, more):
        for _ in range(3):
            board, orders = random_board(random, flavour, units=(4, 10), via=0.3, illegal=0.1)
            docket = make_docket(board, orders, rulebook)
            situation = build_situation(board, docket, rulebook)
            engines = [Engine.STAGED, Engine.FULL] + ([Engine.BRUTE] if len(situation.decisions) <= 9 else [])
            found: list[object] = []
            for engine in engines:
                try:
                    adjudication = adjudicate(situation, engine)
                    assert not find_violated(situation, adjudication.values, adjudication.overridden)
                    rulings = {(ruling.rule, frozenset(d.index for d in ruling.core)) for ruling in adjudication.rulings}
                    found.append((adjudication.values, set(adjudication.resolutions), rulings))
                except UnresolvedError:
                    found.append("unresolved")
            assert all(entry == found[0] for entry in found), (rulebook.name, orders)
            compared += 1
            unresolved += found[0] == "unresolved"
    assert compared == 3 * (8 + more)
    assert unresolved < more


def _verdicts(case: str, names: list[str], order: str) -> dict[str, str]:
    sheet = find_bundled_case(case)
    comparison = compare(read_sheet_position(sheet), [load_rulebook(name) for name in names])
    (verdicts,) = [one.verdicts for one in comparison.orders if one.order == order]
    return {name: str(verdicts[name]) for name in names}


def test_extended_paradox_dislodges_london_in_the_books_only() -> None:
    found = _verdicts("6.F.17", preset_names(), "F LON S F WAL - ENG")
    assert {name for name, verdict in found.items() if "destroyed" in verdict} == {"1971", "1982", "2000", "2023", "2025ee"}


def test_multi_route_convoy_stays_under_1971() -> None:
    found = _verdicts("6.F.9", ["1971", "1982", "datc-3"], "A LON - BEL")
    assert found == {"1971": "fails", "1982": "succeeds", "datc-3": "succeeds"}


def test_trick_of_the_1982_rule() -> None:
    assert _verdicts("6.F.20", ["1982", "datc-3"], "F NAP S F ION") == {"1982": "given", "datc-3": "cut"}
    found = _verdicts("6.F.21", ["1982", "2000", "datc-3"], "F MAO - NAO")
    assert found == {"1982": "fails", "2000": "succeeds", "datc-3": "succeeds"}


def test_comparison_names_the_issue() -> None:
    sheet = find_bundled_case("6.F.9")
    comparison = compare(read_sheet_position(sheet), [load_rulebook("datc-3"), load_rulebook("1971")])
    assert not comparison.agrees
    causes = [one.causes for one in comparison.orders if one.causes]
    assert causes
    assert all(one == {"1971": ["4.A.1"]} for one in causes)


@pytest.mark.parametrize(
    ("rulebooks", "hint"),
    [
        ("1971", "['1971', 'datc-3']"),
        ("datc-3", "['datc-3', '1971']"),
        ("1971, 1982", "['1971', '1982']"),
        ([], "['datc-3', '1971']"),
        (load_rulebook("1971"), "['datc-3', '1971']"),
    ],
)
def test_a_comparison_takes_a_list_of_rulebooks(rulebooks: Any, hint: str) -> None:  # noqa: ANN401  # no list
    with pytest.raises(RulebookError, match=r"^rulebooks to compare must be a list, not ") as caught:
        compare(read_sheet_position(find_bundled_case("6.F.9")), rulebooks)
    assert str(caught.value).endswith(f"(compare(position, {hint}))")


def test_rulebooks_of_one_name_are_compared_both() -> None:
    books = [load_rulebook("1971"), replace(load_rulebook("datc-3"), name="1971"), load_rulebook("1971")]
    found = compare(read_sheet_position(find_bundled_case("6.F.9")), books)
    assert [*found.rulebooks] == ["1971", "1971 (2)"]
    assert found.names == ["1971", "1971 (2)"]
    assert {"1971 (2)": ["4.A.1"]} in [one.causes for one in found.orders]


def test_comparison_says_where_a_book_is_silent() -> None:
    assert set(_verdicts("6.F.18", ["2000"], "F SKA - NTH").values()) == {UNRESOLVED}


@pytest.mark.skipif(not GAMES.is_dir(), reason=f"the real games are not at {GAMES}")
def test_automatic_removals_of_real_games_follow_home_centres() -> None:
    compared = 0
    for path in sorted(GAMES.glob("*.jsonl.gz")):
        for row in map(json.loads, gzip.decompress(path.read_bytes()).splitlines()):
            if row["phase"].endswith("A") and (after := _after_removals(row)) is not None:
                assert after == {(power, unit) for power, units in row["next_units"].items() for unit in units}, row["game"]
                compared += 1
    assert compared == 31


def _after_removals(row: dict[str, dict[str, list[str]]]) -> set[tuple[str, str]] | None:
    """The units after an adjustment row with automatic removals, judged by home centres; None for other rows."""
    game_map = load_map()
    units = [parse_unit(text, power, game_map) for power, texts in row["units"].items() for text in texts]
    centers = {parse_location(text, game_map): power for power, texts in row["centers"].items() for text in texts}
    board = Board(tuple(units), (), centers, Phase.ADJUSTMENT)
    outcome = judge_phase(board, row["orders"], rulebook=load_rulebook("1971"))
    if not getattr(outcome, "automatic", None):
        return None
    return {(unit.power, str(unit)) for unit in outcome.units}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["4.A.3=always"], "cannot be combined with"),
        (["4.A.2=szykmann"], "no value"),
        (["4.Z.1=a"], "no option"),
        (["nonsense"], "ISSUE=VALUE"),
    ],
)
def test_impossible_choices_are_refused_with_a_sentence(settings: list[str], message: str) -> None:
    with pytest.raises(RulebookError, match=message):
        load_rulebook().with_settings(settings)


def test_short_names_settle_several_issues() -> None:
    chosen = load_rulebook().with_settings(["4.A.3=1971", "4.A.4=last-fleet"]).settings()
    assert (chosen["4.A.3"], chosen["4.A.3.fallback"]) == ("opposite", "disrupted")
    assert (chosen["4.A.4.1"], chosen["4.A.4.5"], chosen["4.A.5"]) == ("last-fleet", "last-fleet", "allowed")


def test_paradox_rule_none_is_an_explicit_error() -> None:
    sheet: Sheet = find_bundled_case("6.F.14")
    rulebook = load_rulebook().with_settings(["4.A.2=none"])
    with pytest.raises(SatjudgeError, match="has no answer to this core with 2 resolutions"):
        judge(sheet.board, sheet.orders_by_power(), rulebook=rulebook)


def test_comparison_tells_removals_and_retreats() -> None:
    removal = find_bundled_case("6.J.12")
    found = compare(read_sheet_position(removal), [load_rulebook("datc-3"), load_rulebook("1971")])
    (removals,) = found.orders
    assert (removals.power, removals.order, removals.causes) == ("ITALY", "automatic removals", {"1971": ["4.D.8"]})
    assert found.columns == {"datc-3": ("A TUS",), "1971": ("A WAR",)}
    convoy = find_bundled_case("6.H.11")
    found = compare(read_sheet_position(convoy), [load_rulebook("datc-3"), load_rulebook("2000")])
    (retreats,) = [one for one in found.orders if one.order == "retreats of A MAR"]
    assert retreats.verdicts == {"datc-3": "GAS PIE SPA", "2000": "PIE SPA"}
    assert retreats.causes == {"2000": ["4.A.5"]}


@pytest.mark.parametrize(
    ("dislodged", "message"),
    [
        ({"A BUR": ["MUN"]}, "A MUN of FRANCE is there"),
        ({"A BUR": ["LON"]}, "cannot go there directly"),
        ({"F MAO": ["SPA"]}, "cannot go there directly"),
    ],
)
def test_retreats_that_cannot_be_are_refused(dislodged: dict[str, list[str]], message: str) -> None:
    row = {"phase": "retreat", "units": {"FRANCE": ["A MUN"]}, "dislodged": {"GERMANY": dislodged}, "orders": {}}
    (answer,) = judge_many([row])
    assert answer["error"]["kind"] == "board"
    assert message in answer["error"]["message"]


@pytest.mark.parametrize(
    ("case", "other", "order", "share", "issues", "told"),
    [
        ("6.F.19", "1971", "F TYS C A TUN - NAP", "alone", ["4.A.1", "4.A.2"], ", either of which would be enough"),
        ("6.F.18", "2023", "A LON - BEL", "needed", ["4.A.2", "4.A.2.fallback"], ", both of which are needed"),
        ("6.G.2", "1971", "A NWY - SWE", "needed", ["4.A.3"], ", which is needed, but not enough alone"),
        ("6.F.17", "1971", "A BRE - LON", "alone", ["4.A.2"], "(What settles convoy paradoxes?)"),
    ],
)
def test_of_several_issues_it_is_told_whether_one_alone_would_do(
    case: str, other: str, order: str, share: str, issues: list[str], told: str
) -> None:
    """What is told holds: the verdict is judged with each issue settled as in the other book, and left as it is there."""
    first, second = load_rulebook("datc-3"), load_rulebook(other)
    position = read_sheet_position(find_bundled_case(case))
    found = compare(position, [first, second])
    (row,) = (one for one in found.orders if one.order == order)
    assert (row.shares[other], row.causes[other]) == (share, issues)
    assert any(reason.endswith(told) and order in orders for reason, orders in found.reasons.items())

    def makes_it(of: Rulebook, towards: Rulebook, issue: str) -> bool:
        """Whether the verdict is the other book's; not where the choices do not go together."""
        with suppress(RulebookError):
            moved = of.with_settings([f"{issue}={towards.settings()[issue]}"])
            orders = compare(position, [moved]).orders
            return row.verdicts[other] in [one.verdicts[moved.name] for one in orders if one.order == order]
        return False

    for issue in issues:
        assert makes_it(first, second, issue) is (share == "alone")
        assert share == "alone" or not makes_it(second, first, issue)


def test_where_verdicts_agree_for_different_reasons_that_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    books = [load_rulebook(name) for name in ("datc-3", "1971", "2000", "2023")]
    found = compare(read_sheet_position(find_bundled_case("6.F.14")), books)
    assert found.agrees
    rule = {"datc-3": "szykman", "1971": "1971", "2000": "2000", "2023": "2000"}
    assert found.applied == {name: [f"4.A.2={choice}"] for name, choice in rule.items()}
    assert compare(read_sheet_position(find_bundled_case("6.F.14")), books[2:]).applied == {}  # which choose alike
    assert (
        compare(read_sheet_position(find_bundled_case("6.F.2")), books).applied == {}
    )  # a convoy that bounces, and nothing disputed
    assert compare(read_sheet_position(find_bundled_case("6.F.17")), books).applied == {}  # verdicts differ
    assert run(["compare", "datc:6.F.14", "--rules", "datc-3,1971,2000,2023"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:-1] == [
        "datc-3, 1971, 2000, 2023: no difference in verdicts.",
        "The reasons differ: datc-3 by 4.A.2=szykman; 1971 by 4.A.2=1971; 2000, 2023 by 4.A.2=2000.",
    ]
    assert run(["compare", "datc:6.F.2"]) == 0
    assert capsys.readouterr().out.splitlines()[-2].endswith(": no difference in verdicts.")


# ---- the table of docs/reference/rulebooks.md ----

ROOT = Path(__file__).parents[2]
IN_WORDS = {
    "4.A.1": {
        "all-routes": "It fails if all its routes are disrupted.",
        "any-route": "It fails if any of its routes is disrupted.",
        "any-own-route": "It fails if any of its routes is disrupted. "
        "Foreign fleets do not count if the power's own fleets are enough.",
    },
    "4.A.2": {
        "1971": "It does not cut a fleet's support for a fleet that attacks one of its convoying fleets.",
        "1982": "If a fleet supports any action in a sea with a convoying fleet, the army does not cut this support.",
        "2000": "It does not cut a support for an attack on a fleet that its convoy needs.",
        "szykman": "The convoys of the paradox are disrupted (Szykman's rule).",
        "guide": "If a resolution disrupts all convoys of the paradox, this resolution applies. "
        "Otherwise, the moves of the paradox fail.",
    },
    "4.A.2.fallback": {"unresolved": "The rulebook does not settle other paradoxes.", "szykman": "", "all-hold": ""},
    "4.A.3": {
        "opposite": "It goes by convoy if the unit at its destination moves the other way.",
        "1982": "It goes by convoy if its order says so, or if a fleet of its power is ordered to convoy it. "
        "It also goes by convoy if a unit of its power comes the other way.",
        "own-or-via": "It goes by convoy if its order says `via convoy`, or if a fleet of its power is ordered to convoy it.",
        "explicit": "It goes by convoy if its order says `via convoy`.",
    },
    "4.A.3.fallback": {
        "disrupted": "Otherwise, or if every ordered route is disrupted, it goes by land.",
        "unordered": "Otherwise, or if no route is ordered, it goes by land.",
        "never": "Otherwise, it goes by land. If the convoy fails, so does the move.",
    },
}
"""What the choices of rulebooks are called in the table; the columns are 4.A.1, 4.A.2 and 4.A.3."""
COLUMNS = (("4.A.1",), ("4.A.2", "4.A.2.fallback"), ("4.A.3", "4.A.3.fallback"))


def row_of(name: str) -> tuple[str, ...]:
    settings = tomllib.loads((ROOT / "models" / "rulebooks" / f"{name}.toml").read_text(encoding="utf-8"))["settings"]
    return tuple(" ".join(filter(None, (IN_WORDS[one][settings[one]["choice"]] for one in column))) for column in COLUMNS)


def test_the_page_says_what_each_rulebook_does_about_convoys() -> None:
    names: dict[tuple[str, ...], list[str]] = {}
    for name in ("1971", "1982", "2000", "2023", "2025ee", "guide-1998", "datc-2", "datc-3"):
        names.setdefault(row_of(name), []).append(f"`{name}`")
    assert sorted(one.strip("`") for same in names.values() for one in same) == sorted(preset_names())
    page = (ROOT / "docs" / "reference" / "rulebooks.md").read_text(encoding="utf-8")
    section = page[page.index("## What each rulebook does about convoys") : page.index("## Choosing for yourself")]
    table, _, _ = section[section.index("|---") :].partition("\n\n")
    rows = table.splitlines()[1:]
    assert rows == [f"| {', '.join(same)} | {' | '.join(cells)} |" for cells, same in names.items()]
