// The options of constraint solving by their names in Python.

#pragma once

#include "bindings/common.hpp"
#include "constraint/enumeration.hpp"
#include "constraint/posting.hpp"

namespace woodstock::bindings {

inline constraint::TableAlgorithm to_algorithm(const std::string& name) {
  using constraint::TableAlgorithm;
  return choose<TableAlgorithm>(name, "algorithm",
                                {{"compact-table", TableAlgorithm::kCompactTable}, {"str2", TableAlgorithm::kStr2}});
}

inline constraint::Consistency to_consistency(const std::string& name) {
  using constraint::Consistency;
  return choose<Consistency>(name, "consistency", {{"mac", Consistency::kMac}, {"fc", Consistency::kForwardChecking}});
}

inline constraint::Order to_order(const std::string& name) {
  using constraint::Order;
  return choose<Order>(name, "order",
                       {{"dom/wdeg", Order::kDomWdeg}, {"dom/ddeg", Order::kDomDdeg}, {"input", Order::kInput}});
}

}  // namespace woodstock::bindings
