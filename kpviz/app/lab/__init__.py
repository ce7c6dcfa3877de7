"""The kernel lab: what a kernel is, which functions are one, and how large their feature spaces are."""
