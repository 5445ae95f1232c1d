// Options that Python gives by name.

#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace woodstock::bindings {

template <typename T>
T choose(const std::string& name, const char* what, std::initializer_list<std::pair<const char*, T>> known) {
  std::string names;
  for (const auto& [text, value] : known) {
    if (name == text) return value;
    names += std::string(names.empty() ? "" : ", ") + "'" + text + "'";
  }
  throw std::invalid_argument("unknown " + std::string(what) + " '" + name + "': expected one of " + names);
}

}  // namespace woodstock::bindings
