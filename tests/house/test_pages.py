"""Sentences, lengths and words of README and of the pages in docs, as the section "Words" of CONTRIBUTING.md asks.

A sentence ends with a full stop, a question mark or an exclamation mark; in a table also with a semicolon. Code counts as one
word, and so does a list of it, and a quotation between “ and ”.
What programs write is left out: between `<!-- measured … -->` and `<!-- end -->`, and the pages in `MADE_BY_PROGRAMS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from satjudge.world.verdicts import Fate, OrderResult

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WORD_LIST = ROOT / "CONTRIBUTING.md"
MOST_WORDS = 25
MOST_WORDS_OF_A_GUIDE = 1_800
MOST_WORDS_OF_A_VERSION = 300
MOST_WORDS_OF_README = 1_200
MOST_WORDS_OF_THE_RULES = 900
MADE_BY_PROGRAMS = {"certificates/made.md", "certificates/tampering.md", "papers/speed/bench.md"}

MARKDOWN = MarkdownIt("commonmark").enable("table")
END_OF_SENTENCE = re.compile(r"(?<=[.?!])[”\")*]*\s+")
AS_ONE_WORD = re.compile(r"“[^”]*”|□(?:, □)*,? (?:and|or) □|□(?:, □)+")


def pages() -> list[str]:
    """List the pages that people write, by their path in docs; README is `../README.md`."""
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - MADE_BY_PROGRAMS
    return ["../README.md", *sorted(written)]


def paragraphs_in(text: str) -> Iterator[str]:
    """Yield paragraphs, headings, items of lists, and the parts of cells of tables, with `□` for code."""
    made, cell = False, False
    for token in MARKDOWN.parse(text):
        if token.type == "html_block" and token.content.startswith("<!--"):
            made = not token.content.startswith("<!-- end")
        elif token.type in ("td_open", "td_close"):
            cell = token.type == "td_open"
        elif token.type == "inline" and not made:
            words = AS_ONE_WORD.sub("□", "".join(map(_words_of, token.children or ())))
            yield from re.split(r";\s" if cell else r"\n:\s+", words)


def _words_of(part: Token) -> str:
    if part.type == "code_inline":
        return "□"
    return "\n" if part.type.endswith("break") else part.content if part.type == "text" else ""


def sentences_in(text: str) -> Iterator[str]:
    """Yield the sentences of a page."""
    for paragraph in paragraphs_in(text):
        for sentence in END_OF_SENTENCE.split(paragraph):
            yield " ".join(sentence.split())


def long_sentences_in(text: str) -> list[str]:
    """List the sentences of a page that have too many words."""
    return [sentence for sentence in sentences_in(text) if len(sentence.split()) > MOST_WORDS]


@cache
def words_not_used() -> dict[str, str]:
    """Read the table of words in CONTRIBUTING.md: each word to avoid, with the word to use."""
    _, _, table = WORD_LIST.read_text(encoding="utf-8").partition("| not | but |\n|---|---|\n")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table.partition("\n\n")[0], re.MULTILINE)
    return {word: better for words, better in rows for word in words.split(", ")}


def wrong_words_in(text: str) -> list[str]:
    """List the words of a page that CONTRIBUTING.md replaces, each with its sentence. Quotations are free."""
    return [
        f"{word}: say {better}: {sentence}"
        for sentence in sentences_in(text)
        for word, better in words_not_used().items()
        if re.search(rf"\b{re.escape(word)}\b", sentence, re.IGNORECASE)
    ]


def test_the_readme_is_read_in_a_few_minutes() -> None:
    assert len(_read("../README.md").split()) <= MOST_WORDS_OF_README


def test_the_newest_version_is_told_in_a_minute() -> None:
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert len(newest.split()) <= MOST_WORDS_OF_A_VERSION
    assert long_sentences_in(newest) == []


def _read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", pages())
def test_sentences_have_at_most_25_words(page: str) -> None:
    assert long_sentences_in(_read(page)) == []


@pytest.mark.parametrize("page", [page for page in pages() if page.startswith("guides/")])
def test_a_guide_is_read_in_a_few_minutes(page: str) -> None:
    assert len(_read(page).split()) <= MOST_WORDS_OF_A_GUIDE


@pytest.mark.parametrize("page", pages())
def test_pages_use_the_preferred_words(page: str) -> None:
    assert wrong_words_in(_read(page)) == []


def test_the_list_of_words_replaces_some() -> None:
    assert words_not_used()["territory"] == "province"
    assert len(words_not_used()) >= 10


def test_the_rules_are_read_in_five_minutes() -> None:
    told = re.sub(r"^```.*?^```$", "", _read("tutorials/rules.md"), flags=re.MULTILINE | re.DOTALL)
    assert len(told.split()) <= MOST_WORDS_OF_THE_RULES


def test_the_rules_explain_each_verdict() -> None:
    """But for the words of maps with railroads and canals, which the page only mentions."""
    _, _, told = _read("tutorials/rules.md").partition("## The verdicts")
    verdicts = {str(word) for word in (*OrderResult, *Fate)} - {OrderResult.STOPS, OrderResult.GRANTED}
    assert verdicts <= set(re.findall(r"^\| `(\w+)`", told.partition("\n## ")[0], re.MULTILINE))
    assert "reference/batch.md#verdicts" in told


LONG = "word " * MOST_WORDS + "word."


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        f"Short. {LONG}",
        f"- An item. {LONG}",
        f"> {LONG}",
        f"| a | b |\n|---|---|\n| short; {LONG} | b |",
        f"Term\n:   {LONG}",
    ],
)
def test_a_long_sentence_is_found_wherever_it_stands(text: str) -> None:
    assert len(long_sentences_in(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{LONG}\n```",
        f"`{LONG}` is code.",
        f"<!-- measured: x -->\n\n{LONG}\n\n<!-- end -->\n\nShort.",
        LONG.replace("word ", "word? ", 1),
    ],
)
def test_code_and_what_programs_write_are_free(text: str) -> None:
    assert long_sentences_in(text) == []


def test_a_wrong_word_is_found_but_in_quotations_and_code() -> None:
    (found,) = wrong_words_in("A Territory. The book says “territory”, the file `territory`.")
    assert found == "territory: say province: A Territory."
