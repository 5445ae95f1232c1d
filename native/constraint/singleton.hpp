// Singleton arc consistency: a value stays only if assigning it leaves an arc consistent network.

#pragma once

#include <functional>

#include "constraint/store.hpp"

namespace woodstock::constraint {

enum class SingletonResult { kConsistent, kFailed, kInterrupted };

// Tries every value of every open variable until a whole round removes none. What was removed stays removed when
// it is interrupted.
SingletonResult make_singleton_consistent(Store& store, const std::function<bool()>& is_interrupted);

}  // namespace woodstock::constraint
