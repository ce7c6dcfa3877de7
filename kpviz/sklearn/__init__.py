"""The learners as scikit-learn classifiers; `import kpviz` does not load this package."""
