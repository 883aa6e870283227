"""Serves satjudge over HTTP: one stateless service for sites and programs in any language (docs/guides/serve.md)."""
