"""The file of a lesson or a lecture, `*.kpviz.md`: read, checked, and without its solutions for students."""
