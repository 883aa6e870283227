"""What certificates rest on that is not proved in them: sentences, each of which tests try on many random boards."""

from __future__ import annotations

from collections.abc import Mapping

LEGALITY = "legality"

ASSUMPTIONS: Mapping[str, str] = {
    LEGALITY: "The orders of the position are those that count: which orders are legal is not proved (DATC 4.E; "
    "docs/certificates.md)",
}
"""By the word that certificates use."""
