"""What one takes home: scripts, notebook, tables, settings as a file."""
