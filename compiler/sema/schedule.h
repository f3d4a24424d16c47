// What operations declare for the analysis of schedules: @period, @wcet, @calls and their like.
#pragma once

#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"
#include "scheduling/model/declaration.h"

namespace takt::idl {

// Checks these annotations wherever they stand; errors go to `diagnostics`. The main file's operations that
// have some, and those of its operations that they call, in their order there. An annotation that the IDL
// defines itself (@annotation) is its own and left alone.
std::vector<scheduling::Declaration> scheduled_operations(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl
