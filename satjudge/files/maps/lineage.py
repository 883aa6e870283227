"""Finds the files of a webDiplomacy variant: its own, and those of the variants that it extends or takes classes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from satjudge.base.errors import MapError, locate_errors
from satjudge.files.maps import php
from satjudge.files.maps.packages import Package
from satjudge.world.geography import fold

MAIN, VARIANT = "install.php", "variant.php"
_CLASSES = "this->variantClasses"
_OF_VARIANT = re.compile(r"(?P<variant>\w+)Variant_(?P<name>\w+)")
_INSTALLER = re.compile(r"variants/(?P<variant>\w+)/install\.php")
_LONGEST = 8
"""Variants that extend each other one by one; vDiplomacy's have three."""


@dataclass(frozen=True)
class Folder:
    """The folder of one variant."""

    package: Package

    def source(self, name: str) -> php.Source:
        """Read one of its PHP files, or raise `MapError` with the file."""
        with locate_errors(self.package.format_file_name(name)):
            return php.read(self.package.file(name).decode("utf-8", errors="replace"))

    @cached_property
    def variant(self) -> php.Source:
        """Its `variant.php`."""
        return self.source(VARIANT)

    @cached_property
    def literals(self) -> Mapping[str, php.Literal]:
        """The literals of its `variant.php`, by the names that they are assigned to."""
        return self.variant.find_literals()

    @property
    def name(self) -> str:
        """The name of the variant, with which the names of its classes begin."""
        return str(self.literals.get("name"))

    @property
    def parent_name(self) -> str:
        """The name of the variant that it extends; empty for none."""
        parent = next(iter(self.variant.classes().values()), "")
        return parent.removesuffix("Variant") if fold(parent) != "wdvariant" else ""


@dataclass(frozen=True)
class Code:
    """A file with classes of a variant."""

    folder: Folder
    file: str
    source: php.Source

    @property
    def display_name(self) -> str:
        """The name of the file as messages write it."""
        return self.folder.package.format_file_name(self.file)

    @property
    def digest(self) -> str:
        """The digest of its program."""
        return self.source.digest(self.folder.name)


class Lineage:
    """A variant with those that it extends, itself first."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.folders = [Folder(package)]
        while parent := self.folders[-1].parent_name:
            self.folders.append(self._open_sibling(parent, VARIANT))
        self.stated = {name: value for folder in reversed(self.folders) for name, value in folder.literals.items()}

    def _open_sibling(self, name: str, file: str) -> Folder:
        """Open the folder of another variant. Raises `MapError` if it is not there."""
        if name == self.folders[0].name:
            return self.folders[0]
        found = self.package.beside(name)
        if found is None or len(self.folders) == _LONGEST:
            hint = f"put the folder {name} beside this one"
            raise MapError(f"the variant takes rules of {name}", source=self.package.format_file_name(file), suggestion=hint)
        return Folder(found)

    @cached_property
    def install(self) -> Code:
        """The file with the tables of the map: the variant's own, or that of another variant that it names."""
        own = self.folders[0].source(MAIN)
        for required in own.list_required_files():
            if (other := _INSTALLER.fullmatch(required)) and not own.sets("territoryRawData"):
                folder = self._open_sibling(other["variant"], MAIN)
                return Code(folder, MAIN, folder.source(MAIN))
        return Code(self.folders[0], MAIN, own)

    @property
    def methods(self) -> dict[str, php.Source]:
        """The functions of the variant, each with the source in which it stands; a variant's own before those it extends."""
        return {name: folder.variant for folder in reversed(self.folders) for name in folder.variant.methods()}

    def method(self, name: str) -> Sequence[str]:
        """List the words of a function as the variant has it."""
        found = self.methods.get(name)
        return found.method(name) if found else []

    @property
    def classes(self) -> list[str]:
        """The names of the classes that the variant has for itself."""
        return list(dict.fromkeys(name for folder in reversed(self.folders) for name in folder.variant.set_keys(_CLASSES)))

    def code(self, name: str) -> Iterator[Code]:
        """List the files with a class: its own first, then that of another variant's class that it extends, and so on."""
        whose = self.stated.get(f"{_CLASSES}[{name}]")
        folder = self._open_sibling(whose, VARIANT) if isinstance(whose, str) else self.folders[0]
        file = f"classes/{name}.php"
        for _ in range(_LONGEST):
            source = folder.source(file)
            yield Code(folder, file, source)
            classes = source.classes()
            others = [_OF_VARIANT.fullmatch(extended) for extended in classes.values() if extended not in classes]
            found = next((other for other in others if other), None)
            if found is None:
                return
            folder, file = self._open_sibling(found["variant"], file), f"classes/{found['name']}.php"
