"""Strongly connected components, in the order in which they can be computed."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(graph: Mapping[Node, Collection[Node]]) -> list[tuple[Node, ...]]:
    """Return the strongly connected components, those that others depend on first (Tarjan, without recursion).

    Successors that are not keys of the graph are ignored.
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    done: set[Node] = set()
    result: list[tuple[Node, ...]] = []
    for root in graph:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        work = [(root, iter(graph[root]))]
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in graph:
                    continue
                if successor not in order:
                    order[successor] = low[successor] = len(order)
                    stack.append(successor)
                    work.append((successor, iter(graph[successor])))
                    break
                if successor not in done:
                    low[node] = min(low[node], order[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    cut = stack.index(node)
                    result.append(tuple(stack[cut:]))
                    done.update(stack[cut:])
                    del stack[cut:]
    return result


def cycles(graph: Mapping[Node, Collection[Node]]) -> list[tuple[Node, ...]]:
    """Return the components whose nodes depend on themselves.

    >>> cycles({"a": ["b"], "b": ["a"], "c": ["a"], "d": ["d"]})
    [('a', 'b'), ('d',)]
    """
    return [some for some in components(graph) if len(some) > 1 or some[0] in graph[some[0]]]
