"""Property tests draw the same examples in every run; HYPOTHESIS=wide draws anew."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("wide", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS", "repeatable"))
