// @view: servants see `in` sequences of numbers where they arrived, without a copy. @held: callers hold
// results that are sequences of octets where they arrived.
#pragma once

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Whether the parameter is an `in` sequence of octets, integers or floating-point numbers.
bool can_be_view(const Declaration::Parameter& parameter);

// Whether the parameter is passed as a view: can_be_view() holds, and the parameter, its operation or its
// interface has @view. If the IDL defines an annotation of that name itself (@annotation), @view has no
// meaning here.
bool is_view(const Declaration& operation, const Declaration::Parameter& parameter, const Unit& unit);

// Whether the operation returns an unbounded sequence of octets.
bool can_be_held(const Declaration& operation);

// Whether the result is returned as held octets: can_be_held() holds, and the operation has the ORB's @held.
bool is_held(const Declaration& operation, const Unit& unit);

// Reports errors for @view and @held in places where they are not allowed.
void check_views(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl
