"""MARS: multivariate adaptive regression splines (Friedman 1991), beside the trees and on the same layers."""
