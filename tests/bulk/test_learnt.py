"""What is kept of all orders is what the plain path says of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy
import pytest

from satjudge.bulk.kernel.memory import COUNTS_AS_MOVE, IN_FULL, LEGAL, LEGAL_OWN, NONE, LongNumbers
from satjudge.bulk.tables import order_facts
from satjudge.bulk.tables.order_facts import HashTable, OrderFacts
from satjudge.bulk.tables.writing import pack_numbers, unpack_numbers
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm import loading
from satjudge.files.maps import read_map
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset, preset_names


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary()


def facts(of: OrderFacts, number: int) -> tuple[Any, ...]:
    """What is known of an order, with the question about convoys in place of its number."""
    row, questions = of.entries[number].tolist(), [*of.questions]
    when = (row[column] for column in (LEGAL, LEGAL_OWN))
    return *(one if one < 0 else questions[one] for one in when), *row[IN_FULL : COUNTS_AS_MOVE + 1]


@pytest.mark.parametrize("rules", preset_names())
def test_what_is_kept_is_what_the_plain_path_says(rules: str, vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else: `make kernel`. Where sources have changed what is kept is passed over, and these samples tell whether it holds."""
    with monkeypatch.context() as patch:
        patch.setattr(loading, "load_kernel", loading.load_kernel.__wrapped__)
        patch.setattr(loading, "load_table_file", loading.load_table_file.__wrapped__)
        patch.setattr(loading, "is_current", lambda *_: True)
        kept = OrderFacts(vocabulary, load_preset(rules))
    assert kept.links.count > 50_000
    monkeypatch.setattr(order_facts, "load_tables", lambda *_: None)
    anew = OrderFacts(vocabulary, load_preset(rules))
    assert anew.links.count == 0
    random = Random(f"learnt {rules}")
    for number in random.sample(range(vocabulary.first_order[-1]), 250):
        anew.learn_entry(number)
        if anew.entries[number, IN_FULL] != NONE:
            anew.learn_entry(int(anew.entries[number, IN_FULL]))
        assert facts(kept, number) == facts(anew, number), vocabulary.texts[number]
    keys = kept.links.array[:, 0]
    for key in random.sample(keys[keys != NONE].tolist(), 100):
        anew.links.clear()
        anew.learn_link(key)
        assert kept.links[key] == anew.links[key]


def test_other_maps_and_rulebooks_have_nothing_kept() -> None:
    assert loading.load_tables(load_map(), load_preset("datc-3")) is not None
    assert loading.load_tables(read_map("1898"), load_preset("datc-3")) is None
    assert loading.load_tables(load_map(), load_preset("datc-3 with 4.A.7=never")) is None


def test_numbers_come_back_as_they_were() -> None:
    for numbers in ([0, -1, 1 << 50, -(1 << 50), 7, 7], [], [3], [-128, 127], [127, 255, 383], [1 << 31, 0]):
        assert there_and_back(numbers).tolist() == numbers


def there_and_back(numbers: Sequence[int]) -> LongNumbers:
    data, planes = pack_numbers(numbers)
    return unpack_numbers(numpy.frombuffer(data, numpy.uint8).reshape(planes, -1))


def test_a_table_that_is_filled_at_once_is_like_one_that_is_filled_key_by_key() -> None:
    random = Random("table")
    keys = random.sample(range(1 << 50), 3_000)
    one, other = HashTable(1), HashTable(1)
    for number, key in enumerate(keys):
        one.put(key, number)
    other.fill(*map(there_and_back, (keys, range(3_000))))
    assert [other[key] for key in keys] == [one[key] for key in keys] == list(range(3_000))
    other.put(1 << 51, 5)
    assert other[1 << 51] == 5


def test_canonical_texts_mean_what_they_say(vocabulary: Vocabulary) -> None:
    texts = vocabulary.texts[: vocabulary.first_order[-1]]
    for number in Random("texts").sample(range(len(texts)), 300):
        assert vocabulary.order_numbers[parse_order(texts[number], load_map())] == number
    assert len(set(texts)) == len(texts)
    assert [parse_unit(str(unit), "", load_map()).named for unit in vocabulary.units] == list(vocabulary.units)
