"""Makes the package of the kit, an asset of the release: `python -m release.kit FOLDER` writes FOLDER and FOLDER.zip."""

from __future__ import annotations

import hashlib
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from satjudge.engines.kit.package import make_package_files, write_package

ABOUT = Path(__file__).resolve().parents[1] / "datc_cases" / "kit" / "package" / "kit.toml"


def pack(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Pack files under the name of a folder into a zip file next to it, with the same bytes on every machine."""
    packed = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{folder.name}/{name}"), data, zipfile.ZIP_DEFLATED)
    return packed


def make(folder: Path) -> str:
    """Write the package, unless its version was released with other content, and say what was written."""
    about, files = tomllib.loads(ABOUT.read_text(encoding="utf-8")), make_package_files()
    digest = hashlib.sha256(b"".join(name.encode() + data for name, data in sorted(files.items()))).hexdigest()
    if about["released"].get(about["version"], digest) != digest:
        sys.exit(f"Version {about['version']} of the kit was released with other content: raise `version` in {ABOUT}")
    write_package(folder, files)
    packed = pack(folder, files)
    return f"{packed}: version {about['version']}, {packed.stat().st_size:,} bytes, content {digest}"


if __name__ == "__main__":
    print(make(Path(sys.argv[1])))
