// Groups of fluents that random play does not refute (invariants/groups.hpp).

#pragma once

#include "circuit/batch.hpp"
#include "circuit/model.hpp"
#include "circuit/stepper.hpp"
#include "invariants/groups.hpp"

namespace woodstock {

// For the guarded groups of batch code: the groups of the fluents that playouts track, after many thousand states of
// batch play. Bounded by work, never by the clock: the code, and so the playouts of a seed, must not depend on how busy
// the machine is. `model` should be minimised.
std::vector<FluentGroup> conjectured_groups(const Model& model);

// A group of which at most one member holds in every state seen; `is_exact`: one always did.
struct Candidate {
  const GroupTemplate* from;
  FluentGroup fluents;
  bool is_exact = true;
};

// For proofs: the groups of all templates, template by template, that hold in `count` states of random matches.
std::vector<Candidate> candidate_groups(const std::vector<GroupTemplate>& templates,
                                        std::shared_ptr<const StepperCircuits> circuits, std::size_t count,
                                        double seconds);

}  // namespace woodstock
