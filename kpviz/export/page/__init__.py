"""Runs and lessons as pages without a server: alone, in a frame of another page, as a course."""
