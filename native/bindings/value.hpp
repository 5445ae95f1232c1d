// What the bindings of searches and of learned values share.

#pragma once

#include "bindings/common.hpp"
#include "circuit/circuit.hpp"
#include "value/parallel_play.hpp"
