"""One short file for each page: what stands on it, and which dialogs open over it."""
