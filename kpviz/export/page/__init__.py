"""The run as a page that plays itself."""
