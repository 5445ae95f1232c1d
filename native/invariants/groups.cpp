#include "invariants/groups.hpp"

#include <algorithm>
#include <map>

namespace woodstock {

namespace {

constexpr std::size_t kMostArguments = 6;

// "(cell 1 (pos 2 3) b)" -> {"cell", "1", "(pos 2 3)", "b"}
std::vector<std::string> split_term(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  auto finish = [&] {
    if (!part.empty()) parts.push_back(std::move(part));
    part.clear();
  };
  for (char c : text) {
    if (c == '(' && ++depth == 1) continue;
    if (c == ')' && --depth == 0) break;
    if (c == ' ' && depth <= 1)
      finish();
    else
      part += c;
  }
  finish();
  return parts;
}

}  // namespace

std::vector<GroupTemplate> group_templates(const std::vector<std::string>& names,
                                           const std::vector<std::uint8_t>& is_wanted) {
  std::map<std::pair<std::string, std::uint32_t>, std::map<std::string, FluentGroup>> found;
  for (std::uint32_t f = 0; f < names.size(); ++f) {
    if (is_wanted[f] == 0) continue;
    const auto parts = split_term(names[f]);
    const std::size_t arguments = parts.empty() ? 0 : parts.size() - 1;
    if (arguments == 0 || arguments > kMostArguments) continue;
    const std::string functor = parts[0] + "/" + std::to_string(arguments);
    for (std::uint32_t free = 1; free < (1U << arguments); ++free) {
      std::string key;
      for (std::size_t i = 0; i < arguments; ++i) key += ((free >> i & 1) != 0 ? "*" : parts[i + 1]) + "\x1f";
      found[{functor, free}][key].push_back(f);
    }
  }
  std::vector<GroupTemplate> templates;
  for (auto& [name, groups] : found) {
    GroupTemplate made{name.first, name.second, {}, false};
    for (auto& [key, group] : groups)
      if (group.size() >= 2) made.groups.push_back(std::move(group));
    if (!made.groups.empty()) templates.push_back(std::move(made));
  }
  return templates;
}

std::vector<FluentGroup> surviving_groups(const std::vector<GroupTemplate>& templates) {
  std::vector<FluentGroup> groups;
  for (const auto& t : templates) {
    if (t.is_refuted) continue;
    const bool is_covered = std::ranges::any_of(templates, [&](const GroupTemplate& other) {
      return !other.is_refuted && other.functor == t.functor && other.free_arguments != t.free_arguments &&
             (t.free_arguments & other.free_arguments) == t.free_arguments;
    });
    if (!is_covered) groups.insert(groups.end(), t.groups.begin(), t.groups.end());
  }
  return groups;
}

}  // namespace woodstock
