"""The run as a film: what it shows when, its frames, its captions."""
