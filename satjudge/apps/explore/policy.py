"""What the page may do in a browser: run its own scripts, ask where it came from, and nothing else."""

from __future__ import annotations

DIRECTIVES = (
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:", "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
)  # fmt: skip
IN_PAGE = "; ".join(DIRECTIVES)
"""As an element of the page has it, where there is no server to send headers."""
IN_HEADER = f"{IN_PAGE}; frame-ancestors 'none'"
"""Who may show the page in a frame only a header can say."""
