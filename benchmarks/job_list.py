"""All jobs of `benchmarks.jobs`, in the order of the page: that of these imports."""

from benchmarks import jobs_of_cart, jobs_of_algorithms, jobs_of_predictions  # noqa: F401, I001
from benchmarks.job import JOBS, Job

__all__ = ["JOBS", "Job"]
