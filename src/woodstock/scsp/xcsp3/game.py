"""Export the stage of a game: the network of a state, with a sidecar that has the GDL atom of each value."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from woodstock.game.state import State
from woodstock.scsp.game.explain import rule_places
from woodstock.scsp.game.template import Template
from woodstock.scsp.network import Network
from woodstock.scsp.xcsp3.names import make_ids
from woodstock.scsp.xcsp3.writer import write


@dataclass(frozen=True)
class Exported:
    """The files that an export wrote."""

    path: Path
    sidecar: Path
    network: Network


def export_stage(
    template: Template,
    path: str | Path,
    state: State | None = None,
    *,
    is_preprocessed: bool = True,
    rules_hash: str | None = None,
) -> Exported:
    """Write the stage of a state, or the template without one, as an instance with its sidecar.

    Without preprocessing it is the template with a unary constraint for each fluent variable.
    """
    target = Path(path)
    if state is not None:
        template.inject(state)  # raises if the state is impossible
    network = template.network(state if is_preprocessed else None)
    if state is not None and not is_preprocessed:
        for name, value in template.inject(state).items():
            network.allow([name], [(value,)], name=f"state({name})")
    names = atoms_by_variable(template)
    ids = make_ids(v.name for v in network.declared)
    atoms = {
        name: [names[v.name].get(value) for value in v.domain]
        for name, v in zip(ids, network.declared, strict=True)
        if v.name in names
    }
    game: dict[str, Any] = {"name": template.name, "roles": list(template.ground.roles)}
    if rules_hash is not None:
        game["rules_hash"] = rules_hash
    if state is not None:
        game["state"] = sorted(state.fluents)
    # File names without their folders: a sidecar may be moved.
    notes = {
        name: {"rules": [place.replace("\\", "/").rpartition("/")[2] for place in places]}
        for name, places in rule_places(template).items()
        if places
    }
    sidecar = write(network, target, game=game | {"atoms": atoms}, notes=notes)
    assert sidecar is not None
    return Exported(target, sidecar, network)


def atoms_by_variable(template: Template) -> Mapping[str, Mapping[Hashable, str]]:
    """Return for each variable of the template the GDL atom that each value says, as KIF.

    A value that says that no atom holds, such as the emptiness of a cell that no fluent names, has none.
    """
    ground, names = template.ground, template.variable_names
    result: dict[str, dict[Hashable, str]] = {}
    for number, variable in enumerate(template.fluent_variables):
        for word, place in (("true", number), ("next", template.first_next + number)):
            result[names[place]] = {
                value: f"({word} {ground.fluents[fluent]})"
                for value, fluent in zip(variable.values, variable.fluents, strict=True)
                if fluent is not None
            }
    for number, (role, moves) in enumerate(zip(ground.roles, ground.moves, strict=True)):
        result[names[template.first_action + number]] = {move: f"(does {role} {move})" for move in moves}
        scores = template.score_values[number]
        result[names[template.first_score + number]] = {value: f"(goal {role} {value})" for value in scores}
    result[names[template.terminal]] = {True: "terminal"}
    return result
