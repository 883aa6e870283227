"""Plays a year by a satjudge service, from Python: `python docs/clients/client.py http://127.0.0.1:8780`."""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SERVICE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8780"


def ask(path: str, question: dict[str, Any]) -> dict[str, Any]:
    """Ask the service, or raise what it says is wrong."""
    request = Request(SERVICE + path, json.dumps(question).encode(), {"content-type": "application/json"})
    try:
        with urlopen(request, timeout=30) as answer:
            told: dict[str, Any] = json.load(answer)
            return told
    except HTTPError as error:
        raise ValueError(json.load(error)["error"]["message"]) from None


phase: dict[str, Any] = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN", "A BER", "F KIE"]},
    "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "BER", "KIE"]},
}
ORDERS = {
    "S1901M": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR", "F KIE - HOL"]},
    "F1901M": {"FRANCE": ["A BUR - BEL"], "GERMANY": ["A MUN - RUH"]},
    "W1901A": {"FRANCE": ["A PAR B"], "GERMANY": ["A KIE B"]},
}
while phase["phase"] in ORDERS:
    phase["orders"] = ORDERS[phase["phase"]]
    played = ask("/next", phase)
    for power, verdicts in played["judged"]["results"].items():
        for order, verdict in zip(phase["orders"][power], verdicts, strict=True):
            print(phase["phase"], power, order, "->", verdict)
    phase = played["next"]
print(phase["phase"], json.dumps(sorted(phase["units"]["FRANCE"]), separators=(",", ":")))
try:
    ask("/judge", {**phase, "orders": {"FRANCE": ["A PAR - BUR"]}, "unit": []})
except ValueError as error:
    print("refused:", error)
