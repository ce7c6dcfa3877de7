"""Speed and size, measured by hand: `make bench`. Ratios are of numbers taken in the same run."""
