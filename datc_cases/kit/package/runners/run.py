"""Asks an engine the questions of the kit and prints its score. Python 3.8 or later, nothing else.

python3 runners/run.py [--answers FILE]... [--part NAME]... ENGINE [ARGUMENT]...
"""

import argparse
import json
import subprocess
import sys
import threading
from pathlib import Path

KIT = Path(__file__).resolve().parents[1]
ASKED = ("id", "map", "season", "phase", "units", "dislodged", "centers", "orders")


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def plain(told):
    """Make sets of lists, and leave out powers without units: the order of units does not matter."""
    return {
        power: set(of) if isinstance(of, list) else {unit: set(places) for unit, places in of.items()}
        for power, of in told.items()
        if of
    }


def same(expected, answer, keys):
    if "error" in answer or "units" not in answer:
        return False
    for key in {"units", "dislodged"} & set(keys) & answer.keys():
        if plain(answer[key]) != plain(expected.get(key, {})):
            return False
    ours, theirs = expected.get("results", {}), answer.get("results", {})
    told = "results" in keys and theirs
    return not told or all(
        len(words) == len(theirs.get(power, [])) and all(b in ("", a) for a, b in zip(words, theirs.get(power, [])))
        for power, words in ours.items()
    )


def answered(line):
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else {"error": "no answer"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--answers", action="append", default=[])
    parser.add_argument("--part", action="append", default=[])
    parser.add_argument("engine", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    parts = json.loads((KIT / "kit.json").read_text(encoding="utf-8"))["parts"]
    chosen = given.part or [name for name, part in parts.items() if part["usual"]]
    questions = [question for name in chosen for question in lines(KIT / "questions" / (name + ".jsonl"))]
    files = given.answers or ["answers/datc-3.jsonl"]
    answers = {answer["id"]: answer for name in files for answer in lines(KIT / name)}  # a later file has the last word
    engine = subprocess.Popen(given.engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    asked = "".join(json.dumps({key: one[key] for key in ASKED if key in one}) + "\n" for one in questions)
    threading.Thread(target=lambda: (engine.stdin.write(asked), engine.stdin.close()), daemon=True).start()
    topics, wrong = {}, []
    for question in questions:
        answer, expected = answered(engine.stdout.readline()), answers[question["id"]]
        if answer.get("skip") or expected.get("unresolved"):
            continue
        right = same(expected, answer, parts[question["part"]]["compared"])
        topics.setdefault(expected.get("topic", question["topic"]), []).append(right)
        wrong += [] if right else [question["id"]]
    for topic, results in topics.items():
        print(f"{topic:24}{sum(results):6} of {len(results):6}")
    score = sum(sum(results) / len(results) for results in topics.values()) / max(1, len(topics))
    print(*(f"wrong: {name}" for name in wrong), f"score: {int(score * 1000) / 10:g}%", sep="\n")
    sys.exit(1 if wrong or not topics else 0)


main()
