"""Supplies the kernel with tables of a map under a rulebook: those that come with satjudge, and what is learnt besides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from satjudge.bulk.arrays import ALIASES, COMINGS, LINKS
from satjudge.bulk.wasm.ready import ready
from satjudge.bulk.wasm.tables import Host, Tables
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook

if TYPE_CHECKING:
    from satjudge.bulk.table_facts import Learner

MOST_LEARNT = 200_000
"""The largest number of texts and facts that are learnt; then all begins anew."""


class Supply:
    """The tables by which the kernel is set up, as they are now.

    Those that come with satjudge are `whole`: they know all orders that could ever be legal. What is learnt then is more.
    """

    def __init__(self, game_map: Map, rulebook: Rulebook, code: bytes, tables: Tables, *, whole: bool) -> None:
        self.map, self.rulebook, self.code, self.tables, self.whole = game_map, rulebook, code, tables, whole
        self._learner: Learner | None = None

    def host(self) -> Host:
        """Make an instance of the kernel that is set up by the tables."""
        return Host(self.code, self.tables)

    def learn(self, facts: Iterable[tuple[int, int]], texts: Iterable[tuple[int, str]]) -> None:
        """Ask the plain path what was missed, facts by their keys and texts by their kinds, for the next instance."""
        if self._learner is None or self._learner.size > MOST_LEARNT:
            from satjudge.bulk.known import Known
            from satjudge.bulk.table_facts import Learner
            from satjudge.bulk.vocabulary import Vocabulary

            known = Known(Vocabulary(self.map), self.rulebook)
            self._learner = Learner(known, self.tables.header.kernel, self.tables.header.functions)
            if self.whole:
                self._learner.learn_everything()
            facts = [fact for fact in facts if _is_of_vocabulary(self._learner, *fact)]
        self._learner.learn(facts, texts)
        self.tables = self._learner.tables()


def _is_of_vocabulary(learner: Learner, what: int, key: int) -> bool:
    """Tell whether a fact is about orders of the vocabulary, which have the same numbers in all tables of a map.

    Others are numbered as they come: what is missed of them is asked again by their texts.
    """
    if what == COMINGS:
        return key // 512 < len(learner.duties.orders)
    number = {ALIASES: key >> 19, LINKS: max(key >> 24, key & 0xFFFFFF)}.get(what, key)
    return number < len(learner.known.vocabulary)


def supply_at_once(game_map: Map, rulebook: Rulebook) -> Supply | None:
    """Find the tables that come with satjudge; None where none do."""
    found = ready(game_map, rulebook)
    return Supply(game_map, rulebook, found.code, found.tables, whole=True) if found else None


def supply_for(game_map: Map, rulebook: Rulebook) -> Supply | None:
    """Find or make tables; None where the compiled kernel has not the equations, or where the map is too large."""
    if found := supply_at_once(game_map, rulebook):
        return found
    from satjudge.bulk.known import Known
    from satjudge.bulk.limits import too_large
    from satjudge.bulk.table_facts import Learner
    from satjudge.bulk.vocabulary import Vocabulary
    from satjudge.bulk.wasm.shipped import shipped

    kernel, vocabulary = shipped(), Vocabulary(game_map)
    functions = kernel.names(rulebook.with_map_rules(game_map)) if kernel and not too_large(vocabulary) else None
    if not kernel or not functions:
        return None
    learner = Learner(Known(vocabulary, rulebook), kernel.manifest.printed, functions)
    return Supply(game_map, rulebook, kernel.code, learner.tables(), whole=False)
