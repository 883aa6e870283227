"""Makes README the page of the package, where links into the repository need an address: a metadata hook of hatchling.

The address is `repository` in pyproject.toml, and stands nowhere else. Links lead to the files of the version that is built.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(?P<picture>!?)(?P<text>\[[^][]*\])\((?P<path>(?!\w+:|#|/)[^)\s]+)\)")
"""A link or a picture whose target is a file of the project."""


def package_page(readme: str, repository: str, version: str) -> str:
    """Lead the links and pictures of a README to the files of a version in the repository."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}{link['text']}({repository}/{kind}/v{version}/{link['path']})"

    return _RELATIVE.sub(absolute, readme)


def addresses(repository: str, version: str) -> dict[str, str]:
    """The metadata that a package index lists next to the page."""
    files = f"{repository}/blob/v{version}"
    return {
        "Homepage": repository,
        "Documentation": f"{files}/README.md",
        "Changelog": f"{files}/CHANGELOG.md",
        "Source": repository,
        "Issues": f"{repository}/issues",
    }


class PackagePage(MetadataHookInterface):
    """The fields of the metadata that need the address of the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in `readme` and `urls`."""
        repository, version = self.config["repository"], metadata["version"]
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": package_page(readme, repository, version)}
        metadata["urls"] = addresses(repository, version)
