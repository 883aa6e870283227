"""The kernel as WebAssembly: generated as C from its single statement, compiled in advance, and run in a sandbox."""
