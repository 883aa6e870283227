"""Finds orders that fulfil a wish against any orders of the others: in one season, over several, or with a probability."""
