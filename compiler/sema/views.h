// @view: `in` sequences of numbers that servants see where they arrived. @held: sequences of octets as
// results that callers hold where they arrived.
#pragma once

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Whether it is an `in` sequence of octets, integers or floating-point numbers.
bool can_be_view(const Declaration::Parameter& parameter);

// Whether it is to be passed as a view: it can be, and it, its operation or its interface has @view. An
// annotation of that name that the IDL defines itself (@annotation) is its own and means nothing here.
bool is_view(const Declaration& operation, const Declaration::Parameter& parameter, const Unit& unit);

// Whether its result is an unbounded sequence of octets.
bool can_be_held(const Declaration& operation);

// Whether it is to be returned as one that is held: it can be, and the operation has @held, which is the
// ORB's.
bool is_held(const Declaration& operation, const Unit& unit);

// Errors for @view and @held where they mean nothing.
void check_views(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl
