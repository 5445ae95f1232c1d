"""The guide of the paper: the published table again."""

from __future__ import annotations

import dataclasses
import statistics

from bench.common import Report
from bench.qcsp_peers import guided_figures

from woodstock.qcsp import Guide, solve
from woodstock.qcsp.models import baker

NODES = 3_000_000  # limit of a run: bad orders have heavy tails
PACE = 2.18  # iterations of the guide for each node, in the mean of the paper's runs
PUBLISHED = {
    ("instance 1", "QuaCode"): (19_130, 19_130, 19_130),
    ("instance 1", "QuaCode+MC"): (13_453, 7_661, 27_988),
    ("instance 2", "QuaCode"): (1_171_084, 1_171_084, 1_171_084),
    ("instance 2", "QuaCode+MC"): (901_853, 14_662, 1_697_205),
}


def table(say: Report, runs: int) -> None:
    """Print table 1 of the paper: nodes and CPU of the search, with and without the guide, in several settings."""
    say(f"Table 1 of [Chantrein, Barichard & Stephan], {runs} runs a setting, at most {NODES:,} nodes a run")
    heads = ("mean", "least", "most", "CPU ms", "least", "most")
    say(f"  {'instance':11} {'setting':38}" + "".join(f" {head:>10}" for head in heads))
    for (instance, what), (mean, least, most) in PUBLISHED.items():
        say(f"  {instance:11} {'published: ' + what:38} {mean:10,} {least:10,} {most:10,}")
    for instance, count, (average, least, most), cpu in guided_figures():
        say(
            f"  {instance:11} {f'QuaCode+MC here, {count} runs':38} {average:10,.0f} {least:10,} {most:10,} {cpu:10.2f}"
        )
    settings = {
        "as published, no guide": Guide("none"),
        "as published, mc": Guide.published(),
        "the same, pace of the paper": Guide.published(pace=PACE),
        "the authors' program, the same pace": Guide.published(rule="program", pace=PACE),
        "our search, no guide": Guide("none"),
    }
    for number in (1, 2):
        problem = baker(least_first=number)
        for name, guide in settings.items():
            rows = []
            for seed in range(runs if guide.name != "none" else 1):
                chosen = dataclasses.replace(guide, seed=seed)
                result = solve(problem, guide=chosen, published="our" not in name, nodes=NODES, strategy=False)
                rows.append((result.statistics["nodes"], 1000 * result.statistics["cpu_seconds"]))
            nodes, cpus = ([*column] for column in zip(*rows, strict=True))
            say(f"  instance {number:<2} {name:38} {statistics.mean(nodes):10,.0f} {min(nodes):10,} {max(nodes):10,}"
                f" {statistics.mean(cpus):10.2f} {min(cpus):10.2f} {max(cpus):10.2f}")  # fmt: skip
