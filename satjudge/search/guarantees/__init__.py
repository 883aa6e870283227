"""Finds orders that fulfil a wish whatever the others order: in one season, over several, or with a probability."""
