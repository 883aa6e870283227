"""The command that verifies certificates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from satjudge import __version__
from satjudge.cli import EXIT_USAGE, options
from satjudge.cli.options import FILE_PATH, argument, command
from satjudge.cli.output import tell, tell_wrapped, write_json

if TYPE_CHECKING:
    from satjudge.documents.verified import Verified
    from satjudge.verify.certificate import Package


@command(
    epilog="Examples:  satjudge resolutions datc:6.F.28 --certificate core.zip; satjudge verify core.zip  ·  "
    "satjudge verify docs/certificates/lines.zip --json"
)
def verify(
    files: tuple[Path, ...] = argument(nargs=-1, required=True, type=FILE_PATH, metavar="FILE..."),
    as_json: bool = options.json,
) -> int:
    """Verify certificates, without what wrote them.

    Each answer is checked against the equations as a second encoder writes them, which shares nothing with the first; that
    there is no other by a proof in LRAT; and what becomes of the orders in the end by an oracle. What a claim rests on
    besides is told. docs/certificates.md says what each check means.
    The exit code is 1 if a certificate is refused, 2 if a file cannot be read; the others are verified all the same.
    """
    from satjudge.documents.verified import VerifiedFiles, unreadable
    from satjudge.render.verified import conclusion_of_all
    from satjudge.verify.certificate import Package, read_certificates

    found: list[Verified] = []
    unread = 0
    for file in files:
        for one in read_certificates(file):
            if isinstance(one, Package):
                found.append(_verify(one, as_json))
            else:
                tell(f"satjudge: {one}", err=True)
                found.append(unreadable(one))
                unread += 1
    if as_json:
        write_json(VerifiedFiles(__version__, found))
    elif len(found) > 1:
        tell(conclusion_of_all(found))
    return EXIT_USAGE if unread else 0 if all(one.accepted for one in found) else 1


def _verify(package: Package, as_json: bool) -> Verified:
    """Verify one certificate, and tell each check as soon as it is done."""
    from satjudge.documents.verified import Checked, Verified
    from satjudge.render.verified import assumption_lines, check_line, claim_lines, conclusion
    from satjudge.verify.assumptions import ASSUMPTIONS
    from satjudge.verify.verifier import verification_of

    verification = verification_of(package)
    title, assumptions = package.certificate.title, package.certificate.assumptions
    subject = [*verification.subject]
    document = Verified(str(package.path), title, verification.claim, subject, [], assumptions, accepted=True)
    if not as_json:
        for line in claim_lines(document):
            tell_wrapped(line)
    for check in verification.checks():
        document.checks.append(checked := Checked(check.name, check.found, check.problem))
        document.accepted &= not check.problem
        if not as_json:
            tell_wrapped(check_line(checked))
    if not as_json:
        for line in (*assumption_lines(document, ASSUMPTIONS), conclusion(document)):
            tell_wrapped(line)
    return document
