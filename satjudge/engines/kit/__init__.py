"""The kit: a fixed set of questions, an engine asked by it, and the package of it for programs in any language."""
