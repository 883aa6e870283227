"""Runs the command `satjudge` as `python -m satjudge`."""

from satjudge.apps.cli import main

if __name__ == "__main__":
    main()
