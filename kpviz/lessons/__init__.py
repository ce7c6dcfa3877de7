"""What is said of a run: explanations, comparisons, misconceptions."""
