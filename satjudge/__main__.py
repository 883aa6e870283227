"""`python -m satjudge` is the command `satjudge`."""

from satjudge.apps.cli import main

if __name__ == "__main__":
    main()
