// One state for all its images under a group: the image with the least hash. Elements that exchange roles are left out.

#pragma once

#include <memory>
#include <vector>

#include "symmetry/group.hpp"

namespace woodstock::papers {

class Images {
 public:
  explicit Images(std::size_t words) : image_(words) {}

  void set_group(std::shared_ptr<const SymmetryGroup> group) {
    group_ = std::move(group);
    elements_.clear();
    for (std::uint32_t e = 0; e < group_->size(); ++e)
      if (group_->fixes_roles(e)) elements_.push_back(e);
  }
  // Whether a state has other images at all.
  bool has_any() const { return elements_.size() > 1; }
  std::size_t size() const { return elements_.size(); }
  const SymmetryGroup& group() const { return *group_; }

  struct Least {
    const std::uint64_t* state;  // until the next question
    std::uint64_t hash;
    std::uint32_t element;  // what takes the state there
  };
  Least least(const std::uint64_t* state) {
    Least found{image_.data(), ~std::uint64_t{0}, 0};
    for (std::uint32_t e : elements_) {
      group_->apply(e, {state, image_.size()}, image_);
      const std::uint64_t hash = group_->hash(image_);
      if (hash >= found.hash) continue;
      found.hash = hash;
      found.element = e;
    }
    group_->apply(found.element, {state, image_.size()}, image_);
    return found;
  }

 private:
  std::shared_ptr<const SymmetryGroup> group_;
  std::vector<std::uint32_t> elements_;
  std::vector<std::uint64_t> image_;
};

}  // namespace woodstock::papers
