"""What users install: the wheel with its data inside, and a checkout with its data beside the package."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import satjudge
from satjudge.base.resources import data_directory

CHECKOUT = Path(__file__).parents[2]
DATA = ("models", "datc_cases")
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SATJUDGE"))}
WHERE = "import satjudge, satjudge.base.resources as r; print(satjudge.__file__); print(r.data_directory())"


def output(*command: str | Path, cwd: Path) -> str:
    """What a command prints, run far away from the checkout. Its errors are shown if it fails."""
    ran = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", folder)
    output(sys.executable, "-m", "pip", "wheel", *options, CHECKOUT, cwd=folder)
    (built,) = folder.glob("satjudge-*.whl")
    return built


class Installation:
    """A fresh virtual environment that finds the dependencies of this one, but not its satjudge."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
        paths = sysconfig.get_paths(vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
        self.site, self.scripts = Path(paths["purelib"]), Path(paths["scripts"])
        dependencies = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        (self.site / "dependencies.pth").write_text("\n".join(sorted(dependencies)) + "\n", encoding="utf-8")
        self.python = self.scripts / "python"
        self.command = self.scripts / "satjudge"

    def install(self, *what: str | Path) -> None:
        options = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--ignore-installed")
        output(sys.executable, "-m", "pip", "--python", self.python, "install", *options, *what, cwd=self.folder)

    def run(self, *command: str | Path) -> str:
        return output(*command, cwd=self.folder)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel, installed."""
    installation = Installation(tmp_path_factory.mktemp("installed"))
    installation.install(wheel)
    return installation


def test_the_wheel_holds_the_package_and_its_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    kinds = ("**/*.py", "**/*.css", "**/*.js", "explore/page/*.html", "explore/page/*.json")
    code = {path.relative_to(CHECKOUT).as_posix() for kind in kinds for path in (CHECKOUT / "satjudge").glob(kind)}
    theory = CHECKOUT / "models" / "theory"  # nothing needs it to run
    files = [path for part in DATA for path in (CHECKOUT / part).glob("**/*") if path.is_file() and theory not in path.parents]
    data = {f"satjudge/_data/{path.relative_to(CHECKOUT).as_posix()}" for path in files}
    assert held == code | data | {"satjudge/py.typed", "pytest_satjudge.py"}
    assert {"satjudge/_data/models/maps/standard.toml", "satjudge/_data/datc_cases/datc-3.2/6.F.txt"} <= data


def test_the_wheel_finds_its_own_data(installed: Installation) -> None:
    package = installed.site / "satjudge"
    assert installed.run(installed.python, "-c", WHERE).splitlines() == [str(package / "__init__.py"), str(package / "_data")]


def test_the_wheel_runs_the_shipped_cases(installed: Installation) -> None:
    assert "DATC 3.2: 12/12 passed" in installed.run(installed.command, "datc", "6.A")
    table = installed.run(installed.command, "judge", "datc:6.F.14")
    assert "F ENG C A BRE - LON  disrupted, dislodged  by the rule for paradoxes" in table
    assert installed.run(installed.command, "--version").split()[-1] == satjudge.__version__


def test_an_editable_install_finds_the_data_beside_the_package(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.install("--editable", CHECKOUT)
    found = installation.run(installation.python, "-c", WHERE).splitlines()
    assert found == [str(CHECKOUT / "satjudge" / "__init__.py"), str(CHECKOUT)]
    assert "DATC 3.2: 1/1 passed" in installation.run(installation.command, "datc", "6.A.1")


def test_a_checkout_finds_the_data_beside_the_package(tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); {WHERE}"
    found = output(sys.executable, "-c", code, cwd=tmp_path).splitlines()
    assert found == [str(CHECKOUT / "satjudge" / "__init__.py"), str(CHECKOUT)]


def test_what_runs_here() -> None:
    assert all((data_directory() / part).is_dir() for part in DATA)
