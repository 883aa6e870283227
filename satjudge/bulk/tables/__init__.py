"""The facts about maps and rulebooks with which the kernel judges, and the table files that contain them."""
