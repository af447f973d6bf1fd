"""The scikit-learn facade: one estimator per task and algorithm of the registry."""
