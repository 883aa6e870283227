"""States what the page may do in a browser: run its own scripts, ask its own server, and nothing else."""

from __future__ import annotations

DIRECTIVES = (
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:", "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
)  # fmt: skip
IN_PAGE = "; ".join(DIRECTIVES)
"""The policy as an element of the page, where there is no server to send headers."""
IN_HEADER = f"{IN_PAGE}; frame-ancestors 'none'"
"""The policy as a header, which alone can say who may show the page in a frame."""
