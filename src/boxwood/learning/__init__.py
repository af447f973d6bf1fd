"""What a fit learns from: parameters, the learning set and its response, folds, rows held out, grown trees."""
