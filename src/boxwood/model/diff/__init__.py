"""What changed between two trees: aligned by the values that rows may have, not by the numbers of nodes."""
