"""What satjudge makes is the same to the last byte on every Python and processor, in every locale, time zone and folder.

The tests named here compare what is made with what the repository keeps, on whichever Python runs them. A process of other
surroundings runs them once more: nothing that is made may tell where it was made.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
KEPT = {
    "the schemas of documents": "show/test_documents.py::test_the_schemas_are_up_to_date",
    "pictures": "show/test_svg.py::test_the_pictures_of_the_documentation_are_those_that_are_drawn_now",
    "schematics": "show/test_drawn_maps.py::test_a_layout_is_the_same_to_the_last_bit_everywhere",
    "boards by seed": "bulk/test_boards.py::test_same_seed_gives_same_positions_everywhere",
    "the picture of the rooms": "house/test_architecture.py::test_the_picture_of_the_rooms_is_that_of_the_imports",
    "equations as text": "judging/test_equations.py::test_the_dump_is_as_it_was",
    "generated equations": "judging/test_compiler.py::test_what_is_kept_is_what_is_written_now",
    "tables of the map and the rulebook by default": "base/test_kept_toml.py::test_what_is_kept_is_what_the_files_say_now",
    "the kernel": "bulk/test_wasm.py::test_the_kernel_was_compiled_from_these_sources",
    "a certificate": "proofs/test_verify.py::test_the_same_case_gives_the_same_bytes",
}
ELSEWHERE = {
    "PYTHONHASHSEED": "4711",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "TZ": "Pacific/Kiritimati",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",  # functions of an older processor
    "OPENBLAS_CORETYPE": "Nehalem",
}


def test_what_is_kept_is_what_another_process_makes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(TESTS.parent / "pyproject.toml"), "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run(
        [*command, *(f"{TESTS}/{test}" for test in KEPT.values())],
        cwd=tmp_path, env={**environment, **ELSEWHERE}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
