// @interpreted: a shared interpreter runs the operation's stub and skeleton, which need less code then.
#pragma once

#include <optional>

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Returns the choice that @interpreted makes for an operation or an attribute: on itself, or else on its
// interface. None if it is on neither, or if the IDL defines an annotation of that name itself.
std::optional<bool> takes_interpreter(const Declaration& operation, const Unit& unit);

// Reports errors for @interpreted in places where it is not allowed.
void check_interpreted(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl
