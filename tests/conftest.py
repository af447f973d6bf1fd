"""Property tests draw the same examples in every run and are never timed; HYPOTHESIS=wide draws anew."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("wide", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS", "repeatable"))
