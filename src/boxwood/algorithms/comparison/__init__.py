"""Several models cross-validated on the same folds, with scores, standard errors, sizes and times."""
