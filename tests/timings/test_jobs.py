"""Jobs beyond the plain fit: how both sides are timed, and what the table holds."""

from __future__ import annotations

import time

import pytest

from benchmarks import job_list, jobs


def test_both_sides_take_turns_and_may_bring_their_own_clock():
    order = []

    def ours() -> None:
        order.append("ours")
        time.sleep(0.001)

    def theirs() -> float:
        order.append("theirs")
        return 5.0

    found = jobs.measured(job_list.Job("a", "b", (1, 1), lambda: (ours, theirs)), rounds=2)
    assert found.other_s == 5.0
    assert 0.001 <= found.ours_s < 5.0
    assert found.ratio == pytest.approx(5.0 / found.ours_s, rel=0.5)
    assert order == ["ours", "ours", "theirs", "ours", "theirs"]  # one to warm up


def test_short_jobs_are_repeated():
    count = []
    job = job_list.Job("a", "b", (1, 1), lambda: (lambda: count.append(1), lambda: None))
    jobs.measured(job, rounds=2)
    assert len(count) == 2 + jobs.MOST_ROUNDS


def test_a_fit_of_ours_has_the_other_ratio():
    beside = job_list.Job("MARS", "earth", (2, 1), lambda: None)
    multiple = job_list.Job("default fit", "plain fit, depth 8", (1, 1), lambda: None, peer_is_ours=True)
    found = {beside: jobs.Found(2.0, 8.0, 4.0), multiple: jobs.Found(2.0, 1.0, 0.5)}
    assert jobs.table(found, ours=False).splitlines()[2] == "| MARS | 2.00 | 2 | earth | 8.00 | 1 | 4.00 |"
    assert jobs.table(found, ours=True).splitlines()[2] == (
        "| default fit | 2.00 | 1 | plain fit, depth 8 | 1.00 | 1 | 2.00 |"
    )


def test_names_are_found_again():
    names = [job.name for job in job_list.JOBS]
    assert len(set(names)) == len(names), "a job is started by its name"


@pytest.mark.long
def test_a_job_runs_in_a_process_of_its_own():
    job = next(job for job in job_list.JOBS if job.name == "default fit, 1,000 x 20")
    found = jobs.in_a_process(job, 1)
    assert isinstance(found, jobs.Found), found
    assert found.ours_s > found.other_s > 0
