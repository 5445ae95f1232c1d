"""XCSP 3.0: networks written for other solvers, and the instances of others read.

    from woodstock.scsp import xcsp3

    xcsp3.write(network, "example.xml")             # and example.scsp.json, the stochastic part
    instance = xcsp3.read("example.xml")            # instance.network is the same network again
    xcsp3.count(instance.network).count             # solutions of the hard constraints

`docs/xcsp3.md` says which part of the format is read and has the schema of the sidecar file.
"""

from __future__ import annotations

from woodstock.scsp.xcsp3.error import InstanceError
from woodstock.scsp.xcsp3.reader import Instance, read
from woodstock.scsp.xcsp3.sidecar import sidecar_path
from woodstock.scsp.xcsp3.solutions import Solutions, count, enumerate_solutions
from woodstock.scsp.xcsp3.writer import write

__all__ = ["Instance", "InstanceError", "Solutions", "count", "enumerate_solutions", "read", "sidecar_path", "write"]
