"""Stands in for `satjudge.apps.pytest_satjudge` where satjudge was installed for development before it moved; to be deleted."""

from satjudge.apps.pytest_satjudge import *  # noqa: F403
