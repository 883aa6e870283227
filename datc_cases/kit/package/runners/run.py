"""Asks an engine the questions of the kit and prints its score. Python 3.8 or later, nothing else.

python3 runners/run.py [--answers FILE]... [--part NAME]... [--show] ENGINE [ARGUMENT]...

The kit is the folder above; for a copy of this file elsewhere the environment variable KIT names it.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

KIT = Path(os.environ.get("KIT") or Path(__file__).resolve().parents[1])
ASKED = ("id", "map", "season", "phase", "units", "dislodged", "centers", "orders")
KEYS = ("results", "dislodged", "units")


def stop(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def read(name):
    try:
        return (KIT / name).read_text(encoding="utf-8")
    except OSError:
        stop(f"the kit has no {name} (its folder is {KIT}; the environment variable KIT names another)")


def lines(name):
    return [json.loads(line) for line in read(name).splitlines()]


def some(told, keys):
    return {key: told[key] for key in keys if key in told}


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
    parser.add_argument("--show", action="store_true")
    parser.add_argument("engine", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if not given.engine:
        parser.error("no engine is named")
    parts = json.loads(read("kit.json"))["parts"]
    chosen = given.part or [name for name, part in parts.items() if part["usual"]]
    questions = [question for name in chosen for question in lines(f"questions/{name}.jsonl")]
    files = given.answers or ["answers/datc-3.jsonl"]
    answers = {answer["id"]: answer for name in files for answer in lines(name)}  # a later file has the last word
    try:
        engine = subprocess.Popen(given.engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    except OSError as error:
        stop(f"the engine cannot be run: {error}")
    threading.Thread(target=ask, args=(engine, questions), daemon=True).start()
    topics, wrong, heard, counts = {}, [], 0, Counter()
    for question in questions:
        line, expected, name = engine.stdout.readline(), answers[question["id"]], question["id"]
        answer, heard = answered(line), heard + bool(line)
        if answer.get("id", name) != name:
            stop(f"{answer['id']} was answered where {name} was asked")
        if answer.get("skip") or expected.get("unresolved"):
            counts["skipped" if answer.get("skip") else "without an answer in this profile"] += 1
            continue
        right = same(expected, answer, parts[question["part"]]["compared"])
        topics.setdefault(expected.get("topic", question["topic"]), []).append(right)
        wrong += [] if right or not line else [(question, expected, line.strip())]
    for topic, results in topics.items():
        print(f"{topic:24}{sum(results):6} of {len(results):6}")
    for question, expected, line in wrong:
        print("wrong:", question["id"])
        for label, told in (("asked", some(question, ASKED)), ("expected", some(expected, KEYS))) * given.show:
            print(f"  {label:9}{json.dumps(told)}")
        if given.show:
            print(f"  {'answered':9}{line}")
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")
    score = sum(sum(results) / len(results) for results in topics.values()) / max(1, len(topics))
    print(f"score: {int(score * 1000) / 10:g}%")
    if heard < len(questions):
        stop(f"the engine ended after {heard} of {len(questions)} answers, with exit status {engine.wait()}")
    sys.exit(1 if wrong or not topics else 0)


def ask(engine, questions):
    try:
        engine.stdin.write("".join(json.dumps(some(one, ASKED)) + "\n" for one in questions))
        engine.stdin.close()
    except OSError:  # it has ended
        pass


main()
