"""The run as Python: scripts, notebooks, estimators."""
