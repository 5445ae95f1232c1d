"""Draw networks and policies as self-contained SVG: no script, no font, no other file.

A network is drawn as its constraint graph: circles are decisions, squares are chance variables, an edge is a binary
constraint, a small dot joins the variables of a wider one. Soft and chance constraints are dashed, arrows show what
probabilities depend on. The layout is by springs from a fixed start, so that the same network gives the same picture;
cost quadratic in the nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from woodstock.scsp.limits import room

if TYPE_CHECKING:
    from woodstock.scsp.network import Network
    from woodstock.scsp.policy import Policy

Points = NDArray[np.float64]

NODE_LIMIT = 400
TREE_LIMIT = 400
_STYLE = (
    "<style>.d{fill:#dbe9ff;stroke:#2457a6}.s{fill:#ffe3c2;stroke:#b3590a}.c{fill:#444}"
    "line{stroke:#777;stroke-width:1.2}.soft{stroke-dasharray:5 3}.given{stroke:#b3590a}"
    "text{font:12px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#111}"
    ".small{font-size:10px;fill:#444}</style>"
)


def network_svg(network: Network, *, width: int = 720) -> str:
    """Return the constraint graph as SVG; beyond `NODE_LIMIT` nodes the rest is counted, not drawn."""
    variables = network.variables[:NODE_LIMIT]
    places = {variable.index: number for number, variable in enumerate(variables)}
    edges: list[tuple[int, int, str, str]] = []
    hubs: list[str] = []
    hidden = len(network.variables) - len(variables)
    soft = {id(c) for c in (*network.chance_constraints, *network.soft)}
    for constraint in network.constraints():
        ends = [places[v.index] for v in constraint.scope if v.index in places]
        if len(ends) < len(constraint.scope) or len(variables) + len(hubs) >= NODE_LIMIT:
            hidden += 1
            continue
        style = "soft" if id(constraint) in soft else "hard"
        title = repr(constraint)
        if len(ends) == 2:
            edges.append((ends[0], ends[1], style, title))
        elif len(ends) > 2:
            hub = len(variables) + len(hubs)
            hubs.append(title)
            edges += [(hub, end, style, title) for end in ends]
    for variable in variables:
        if variable.is_chance:
            table = network.probabilities[variable.index]
            edges += [(places[v.index], places[variable.index], "given", repr(table)) for v in table.given]
    # One column for the decisions of a stage and one for its chance: edges within a stage stay visible.
    columns = [v.stage + 0.5 * v.is_chance if network.stages > 1 else 0.0 for v in variables]
    levels = np.array(columns + [0.0] * len(hubs))
    points = _springs(len(variables) + len(hubs), [(a, b) for a, b, _, _ in edges], levels, len(variables))
    height = width if network.stages == 1 else max(240, width // 2)
    points = points * [width - 100, height - 80] + [50, 40]
    body = [_edge(points[a], points[b], style, title) for a, b, style, title in edges]
    for number, variable in enumerate(variables):
        body.append(_node(points[number], variable.name, variable.is_chance, f"{variable.name}: {variable.domain!r}"))
    for number, title in enumerate(hubs, start=len(variables)):
        x, y = points[number]
        body.append(f'<circle class="c" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{_text(title)}</title></circle>')
    if hidden:
        body.append(f'<text class="small" x="{width / 2}" y="{height - 10}">{hidden} more not drawn</text>')
    return _svg(width, height, body)


def network_html(network: Network) -> str:
    """Return the drawing with the sizes above it, for notebooks."""
    return f"<div><p>{escape(repr(network))}</p>{network_svg(network)}</div>"


def policy_svg(policy: Policy, *, row: int = 64) -> str:
    """Return the policy tree as SVG; subtrees beyond `TREE_LIMIT` nodes are cut and marked."""
    # First in units of one leaf: the width of a leaf depends on the longest label at a fork.
    nodes: list[tuple[float, int, str, bool | None]] = []
    edges: list[tuple[float, float, int, str]] = []
    leaves = 0
    widest = 4

    def place(path: tuple[object, ...]) -> float:
        nonlocal leaves, widest
        depth = len(path)
        variable = policy.node_at(path)
        if variable is None or len(nodes) + len(edges) > 2 * TREE_LIMIT:
            leaves += 1
            nodes.append((leaves - 1, depth, policy.leaf_label(path) if variable is None else "...", None))
            return leaves - 1
        branches = policy.branches_at(path)
        spots = [(label, place((*path, value))) for value, label in branches]
        x = (spots[0][1] + spots[-1][1]) / 2
        edges.extend((x, child, depth, label) for label, child in spots)
        widest = max(widest, len(variable.name), *(len(label) for label, _ in spots if len(spots) > 1))
        nodes.append((x, depth, variable.name, variable.is_chance))
        return x

    with room(len(policy.network.declared)):
        place(())
    column = 6.5 * widest + 8
    body = []
    for x, child, depth, label in edges:
        start, end, y = 50 + x * column, 50 + child * column, 30 + depth * row
        body.append(f'<line x1="{start:.1f}" y1="{y}" x2="{end:.1f}" y2="{y + row - 12}"/>')
        middle = start + (end - start) * 0.8
        body.append(f'<text class="small" x="{middle:.1f}" y="{y + row * 0.6:.1f}">{_text(label)}</text>')
    for x, depth, label, is_chance in nodes:
        point = np.array([50 + x * column, 30 + depth * row])
        if is_chance is None:
            body.append(f'<text class="small" x="{point[0]:.1f}" y="{point[1]:.1f}">{_text(label)}</text>')
        else:
            body.append(_node(point, label, is_chance, label))
    height = 60 + row * max(depth for _, depth, _, _ in nodes)
    return _svg(100 + (leaves - 1) * column, height, body)


def _springs(count: int, edges: Sequence[tuple[int, int]], levels: Points, fixed: int) -> Points:
    """Place nodes by attraction along edges and repulsion between all [Fruchterman, Reingold 1991], scaled to 0..1."""
    angle = 2 * np.pi * np.arange(count) / max(1, count)
    points = np.column_stack([np.cos(angle), np.sin(angle)]) * 0.5 + 0.5
    pairs = np.array(edges, dtype=np.intp).reshape(len(edges), 2)
    has_stages = fixed > 0 and levels[:fixed].max() > levels[:fixed].min()
    if has_stages:
        span = levels[:fixed].max() - levels[:fixed].min()
        target = (levels[:fixed] - levels[:fixed].min()) / span
        points[:fixed, 0] = target
    spacing = 1 / np.sqrt(max(1, count))
    for step in range(120):
        offsets = points[:, None, :] - points[None, :, :]
        distances = np.maximum(np.hypot(offsets[..., 0], offsets[..., 1]), 1e-3)
        push = (offsets * (spacing**2 / distances**2)[..., None]).sum(axis=1)
        if len(pairs):
            along = points[pairs[:, 1]] - points[pairs[:, 0]]
            pull = along * (np.hypot(along[:, 0], along[:, 1]) / spacing)[:, None]
            np.add.at(push, pairs[:, 0], pull)
            np.add.at(push, pairs[:, 1], -pull)
        length = np.maximum(np.hypot(push[:, 0], push[:, 1]), 1e-9)
        heat = 0.1 * (1 - step / 120)
        points += push / length[:, None] * np.minimum(length, heat)[:, None]
        if has_stages:
            points[:fixed, 0] = target + 0.3 / len(set(levels[:fixed])) * np.tanh(points[:fixed, 0] - target)
    low, high = points.min(axis=0, initial=0), points.max(axis=0, initial=1)
    return np.asarray((points - low) / np.maximum(high - low, 1e-9), dtype=np.float64)


def _node(point: Points, label: str, is_chance: bool, title: str) -> str:
    x, y = point
    half = max(14.0, 3.6 * len(label) + 5)
    tip = f"<title>{_text(title)}</title>"
    if is_chance:
        shape = f'<rect class="s" x="{x - half:.1f}" y="{y - 13:.1f}" width="{2 * half:.1f}" height="26">{tip}</rect>'
    else:
        shape = f'<ellipse class="d" cx="{x:.1f}" cy="{y:.1f}" rx="{half:.1f}" ry="14">{tip}</ellipse>'
    return f'{shape}<text x="{x:.1f}" y="{y:.1f}">{_text(label)}</text>'


def _edge(start: Points, end: Points, style: str, title: str) -> str:
    (x1, y1), (x2, y2) = start, end
    line = f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}">'
    arrow = ""
    if style == "given":
        # Drawn by hand: marker definitions have names, which clash if a page has two drawings.
        x, y = x1 + (x2 - x1) * 0.6, y1 + (y2 - y1) * 0.6
        turn = np.degrees(np.arctan2(y2 - y1, x2 - x1))
        arrow = f'<path d="M-4,-4L5,0L-4,4z" fill="#b3590a" transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})"/>'
    return f"{line}<title>{_text(title)}</title></line>{arrow}"


def _svg(width: float, height: float, body: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">'
    return head + _STYLE + "".join(body) + "</svg>"


def _text(label: str) -> str:
    short = label if len(label) <= 160 else label[:157] + "..."
    # XML cannot have control characters, escaped or not.
    return escape("".join(c if c.isprintable() else " " for c in short))


def network_text(network: Network) -> str:
    """Return the whole model as text, one line for each part."""
    lines = [repr(network)]
    for v in network.variables:
        kind = "chance  " if v.is_chance else "decision"
        table = f"  {network.probabilities[v.index]!r}" if v.is_chance else ""
        lines.append(f"  stage {v.stage} {kind} {v.name}: {len(v.domain)} values{table}")
    lines += [f"  hard   {c!r}" for c in network.hard]
    lines += [f"  chance {c!r}" for c in network.chance_constraints]
    lines += [f"  soft   {c!r}" for c in network.soft]
    bounds = ", ".join(f"{p} >= {t}" for p, t in zip(network.players, network.threshold, strict=True))
    return "\n".join([*lines, f"  threshold {bounds}"])
