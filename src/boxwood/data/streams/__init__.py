"""Data larger than memory, batch by batch, and what is found out about its columns part by part."""
