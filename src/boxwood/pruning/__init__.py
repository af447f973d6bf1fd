"""Trees in, smaller trees out: the pruners, their algorithms, and the evidence of rows held out."""
