// Proofs for one search tree; Python makes them and hands them over to the tree.

#pragma once

#include "bindings/common.hpp"
#include "circuit/circuit.hpp"
#include "proof/tree_proofs.hpp"

namespace woodstock::bindings {

class PyTreeProofs {
 public:
  PyTreeProofs(std::shared_ptr<Circuit> circuit, std::shared_ptr<SymmetryGroup> group, std::size_t memory_bytes,
               double share, std::uint32_t threads, std::int32_t random_role)
      : circuit_(std::move(circuit)) {
    WithoutGil without_gil;
    proofs_ = std::make_shared<proof::TreeProofs>(
        circuit_->stepper_circuits(),
        proof::TreeProofOptions{std::move(group), memory_bytes, share, threads, random_role});
  }

  bool teach(const nb::bytes& state, double seconds) {
    const auto packed = to_words(state, circuit_->state_words());
    WithoutGil without_gil;
    return proofs_->teach(packed.data(), seconds);
  }
  std::uint64_t states_taught() const { return proofs_->states_taught(); }
  std::uint64_t states() const { return proofs_->states(); }
  double share() const { return proofs_->share(); }

  // For the tree, which works with the same object.
  std::unique_ptr<search::ProofSource> source() const { return std::make_unique<Shared>(proofs_); }

 private:
  struct Shared final : search::ProofSource {
    explicit Shared(std::shared_ptr<proof::TreeProofs> of) : proofs(std::move(of)) {}
    void work(search::TreeSearch& tree, const search::ProofBudget& budget) override { proofs->work(tree, budget); }
    double share() const override { return proofs->share(); }
    std::shared_ptr<proof::TreeProofs> proofs;
  };

  std::shared_ptr<Circuit> circuit_;
  std::shared_ptr<proof::TreeProofs> proofs_;
};

}  // namespace woodstock::bindings
