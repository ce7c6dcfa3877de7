"""The plain plots of the kernel lab: arrays in, matplotlib axes out."""
