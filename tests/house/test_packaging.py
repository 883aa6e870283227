"""What users install: the wheel with its data inside, and a checkout with its data beside the package.

What has to be built is tried by `make slow-test`; the packages are built once, whoever asks for them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_bytes
from email.message import Message
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from filelock import FileLock
from markdown import markdown

import satjudge
from release.package_page import package_page
from release.ready import FOR_A_CLONE, FROM_THE_INDEX, PLACEHOLDER, hindrances, install_lines
from satjudge.base.resources import data_directory

CHECKOUT = Path(__file__).parents[2]
DATA = ("models", "datc_cases")
VERSION_FILE = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["version"]["path"]
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SATJUDGE"))}
WHERE = "import satjudge, satjudge.base.resources as r; print(satjudge.__file__); print(r.data_directory())"


def output(*command: str | Path, cwd: Path) -> str:
    """What a command prints, run far away from the checkout. Its errors are shown if it fails."""
    ran = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source package, built once without the network for all processes of the tests."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "packages"  # of all processes of this run
    with FileLock(f"{folder}.lock"):
        if not (folder / "built").exists():
            output(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=CHECKOUT)
            (folder / "built").touch()
    return folder


@pytest.fixture(scope="session")
def wheel(packages: Path) -> Path:
    """The wheel."""
    (built,) = packages.glob("satjudge-*.whl")
    return built


@pytest.fixture(scope="session")
def source(packages: Path) -> Path:
    """The source package."""
    (built,) = packages.glob("satjudge-*.tar.gz")
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


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_its_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    kinds = (".py", ".css", ".js", ".html", ".json")
    code = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "satjudge").rglob("*") if path.suffix in kinds}
    theory = CHECKOUT / "models" / "theory"  # nothing needs it to run
    files = [path for part in DATA for path in (CHECKOUT / part).glob("**/*") if path.is_file() and theory not in path.parents]
    files += [
        CHECKOUT / "adapters" / "js" / name for name in ("index.js", "typed.js")
    ]  # a site judges by it until Python is there
    data = {f"satjudge/_data/{path.relative_to(CHECKOUT).as_posix()}" for path in files}
    assert held == code | data | {"satjudge/py.typed"}
    assert {"satjudge/_data/models/maps/standard.toml", "satjudge/_data/datc_cases/datc-3.2/6.F.txt"} <= data


@pytest.mark.slow
def test_the_wheel_finds_its_own_data(installed: Installation) -> None:
    package = installed.site / "satjudge"
    assert installed.run(installed.python, "-c", WHERE).splitlines() == [str(package / "__init__.py"), str(package / "_data")]


@pytest.mark.slow
def test_the_wheel_runs_the_shipped_cases(installed: Installation) -> None:
    assert "DATC 3.2: 12/12 passed" in installed.run(installed.command, "datc", "6.A")
    table = installed.run(installed.command, "judge", "datc:6.F.14")
    assert "F ENG C A BRE - LON  disrupted, dislodged  by the rule for paradoxes" in table
    assert installed.run(installed.command, "--version").split()[-1] == satjudge.__version__


INSTALL = (CHECKOUT / "docs" / "guides" / "install.md").read_text(encoding="utf-8")
FIRST_STEPS = INSTALL[INSTALL.index("## If you have never installed Python") : INSTALL.index("## Extras")]


def first_steps(shell: str) -> list[str]:
    """The lines that the page tells people to type who have never installed Python."""
    block = re.search(rf"```{shell}\n(.*?)```", FIRST_STEPS, re.DOTALL)
    assert block is not None
    return block[1].splitlines()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the lines are those for macOS and Linux")
def test_the_first_steps_of_the_page_install_satjudge(wheel: Path, tmp_path: Path) -> None:
    """Only that the wheel comes from this checkout, and what it needs from this environment, is otherwise than on the page."""
    make, enter, install, judge = first_steps("sh")
    assert install == "pip install ."
    here = f"pip install --quiet --no-deps --no-index '{wheel}'"
    site = f"satjudge-env/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    needed = f"echo '{sysconfig.get_path('purelib')}' > {site}/needed.pth"
    make = make.replace("python3", f"'{sys.executable}'")
    printed = output("sh", "-ec", "\n".join((make, enter, here, needed, judge, "command -v satjudge")), cwd=tmp_path)
    assert printed.startswith("6.F.14: ")
    assert printed.splitlines()[-1] == str(tmp_path / "satjudge-env" / "bin" / "satjudge")


def test_the_first_steps_are_short_and_the_same_everywhere() -> None:
    assert len(FIRST_STEPS.split()) <= 300
    needed = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert f"Python {needed.removeprefix('>=')} or later" in FIRST_STEPS
    assert f"older than {needed.removeprefix('>=')}" in FIRST_STEPS
    scripts = sysconfig.get_path("scripts", "nt", {"base": "satjudge-env"}).replace("/", "\\")
    assert scripts == r"satjudge-env\Scripts"
    as_windows = {"python3 -m": "py -m", ". satjudge-env/bin/activate": rf"{scripts}\activate"}
    lines = first_steps("sh")
    for line, windows in zip(lines, first_steps("bat"), strict=True):
        for one, other in as_windows.items():
            line = line.replace(one, other)
        assert line == windows


@pytest.mark.slow
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


# ---- the page of the package ----


class _Targets(HTMLParser):
    """Where the links and pictures of a page lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def metadata(package: Path) -> Message:
    """What a package says of itself."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            return message_from_bytes(archive.read(name))
    with tarfile.open(package) as source:
        (member,) = (member for member in source if member.name.count("/") == 1 and member.name.endswith("/PKG-INFO"))
        held = source.extractfile(member)
        assert held
        return message_from_bytes(held.read())


def targets(readme: str) -> list[str]:
    """Where a page of Markdown leads, as a browser would go."""
    return _Targets(markdown(readme, extensions=["tables", "fenced_code"])).found


def test_the_page_of_the_package_leads_into_the_repository() -> None:
    text = "[a](docs/a.md#b) ![p](docs/p.svg) [c](https://c.org/) [d](#d) [`e`\nf](models) `x[1](y)`"
    assert package_page(text, "https://h.org/s", "1.2.0") == (
        "[a](https://h.org/s/blob/v1.2.0/docs/a.md#b) ![p](https://h.org/s/raw/v1.2.0/docs/p.svg) [c](https://c.org/) [d](#d) "
        "[`e`\nf](https://h.org/s/blob/v1.2.0/models) `x[1](https://h.org/s/blob/v1.2.0/y)`"
    )


def test_no_link_of_the_package_page_is_relative() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    relative = [target for target in targets(readme) if not target.startswith(("https:", "#"))]
    led = targets(package_page(readme, "https://h.org/s", "1.2.0"))
    assert len(relative) > 20
    assert [target for target in led if not target.startswith(("https:", "#"))] == []
    assert sum(target.startswith("https://h.org/s/") for target in led) == len(relative)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "source"])
def test_what_is_built_says_where_everything_is(kind: str, request: pytest.FixtureRequest) -> None:
    told = metadata(request.getfixturevalue(kind))
    page = str(told.get_payload())
    assert "# satjudge" in page
    found = targets(page)
    assert len(found) > 20
    assert [target for target in found if not target.startswith(("https:", "#"))] == []
    urls = dict(url.split(", ") for url in told.get_all("Project-URL", []))
    assert urls.keys() == {"Homepage", "Documentation", "Changelog", "Source", "Issues"}
    assert told["Author-email"].startswith("the satjudge contributors <")
    assert told.get_all("License-File") == ["LICENSE", "NOTICE"]


@pytest.mark.slow
def test_the_source_package_is_small_and_builds_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    assert source.stat().st_size < 2_500_000  # half a megabyte is the kernel with the tables of eight rulebooks, packed already
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    assert not (unpacked / "docs" / "pictures").exists()
    assert not (unpacked / "docs" / "certificates").exists()
    output(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist", cwd=unpacked)
    (again,) = (tmp_path / "dist").iterdir()
    assert again.read_bytes() == wheel.read_bytes()


# ---- a release ----


VERSION = satjudge.__version__
CLONE = "these lines are for a clone, not for who installs by `pip install satjudge`:"
PLACE, AUTHORS, DATE = "https://code.test/satjudge", "satjudge@code.test", "2027-01-31"


def make_ready(
    root: Path,
    place: str = PLACE,
    authors: str = AUTHORS,
    heading: str = f"{VERSION} ({DATE})",
    cited: str = "",
    readme: str = "pip install satjudge  # not of a clone",
) -> Path:
    """Write the files that a release rests on as those of the checkout, with everything said, or something otherwise."""
    cited = cited or f"version: {VERSION}\ndate-released: {DATE}\nrepository-code: {PLACE}"
    changes = {
        "pyproject.toml": {
            r'(?m)^repository = "[^"]*"': f'repository = "{place}"',
            r'\bemail = "[^"]*"': f'email = "{authors}"',
        },
        "CHANGELOG.md": {r"(?m)\A(.*\n\n)## .*$": rf"\1## {heading}"},
        "CITATION.cff": {r"(?m)^(date-released|repository-code):.*\n": "", r"(?m)^version: .*$": cited},
        VERSION_FILE: {},
    }
    for name, puts in changes.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        text = (CHECKOUT / name).read_text(encoding="utf-8")
        for old, new in puts.items():
            text, changed = re.subn(old, new, text)
            assert changed or not new, old
        (root / name).write_text(text, encoding="utf-8")
    (root / "README.md").write_text(readme, encoding="utf-8")
    return root


def test_nothing_stands_in_the_way_of_a_release_where_all_is_said(tmp_path: Path) -> None:
    assert list(hindrances(make_ready(tmp_path), f"v{VERSION}")) == []


@pytest.mark.parametrize(
    ("otherwise", "told"),
    [
        ({"heading": f"{VERSION} (unreleased)"}, f"CHANGELOG.md begins with '{VERSION} (unreleased)'"),
        ({"heading": f"9.9 ({DATE})"}, f"CHANGELOG.md begins with '9.9 ({DATE})'"),
        ({"place": "https://example.org/x"}, "the address of the repository is a placeholder: https://example.org/x"),
        ({"authors": "us@example.org"}, "the address of the authors is a placeholder: us@example.org"),
        ({"readme": "As said:\n\npip install .  # here"}, f"{CLONE}\n  README.md:3: pip install .  # here"),
        ({"readme": "`pip install --no-deps '.[serve]'`"}, f"{CLONE}\n  README.md:1: "),
        ({"readme": "satjudge is on no package index yet."}, f"{CLONE}\n  README.md:1: "),
        ({"cited": f"version: {VERSION}\nrepository-code: {PLACE}"}, f"CITATION.cff needs `date-released: {DATE}`"),
        ({"cited": f"version: {VERSION}\ndate-released: {DATE}"}, f"CITATION.cff needs `repository-code: {PLACE}`"),
        (
            {"cited": f"version: 9.9\ndate-released: {DATE}\nrepository-code: {PLACE}"},
            f"CITATION.cff cites version 9.9, not {VERSION}",
        ),
    ],
)
def test_a_release_waits_for_what_is_missing(otherwise: dict[str, str], told: str, tmp_path: Path) -> None:
    (found,) = hindrances(make_ready(tmp_path, **otherwise), f"v{VERSION}")
    assert found.startswith(told)


def test_until_the_first_release_pages_install_from_a_clone() -> None:
    """The address of the repository is a placeholder until then, and afterwards no page may install from a clone."""
    project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    never, somewhere = (FROM_THE_INDEX, FOR_A_CLONE) if PLACEHOLDER.search(project) else (FOR_A_CLONE, FROM_THE_INDEX)
    assert list(install_lines(CHECKOUT, never)) == []
    pages = [line.partition(":")[0] for line in install_lines(CHECKOUT, somewhere)]
    assert {"README.md", "docs/guides/install.md", "docs/guides/serve.md", "docs/guides/explore.md"} <= set(pages)
    assert pages.count("docs/guides/install.md") >= 4


def test_a_release_has_the_tag_of_its_version(tmp_path: Path) -> None:
    assert list(hindrances(make_ready(tmp_path), "v9.9")) == [f"the tag is v9.9, the version {VERSION} ({VERSION_FILE})"]


class Workflow:
    """The steps of the release workflow, which run here as they stand there, in a copy of the checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs = yaml.safe_load((CHECKOUT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
        for name in output("git", "ls-files", cwd=CHECKOUT).splitlines():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, folder / name)
        for page in {line.partition(":")[0] for line in install_lines(folder, FOR_A_CLONE)}:  # as whoever releases swaps them
            text = (folder / page).read_text(encoding="utf-8")
            (folder / page).write_text(FOR_A_CLONE.sub("pip install satjudge", text), encoding="utf-8")
        self._environment()
        (folder / "bin").mkdir()
        (folder / "bin" / "gh").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > told\n', encoding="utf-8")
        (folder / "bin" / "gh").chmod(0o755)

    def _environment(self) -> None:
        """A folder `.venv` with what is installed here, so that nothing is to be installed."""
        (self.folder / ".venv").mkdir()
        for part in Path(sys.prefix).iterdir():
            if not part.name.startswith("."):
                (self.folder / ".venv" / part.name).symlink_to(part)
        (installed := self.folder / ".venv" / ".installed-dev").touch()
        os.utime(installed, (4e9, 4e9))  # later than any change: make is not to install anything

    def run(self, job: str) -> None:
        """Run the steps of a job that are commands."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        given = {"GITHUB_REF_NAME": f"v{VERSION}", "PATH": path, "PYTHONPATH": str(self.folder)}
        for step in self.jobs[job]["steps"]:
            if "run" in step:
                shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
                ran = subprocess.run(
                    shell, cwd=self.folder, env={**ENVIRONMENT, **given}, capture_output=True, text=True, check=False
                )
                assert ran.returncode == 0, f"{step['name']}: {ran.stdout}{ran.stderr}"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="the workflow runs where make is")
def test_the_steps_of_the_release_workflow_run(tmp_path: Path) -> None:
    workflow = Workflow(tmp_path)
    make_ready(tmp_path, readme=(tmp_path / "README.md").read_text(encoding="utf-8"))
    workflow.run("build")
    built = sorted(path.name for path in (tmp_path / "dist").iterdir())
    assert built == [f"satjudge-{VERSION}-py3-none-any.whl", f"satjudge-{VERSION}.tar.gz"]
    assert f"{PLACE}/blob/v{VERSION}/" in str(metadata(tmp_path / "dist" / built[0]).get_payload())
    bundle = tmp_path / "build" / "certificates" / "satjudge-certificates.zip"
    with zipfile.ZipFile(bundle) as archive:
        assert {"6.F.14.zip", "lines-walker-1.zip"} <= set(archive.namelist())
    (tmp_path / "assets").mkdir()
    for path in (*(tmp_path / "dist").iterdir(), bundle):
        shutil.copy(path, tmp_path / "assets")
    workflow.run("assets")
    command = (tmp_path / "told").read_text(encoding="utf-8").split("\n")
    assert command[:3] == ["release", "create", f"v{VERSION}"]
    assert [Path(name).name for name in command[3:6]] == sorted([*built, bundle.name])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="the workflow runs where make is")
def test_the_release_workflow_stops_at_a_placeholder(tmp_path: Path) -> None:
    workflow = Workflow(tmp_path)
    make_ready(tmp_path, place="https://example.org/satjudge")
    with pytest.raises(AssertionError, match="the address of the repository is a placeholder"):
        workflow.run("build")
    assert not (tmp_path / "dist").exists()


def test_only_the_step_that_publishes_may_say_who_it_is() -> None:
    """Trusted publishing: no job but `publish` gets a token for PyPI, and it runs nothing that is ours."""
    workflow = yaml.safe_load((CHECKOUT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    jobs = workflow["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items()} == {
        "build": {"contents": "read"}, "publish": {"id-token": "write"}, "assets": {"contents": "write"}
    }  # fmt: skip
    assert jobs["publish"]["environment"] == "pypi"
    assert not any("run" in step for step in jobs["publish"]["steps"])
    assert jobs["publish"]["steps"][-1]["with"] == {"attestations": True}
