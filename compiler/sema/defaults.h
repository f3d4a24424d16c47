// @default and @default_literal: the values that members have before they are set (IDL 4.2, 8.3.1).
#pragma once

#include <optional>

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Reports values of @default that do not have the annotated type, and enums with several @default_literal.
// Replaces the other values by ones of that type, so that an integer becomes a member's float.
void check_defaults(Unit& unit, Diagnostics& diagnostics);

// The member's value before it is set: its own @default, that of its typedef, or the @default_literal of its
// enum. Nothing if it has none, or if the IDL defines annotations of these names itself.
std::optional<Value> default_of(const Declaration& member, const Unit& unit);

}  // namespace takt::idl
