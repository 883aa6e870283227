"""Inputs that are nearly right: samples of a format with pieces left out, doubled, moved, replaced or taken from another."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

NASTY: tuple[bytes, ...] = (
    b"", b" ", b"\n", b"\n\n", b"\r\n", b"\t", b"\x00", b"\x0b", b"\x0c", b"\x1b[31m", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf",
    b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc2\x85", b"\xc4\xb0", b"\xc4\xb1", b"\xc5\xbf", b"\xe2\x84\xaa", b"\xef\xbc\xa1",
    b"\xd9\xa3", b"\xc2\xb2", b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"|",
    b":", b",", b"-", b"->", b"/", b"(", b")", b"[", b"]", b"{", b"}", b"=", b"#", b"%", b"{0}", b"%s", b"0", b"-1", b"1e999",
    b"NaN", b"null", b"true", b"[]", b"{}", b'""', b"9" * 30, b"9" * 5000, b"(" * 400, b"[" * 2000, b"a." * 50, b" " * 300,
    b"A" * 300, b"../../etc/passwd", b"/dev/null", b"datc:6.F.14", b"<script>", b"[bold]", b"[/]", b"&amp;",
)  # fmt: skip
"""Bytes that programs stumble over: controls, characters that change their case strangely, numbers that are too large."""

_FAR = 1 << 20


@st.composite
def mutated(draw: st.DrawFn, samples: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """A sample with one to eight pieces changed; `words` are what the format is made of."""
    data = samples[draw(st.integers(0, len(samples) - 1))]
    pieces = (*words, *NASTY)
    for _ in range(draw(st.integers(1, 8))):
        kind = draw(st.integers(0, 7))
        start = draw(st.integers(0, _FAR)) % (len(data) + 1)
        end = min(len(data), start + draw(st.integers(0, 40)))
        word = pieces[draw(st.integers(0, len(pieces) - 1))]
        if kind == 0:
            data = data[:start] + data[end:]
        elif kind == 1:
            data = data[:start] + word + data[start:]
        elif kind == 2:
            data = data[:start] + word + data[end:]
        elif kind == 3:
            data = data[:end] + data[start:end] * draw(st.integers(1, 20)) + data[end:]
        elif kind == 4:
            data = data[:start]
        elif kind == 5:
            data = _lines_changed(draw, data)
        elif kind == 6:
            other = samples[draw(st.integers(0, len(samples) - 1))]
            data = data[:start] + other[draw(st.integers(0, _FAR)) % (len(other) + 1) :]
        else:
            data = data[:start] + bytes([draw(st.integers(0, 255))]) + data[start + 1 :]
    return data


def _lines_changed(draw: st.DrawFn, data: bytes) -> bytes:
    """Two lines put in each other's place, or one written over the other."""
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    first, second = (draw(st.integers(0, _FAR)) % len(lines) for _ in range(2))
    lines[first], lines[second] = lines[second], lines[draw(st.sampled_from([first, second]))]
    return b"".join(lines)
