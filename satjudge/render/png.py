"""SVG to PNG, without a browser. The library (resvg) is an extra: its reading of style sheets is what our pictures need."""

from __future__ import annotations

from functools import cache

from satjudge.errors import RequestError

_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15" font-family="sans-serif">{}</text></svg>'


def check_png() -> None:
    """Raise `RequestError` if no PNG can be made: no library, or no font that it could write with."""
    try:
        import resvg_py  # noqa: F401
    except ImportError:
        hint = "pip install 'satjudge[pictures]', or write an .svg"
        raise RequestError("PNG pictures need the library resvg-py", suggestion=hint) from None
    if not _has_fonts():
        raise RequestError("PNG pictures need a font", suggestion="install one, such as fonts-dejavu, or write an .svg")


@cache
def _has_fonts() -> bool:
    """Whether a letter leaves a trace: without a font the library draws all but the text, and says nothing."""
    from resvg_py import svg_to_bytes

    return bool(svg_to_bytes(svg_string=_LETTER.format("M")) != svg_to_bytes(svg_string=_LETTER.format("")))


def to_png(svg: str, background: str = "#ffffff") -> bytes:
    """The picture as PNG, a pixel for each of its units. Raises `RequestError` where that needs something installed."""
    check_png()
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, background=background))
