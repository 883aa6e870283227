"""Finds orders that bring a wish about whatever the others order: in one season, over several, or with a probability."""
