"""MARS: multivariate adaptive regression splines (Friedman 1991), a sibling of the trees on the same ground."""
