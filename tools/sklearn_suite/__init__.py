"""scikit-learn's own tests of trees, run with the classes of boxwood.sklearn: ``python -m tools.sklearn_suite``."""
