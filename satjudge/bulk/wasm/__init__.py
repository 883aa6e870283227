"""The kernel as WebAssembly: printed as C from its one statement, compiled ahead, and run in a sandbox."""
