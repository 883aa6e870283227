"""Mails of strangers: which part is read, in which encoding, and what is refused because it takes too long."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import SheetError
from satjudge.files.mail import read_letter
from satjudge.game.game import Game
from satjudge.notation.suggestions import edit_distance

HEAD = b"From: A Player <a@example.org>\nMIME-Version: 1.0\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"
ORDERS = b"\nFrance:\n  A PAR H\n"


@pytest.mark.parametrize("charset", ["undefined", "punycode", "idna", "utf-7", "utf-32", "unicode_escape", "rot13", "x" * 99])
def test_an_encoding_in_which_no_mail_is_written_is_told(charset: str) -> None:
    letter = read_letter(HEAD + f"Content-Type: text/plain; charset={charset}\n".encode() + ORDERS, "m.eml")
    assert letter.text == "France:\n  A PAR H\n"
    assert f"(utf-8, since {charset[:30]!r}"[:-1] in letter.remarks[0]


@pytest.mark.parametrize("charset", ["utf-8", "ISO-8859-1", "windows-1252", "koi8-r", "iso-2022-jp", "gb18030"])
def test_encodings_of_mails_are_read(charset: str) -> None:
    orders = {"koi8-r": "Париж", "iso-2022-jp": "パリ", "gb18030": "巴黎"}.get(charset, "Zürich")
    data = HEAD + f"Content-Type: text/plain; charset={charset}\n\n".encode() + orders.encode(charset)
    told = f"m.eml: an email: lines are those of its plain text ({charset.lower()})"
    assert read_letter(data, "m.eml") == (orders, [told], True)


@pytest.mark.parametrize(
    ("mail", "told"),
    [
        (HEAD + b'Content-Type: text/plain; x="' + b";" * 80_000 + b'"\n' + ORDERS, "a Content-Type of more than 2,000"),
        (HEAD + b"Content-Type: text/plain;\r\n" + b" charset*1=a;\r\n" * 900 + ORDERS, "a Content-Type of more than 2,000"),
        (MIXED + b"--b\nContent-Type: text/html\n\nx\n" * 8_000 + b"--b--\n", "more than 1,000 lines that begin with --"),
        (MIXED + b"--b\r\r" * 2_000, "more than 1,000 lines that begin with --"),
        (MIXED + b"--b\nContent-Type: MULTIPART/mixed; boundary=b\n\n" * 99, "more than 20 nested parts"),
        (HEAD + b"Content-Type: message/rfc822\n\n" * 99, "more than 20 nested parts"),
        (HEAD + b"\n" * 300_000, "more than 200,000 lines"),
        (HEAD + b"Content-Type: text/html\n\n<p>A PAR H</p>", "contains no plain text"),
    ],
)
def test_what_no_player_sends_is_refused(mail: bytes, told: str) -> None:
    with pytest.raises(SheetError, match=re.escape(told)) as error:
        read_letter(mail, "m.eml")
    assert error.value.suggestion == "save its text as a file"


def test_the_plain_part_is_read_beside_many_others() -> None:
    """Also where the part has no head of its own, and an attached one comes first."""
    attached = b"--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\nnot this\n"
    picture = b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + (b"A" * 76 + b"\n") * 2_000
    mail = MIXED + attached + picture + b"--b\nContent-Type: text/html\n\nx\n" * 100 + b"--b\n\nFrance: A PAR H\n--b--\n"
    assert read_letter(mail, "m.eml").text == "France: A PAR H"


def test_a_game_takes_orders_of_a_mail_of_any_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, mail = tmp_path / "g.json", tmp_path / "m.eml"
    mail.write_bytes(HEAD + b"Content-Type: text/plain; charset=undefined\n" + ORDERS)
    assert run(["game", "new", str(game)]) == 0
    assert run(["game", "order", str(game), "FRANCE", "--sheet", str(mail)]) == 0
    assert "'undefined' is not an encoding of emails" in capsys.readouterr().err


def test_a_letter_of_thousands_of_lines_is_refused() -> None:
    game = Game.new()
    (error,) = game.read_message("FRANCE", "retreats\n" * 1_001).refused
    assert "the message has more than 1,000 lines" in str(error)
    text = "A PAR H\n\n" + "> quoted\n" * 5_000 + "\n" * 5_000
    assert game.read_message("FRANCE", text).orders == ["A PAR H"]


@pytest.mark.parametrize("seed", range(20))
def test_distances_that_are_too_long_are_not_worked_out(seed: int) -> None:
    """A bounded distance is the distance, or some number above the bound; a word that comes again is not compared again."""
    random = Random(seed)
    words = ["".join(random.choices("abcd", k=random.randint(1, 9))) for _ in range(12)]
    for one, other, most in product(words, words, (0, 3, 6, 10)):
        found, whole = edit_distance(one, other, most), edit_distance(one, other)
        assert found == whole if whole <= most else found > most
    before = edit_distance.cache_info().misses
    assert edit_distance(words[0], words[1], 6) == edit_distance(words[0], words[1], 6)
    assert edit_distance.cache_info().misses == before
