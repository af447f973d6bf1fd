"""The dossier of a model: what is known of it in one JSON that anybody can recompute, and as a page."""
