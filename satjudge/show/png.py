"""Turns SVG into PNG, without a browser, with a font that is the same on every machine.

Both come with the extra `pictures`: resvg, whose reading of style sheets is what our pictures need, and the files of the font
that the style sheet names first.
"""

from __future__ import annotations

import re

from satjudge.base.errors import RequestError

_IN_OUR_FONT = re.compile("[\n\r\t -~\u00a0-\u017f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0482–—‘’“”•…]*")
"""Texts that Open Sans can write: European languages in Latin, Greek and Cyrillic letters."""


def check_png() -> None:
    """Raise `RequestError` if no PNG can be made: no library, or no font."""
    try:
        import resvg_py  # noqa: F401
        import ttf_opensans  # noqa: F401
    except ImportError as error:
        library = "font Open Sans" if error.name == "ttf_opensans" else "library resvg-py"
        hint = "pip install resvg-py ttf-opensans, or write an .svg"
        raise RequestError(f"PNG pictures need the {library}", suggestion=hint) from None


def to_png(svg: str, background: str = "#ffffff") -> bytes:
    """Turn an SVG picture into PNG, a pixel for each of its units, the same on every machine.

    Only letters that Open Sans does not have are drawn with the machine's own fonts, if it has any. Raises `RequestError`
    where the extra `pictures` is missing.
    """
    check_png()
    import resvg_py
    from ttf_opensans import OPENSANS_BOLD, OPENSANS_REGULAR

    fonts = [str(font.path) for font in (OPENSANS_REGULAR, OPENSANS_BOLD)]
    ours = _IN_OUR_FONT.fullmatch(svg) is not None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, background=background, font_files=fonts, skip_system_fonts=ours))
