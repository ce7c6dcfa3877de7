"""What is printed: worksheets from a run and handouts from a lesson, each with its solutions."""
