"""The plain plots of the kernel lab: arrays in, matplotlib axes out; and which functions and examples it looks at."""
