"""What commands found, as plain data: JSON is one of these documents encoded; tables, Markdown and pages read them.

The modules are imported by their own names, for a run needs only one. `docs/schemas` has the JSON Schema of each document.
"""

from __future__ import annotations

from typing import Any

import msgspec

from satjudge import __version__
from satjudge.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names


class Rules(msgspec.Struct):
    """The rulebook that something was judged by, with every option."""

    name: str
    title: str
    settings: dict[str, str]

    @staticmethod
    def of(rulebook: Rulebook) -> Rules:
        """A rulebook as plain data."""
        return Rules(rulebook.name, rulebook.title, rulebook.settings())

    def rulebook(self) -> Rulebook:
        """The preset of that name, with what was settled otherwise. Raises `RulebookError`."""
        base = load_rulebook(self.name if self.name in preset_names() else DEFAULT_RULES)
        usual = base.settings()
        return base.with_settings(f"{issue}={value}" for issue, value in self.settings.items() if usual.get(issue) != value)


class Made(msgspec.Struct, kw_only=True):
    """How a document was made: by which version of satjudge, and by which rulebook."""

    satjudge: str
    rulebook: Rules


def made_by(rulebook: Rulebook) -> dict[str, Any]:
    """The fields of `Made`."""
    return {"satjudge": __version__, "rulebook": Rules.of(rulebook)}
