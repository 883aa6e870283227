"""Contains the kit: a fixed set of questions, the code that asks an engine, and a package for programs in any language."""
