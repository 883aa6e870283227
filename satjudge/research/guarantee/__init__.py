"""Orders of one power that bring something about whatever the others order."""
