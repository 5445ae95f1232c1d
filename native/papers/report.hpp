// What a published player knows at the end of a search. Values are shares of 100.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace woodstock::papers {

struct MoveReport {
  std::uint32_t move = 0;  // number in the model
  std::uint64_t visits = 0;
  double value = 0;
  bool is_exact = false;
  std::vector<std::vector<std::uint32_t>> line;  // joint moves from the root on
};

struct Report {
  std::vector<MoveReport> moves;  // of the role that was asked about, best first
  std::vector<double> value;      // of the root, for each role
  bool is_exact = false;
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, double> seconds;
};

}  // namespace woodstock::papers
