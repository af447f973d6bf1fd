"""Why a node was split as it was, and what moved the predictions of a fitted model."""
