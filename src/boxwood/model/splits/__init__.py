"""Why a node was split as it was, and what influenced the predictions of a fitted model."""
