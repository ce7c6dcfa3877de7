"""What is printed: worksheets from a run, handouts from a lesson, each with its sheet
of solutions.
"""
