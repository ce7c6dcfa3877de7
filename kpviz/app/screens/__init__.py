"""One short file per page: read settings, ask for a run, place what it shows."""
