"""The command `verify`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import EXIT_USAGE, options
from satjudge.apps.cli.options import FILE_PATH, argument, command, option
from satjudge.apps.cli.output import convert_file_errors, write_json, write_text, write_wrapped
from satjudge.base.errors import InputError
from satjudge.base.version import __version__
from satjudge.base.words import number_of
from satjudge.notation.write import make_file_name

if TYPE_CHECKING:
    from satjudge.proofs.verify.certificate import CertificateFile
    from satjudge.proofs.verify.checks import Verified


@command(
    epilog="Examples:  satjudge resolutions datc:6.F.28 --certificate core.zip; satjudge verify core.zip  ·  "
    "satjudge verify docs/certificates/lines.zip --json  ·  satjudge verify turkey.zip --write-formulas outside"
)
def verify(
    files: tuple[Path, ...] = argument(nargs=-1, required=True, type=FILE_PATH, metavar="FILE..."),
    formulas: Path | None = option(
        "Write formulas and proofs for other LRAT checkers to this directory.", "--write-formulas",
        type=click.Path(file_okay=False, path_type=Path), metavar="DIR"
    ),
    memory: int = option(
        "Maximum memory for the clauses of a proof, in megabytes.", type=click.IntRange(min=1), default=1000, metavar="MB"
    ),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Verify certificates independently of the code that wrote them.

    satjudge checks each answer against the equations of a second encoder, which shares no code with the first. An LRAT proof
    shows that there is no other answer, and an oracle checks the final verdicts. The output also lists the assumptions of
    each claim. docs/reference/certificates.md explains each check.

    The exit status is 1 if a certificate is refused, and 2 if a file cannot be read. In both cases, satjudge still verifies
    the other files.
    """
    from satjudge.proofs.verify.certificate import CertificateFile, read_certificates
    from satjudge.proofs.verify.checks import VerifiedFiles, make_unreadable
    from satjudge.show.research import format_overall_conclusion

    found: list[Verified] = []
    folders: list[Path] = []
    unread = 0
    for file in files:
        for one in read_certificates(file):
            if isinstance(one, CertificateFile):
                found.append(_verify_certificate(one, as_json, memory))
                if formulas:
                    folders.append(_choose_folder(one, file, formulas, folders))
                    _write_formulas(one, formulas, folders[-1])
            else:
                write_text(f"satjudge: {one}", err=True)
                found.append(make_unreadable(one))
                unread += 1
    if as_json:
        write_json(VerifiedFiles(__version__, found))
    elif len(found) > 1:
        write_text(format_overall_conclusion(found))
    return EXIT_USAGE if unread else 0 if all(one.accepted for one in found) else 1


def _choose_folder(certificate_file: CertificateFile, file: Path, directory: Path, used_folders: Collection[Path]) -> Path:
    """Return an unused folder in `directory` for a certificate's formulas, named after its file and, in a bundle, itself."""
    folder = directory / make_file_name(file.stem)
    if certificate_file.path != file:
        folder /= make_file_name(certificate_file.path.stem)
    while folder in used_folders:
        folder = folder.with_name(f"{folder.name}-again")
    return folder


def _write_formulas(certificate_file: CertificateFile, directory: Path, folder: Path) -> None:
    """Write a certificate's formulas and proofs to `folder`, and a README to `directory`; report their number or an error."""
    from satjudge.proofs.verify.verifier import README, write_formulas

    try:
        with convert_file_errors(directory):
            steps = write_formulas(certificate_file, folder)
            (directory / "README.txt").write_text(README, encoding="utf-8", newline="\n")
    except InputError as error:
        write_text(f"satjudge: {folder} is incomplete: {error}", err=True)
    else:
        write_text(f"wrote {number_of(steps, 'formula')} with proofs to {folder}", err=True)


def _verify_certificate(certificate_file: CertificateFile, as_json: bool, memory: int) -> Verified:
    """Verify one certificate with `memory` megabytes, show each check when it is done (unless `as_json`), return the result."""
    from satjudge.proofs.verify.certificate import ASSUMPTIONS
    from satjudge.proofs.verify.checks import Verified
    from satjudge.proofs.verify.lrat import ReadLimits
    from satjudge.proofs.verify.verifier import make_verification
    from satjudge.show.research import format_check, format_conclusion, iter_assumption_lines, iter_claim_lines

    verification = make_verification(certificate_file)
    verification.limits = ReadLimits(memory=memory * 1_000_000)
    title, assumptions = certificate_file.certificate.title, certificate_file.certificate.assumptions
    subject = [*verification.subject]
    document = Verified(str(certificate_file.path), title, verification.claim, subject, [], assumptions, accepted=True)
    if not as_json:
        for line in iter_claim_lines(document):
            write_wrapped(line)
    for check in verification.run_checks():
        document.checks.append(check)
        document.accepted &= not check.problem
        if not as_json:
            write_wrapped(format_check(check))
    if not as_json:
        for line in (*iter_assumption_lines(document, ASSUMPTIONS), format_conclusion(document)):
            write_wrapped(line)
    return document
