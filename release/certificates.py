"""Puts all certificates of docs/certificates into one bundle, an asset of the release.

After `python release/certificates.py FILE.zip` they are all verified by `satjudge verify FILE.zip`.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from satjudge.proofs.verify.certificate import write_bundle

CERTIFICATES = Path(__file__).resolve().parents[1] / "docs" / "certificates"


def certificates(folder: Path) -> dict[str, bytes]:
    """The certificates of a folder by name; those of a bundle are called after it."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            bundled = all(name.endswith(".zip") for name in names)
            found |= (
                {f"{path.stem}-{name}": archive.read(name) for name in names} if bundled else {path.name: path.read_bytes()}
            )
    return found


if __name__ == "__main__":
    write_bundle(certificates(CERTIFICATES), Path(sys.argv[1]))
