"""Answers questions in a separate process, which the service can end: `python -m satjudge.apps.serve.worker`.

Each question on standard input is a line `/judge 123` followed by 123 bytes; each answer on standard output is a line
`200 123 application/json` followed by 123 bytes.
"""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

import msgspec

from satjudge.apps.serve.questions import Content, answer_path
from satjudge.base.errors import InputError, SatjudgeError, kind_and_message
from satjudge.base.process_tree import ignore_ends
from satjudge.notation.documents import Document, encode_document


class Refusal(Document, omit_defaults=True):
    """Why a request has no answer, and the place of the mistake."""

    kind: str
    message: str
    line: int | None = None
    column: int | None = None
    suggestion: str | None = None


class Refused(Document):
    """The response to a request that has no answer."""

    error: Refusal


def make_refusal(error: Exception) -> tuple[int, bytes]:
    """Convert an error to an HTTP status (422, or 500 for a bug in satjudge) and a JSON document."""
    kind, message = kind_and_message(error)
    refused = Refusal(kind, message)
    if isinstance(error, InputError):
        refused = Refusal(kind, error.message, error.line, error.column, error.suggestion)
        if error.source:
            refused.message = f"{error.source}: {error.message}"
    status = 422 if isinstance(error, SatjudgeError) else 500
    return status, encode_document(Refused(refused))


def answer_question(path: str, body: bytes) -> tuple[int, Content]:
    """Return the HTTP status and the answer to a question; any error becomes a status and a JSON document."""
    try:
        return 200, answer_path(path, body)
    except Exception as error:
        status, document = make_refusal(error)
        return status, Content(document)


def serve_questions(questions: BinaryIO, answers: BinaryIO) -> None:
    """Read questions from one stream and write their answers to another, until the first stream ends."""
    for line in iter(questions.readline, b""):
        path, length = line.split()
        status, answer = answer_question(path.decode(), questions.read(int(length)))
        answers.write(f"{status} {len(answer.content)} {answer.media_type}\n".encode() + answer.content)
        answers.flush()


TRIAL = msgspec.json.encode({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}})
"""A question that loads what most answers need."""


def main() -> None:
    """Answer questions on standard input and output; send everything else that is printed to standard error."""
    ignore_ends()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer_question("/judge", TRIAL)
    serve_questions(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
