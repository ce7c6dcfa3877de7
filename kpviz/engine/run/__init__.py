"""The loop, its record, and everything that is read from it."""
