"""How good the default tree is, and whether its printed intervals are right: public tables, simulated worlds, noise."""
