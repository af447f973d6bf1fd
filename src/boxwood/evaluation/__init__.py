"""How good predictions are: figures, baseline, standard errors, thresholds, costs."""
