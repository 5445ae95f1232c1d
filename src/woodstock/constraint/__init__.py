"""Constraints over finite domains: variables, expressions, constraints, and how they are posted to the native solver.

`woodstock.scsp`, its XCSP3 reader and `woodstock.qcsp` all stand on this package.
"""
