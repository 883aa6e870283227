"""Hypothesis profiles: `ci` is the default, `HYPOTHESIS_PROFILE=deep` looks for longer and elsewhere every time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=120)
settings.register_profile(
    "deep", deadline=None, max_examples=3000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
