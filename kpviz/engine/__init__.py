"""Data sets, kernels, learners, the one loop and its record: numpy only."""
