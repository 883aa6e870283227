"""Judges many positions, as batch lines or dictionaries: `satjudge.batch.judge_many(rows)`."""

from satjudge.bulk.batch import Settings, answer, answer_line, is_error, judge_many
from satjudge.files.batch_lines import Request, RequestReader

__all__ = ["Request", "RequestReader", "Settings", "answer", "answer_line", "is_error", "judge_many"]
