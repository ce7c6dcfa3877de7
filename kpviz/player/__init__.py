"""The player in the browser: what it is sent (payload.py) and what it is made of (web/)."""
