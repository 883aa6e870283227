"""Defines explanations: reasons with the rules that they cite, strengths that they compare and orders that are to blame.

It also defines the words for decisions, units and rules in reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from satjudge.base.values import one_line, replace
from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    ReachDecision,
    Stage,
    SupportDecision,
)
from satjudge.world.geography import Power
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import AnyVerdict, Fate, InWords, OrderResult

Rule = str
"""A number of the DATC (`5.B.2`), or an issue with the choice in force (`4.A.2=szykman`).

Chapters 7 to 12 are those of the DATC 2.4 (`7.B.6`), with the rules of special maps, except for `HALF_STRENGTH`.
"""
HALF_STRENGTH: Rule = "1900"
"""The name of the variant with borders at half strength, which is cited as their rule."""


class Culprit(Struct, frozen=True):
    """An order that is to blame, or a hold for a unit that only occupies a place (`A MUN H`)."""

    power: Power
    order: str

    def __str__(self) -> str:
        return self.order


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength in an explanation: HOLD of a province, or ATTACK, PREVENT or DEFEND of a move or train."""

    term: str
    of: str
    """The province, or the order of the move."""
    value: int
    supports: tuple[str, ...] = ()
    """The supports that count in the strength. Unless the value is 0, it is their number plus one for the unit itself. Over a
    difficult border the value is one less (DATC 2.4, 10), and over a border at half strength, half a point less.
    """


class Reason(Struct, frozen=True):
    """One sentence of an explanation, with the rules, orders and strengths on which it is based."""

    text: str
    rules: tuple[Rule, ...]
    culprits: tuple[Culprit, ...]
    """The orders that are to blame, or holds for units that only occupy a place."""
    strengths: tuple[Strength, ...]
    because: tuple[Reason, ...]
    """The reasons for this sentence."""

    @classmethod
    def from_text(
        cls, text: str, rules: tuple[Rule, ...], culprits: tuple[Culprit, ...] = (), because: tuple[Reason, ...] = ()
    ) -> Reason:
        """Make a reason with this text, its rules, culprits and the reasons for it (`because`), but without strengths."""
        return cls(text, rules, culprits, (), because)

    @property
    def word(self) -> OrderResult | Fate | None:
        """The verdict's word at the beginning of the text, such as `cut` in `cut by A MUN - BUR`; None if there is none."""
        return _VERDICT_WORDS.get(self.text.partition(" ")[0])

    def __iter__(self) -> Iterator[Reason]:
        """Yield this reason, then all nested reasons."""
        yield self
        for reason in self.because:
            yield from reason

    def __repr__(self) -> str:
        return one_line("Reason", str(self))

    def __str__(self) -> str:
        return f"{self.text} [{format_rules(self.rules)}]" if self.rules else self.text


def format_rules(rules: Iterable[Rule]) -> str:
    """Format rules as a list; those that only the DATC 2.4 has come last, after its name: `6.C; DATC 2.4, 7.B.1`."""
    given = list(rules)
    maps = [rule for rule in given if _CHAPTER.match(rule)]
    others = ", ".join(rule for rule in given if rule not in maps)
    return "; ".join(part for part in (others, f"DATC 2.4, {', '.join(maps)}" if maps else "") if part)


_CHAPTER = re.compile(r"(?:[789]|1\d)\b")
"""The beginning of a rule number in the chapters on special maps."""


@dataclass(frozen=True, slots=True)
class CoreAccount:
    """The core of an order: its orders, their values in each resolution, and the backup rule that decided."""

    orders: tuple[str, ...]
    resolutions: tuple[tuple[bool, ...], ...]
    rule: str | None
    """The backup rule that decided; None if there is only one resolution."""
    settled: tuple[str, ...]
    """The orders that the rule settled; the other values follow from these."""


_VERDICT_WORDS: dict[str, OrderResult | Fate] = {str(word): word for word in (*OrderResult, *Fate)}


class Explanation(Struct, frozen=True):
    """An explanation of the verdict on one order.

    `str` returns it as a sentence.
    """

    power: Power
    order: str
    verdict: InWords
    text: str
    """The verdict with all reasons."""
    rules: tuple[Rule, ...]
    """All rules that the reasons cite, the one that matters most first."""
    culprits: tuple[Culprit, ...]
    """The orders to blame, without the explained order unless it is the only one."""
    reasons: tuple[Reason, ...]
    core: CoreAccount | None

    @classmethod
    def from_reasons(
        cls, power: Power, order: str, verdict: AnyVerdict, reasons: Iterable[Reason] = (), core: CoreAccount | None = None
    ) -> Explanation:
        """Make the explanation of a verdict on an order from reasons, with all rules and culprits in them."""
        because = tuple(reasons)
        every = [inner for reason in because for inner in reason]
        blamed = dict.fromkeys(culprit for reason in every for culprit in reason.culprits)
        culprits = tuple(one for one in blamed if (one.power, one.order) != (power, order) or len(blamed) == 1)
        rules = tuple(dict.fromkeys(rule for reason in every for rule in reason.rules))
        text = "; ".join((_format_head(verdict, because), *map(str, every[1:])))
        return cls(power, order, verdict, text, rules, culprits, because, core)

    def __iter__(self) -> Iterator[Reason]:
        """Yield each reason, followed by its nested reasons."""
        for reason in self.reasons:
            yield from reason

    @property
    def rule(self) -> Rule:
        """The most important rule: the first of `rules`."""
        return self.rules[0]

    @property
    def strengths(self) -> tuple[Strength, ...]:
        """All strengths that the reasons compare, in their sequence."""
        return tuple(strength for reason in self for strength in reason.strengths)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All reasons as texts, each followed by its nested reasons."""
        return tuple(str(reason) for reason in self)

    @property
    def head(self) -> str:
        """The verdict with the first reason: `fails: attack 1 (itself) does not …`."""
        return _format_head(self.verdict, self.reasons)

    def __repr__(self) -> str:
        return one_line("Explanation", self.power, f"{self.order} {self.head}")

    def __str__(self) -> str:
        return f"{self.order} {self.text}"


def _format_head(verdict: AnyVerdict, reasons: Sequence[Reason]) -> str:
    if not reasons:
        return str(verdict)
    first, last = reasons[0], verdict.words[-1]
    return f"{verdict}{str(first)[len(last) :]}" if first.word is last else f"{verdict}: {first}"


@dataclass(slots=True)
class Draft:
    """The rules, culprits, strengths and nested reasons collected for a reason."""

    rules: list[Rule] = field(default_factory=list)
    culprits: list[Culprit] = field(default_factory=list)
    strengths: list[Strength] = field(default_factory=list)
    nested: list[Reason] = field(default_factory=list)

    def make_reason(self, text: str, *rules: Rule) -> Reason:
        """Make a reason with this text and everything in the draft; the given rules come first."""
        return Reason(
            text,
            tuple(dict.fromkeys((*rules, *self.rules))),
            tuple(dict.fromkeys(self.culprits)),
            tuple(dict.fromkeys(self.strengths)),
            tuple(self.nested),
        )


def prefix_reason(reason: Reason, prefix: str, *rules: Rule) -> Reason:
    """Return a copy of a reason with `prefix` and a space before its text, and with these rules first."""
    return replace(reason, text=f"{prefix} {reason.text}", rules=tuple(dict.fromkeys((*rules, *reason.rules))))


def remove_culprits(reason: Reason) -> Reason:
    """Return a copy of a reason without culprits, also in its nested reasons."""
    return replace(reason, culprits=(), because=tuple(map(remove_culprits, reason.because)))


_NUMBER = r"[456]\.[A-J]\.\d+(?:\.[a-z0-9]+)?"
_OF_A_MAP = r"DATC 2\.4, ((?:[789]|1[012])(?:\.[A-Z](?:\.\d+)?)?)"
_NUMBERS_BEHIND = re.compile(rf" \((?:(?:{_NUMBER}|{_OF_A_MAP})(?:, | to )?)+\)$")


def split_rule_numbers(text: str) -> tuple[str, tuple[Rule, ...]]:
    """Return a text without the DATC rule numbers in brackets at its end, and all DATC rule numbers in it."""
    return _NUMBERS_BEHIND.sub("", text), tuple(dict.fromkeys([*re.findall(_NUMBER, text), *re.findall(_OF_A_MAP, text)]))


def format_choice(rulebook: Rulebook, issue: str) -> Rule:
    """Format an issue with the rulebook's choice: `4.A.2=szykman`."""
    return f"{issue}={rulebook.settings()[issue]}"


def make_culprit(decision: Decision | Stage) -> Culprit:
    """Make a culprit of the order that a decision or a railroad stage is about."""
    given = decision.train if isinstance(decision, Stage) else decision
    return Culprit(given.power, str(given.order))


def format_unit(decision: Decision) -> str:
    """Return the unit of a decision's order as text: `F LON`."""
    return str(decision.order.unit)


def format_list(words: Iterable[str], last: str = "and") -> str:
    """Join words into a list for a sentence: `a, b and c`; "" for none."""
    *most, final = list(words) or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


_WORDS: dict[type[Decision], tuple[str, str]] = {
    MoveDecision: (OrderResult.SUCCEEDS, OrderResult.FAILS),
    SupportDecision: (OrderResult.GIVEN, OrderResult.CUT),
    ConvoyDecision: (OrderResult.AVAILABLE, OrderResult.DISRUPTED),
    ReachDecision: ("tried", "not tried"),
    PassDecision: (OrderResult.SUCCEEDS, OrderResult.FAILS),
    CanalDecision: ("open", "shut"),
}


def choose_value_word(decision: Decision, value: bool) -> str:
    """Return the word for a decision's value, such as `succeeds`, `cut` or `open`: the DATC's verdict if it has one."""
    return _WORDS[type(decision)][not value]


def format_predicate(decision: Decision, value: bool) -> str:
    """Format a decision's value as a predicate: `succeeds`, `is given`."""
    found = choose_value_word(decision, value)
    return found if found in (OrderResult.SUCCEEDS, OrderResult.FAILS) else f"is {found}"
