"""Draws random positions with orders."""
