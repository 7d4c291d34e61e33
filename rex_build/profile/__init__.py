"""``rex-build profile``: runs a program, and says which of its lines cost how much time and how many bytes."""
