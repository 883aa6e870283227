"""The facts of maps and rulebooks that the kernel judges by, and the table files that hold them."""
