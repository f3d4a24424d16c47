// Annotations for schedule analysis: @period, @wcet, @calls and others.
#pragma once

#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"
#include "schedulability/model/declaration.h"

namespace takt::idl {

// Checks the scheduling annotations of all files; errors go to `diagnostics`. Returns the main file's
// operations that have such annotations and those that they call, in source order. Annotations that the IDL
// defines itself (@annotation) are ignored.
std::vector<scheduling::Declaration> scheduled_operations(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl
