// The parts of an event that a constraint's components lead to.
#pragma once

#include <cstddef>
#include <optional>

#include <takt/dynamic/dyn_any.h>

#include "constraint/budget.h"
#include "constraint/expression.h"

namespace takt::constraint {

using Part = CORBA::object_reference<DynamicAny::DynAny>;

// Where a path leads: to a part of the event, or to a fact about it, as its length.
struct Found {
  Part part;  // nil if it is a fact, or a number in a list of them
  Value fact = {};
};

// The kind of the part's type, without aliases.
CORBA::TCKind kind_of(const Part& part);
// Nothing if the path leads nowhere, or the budget ends. May throw exceptions of DynamicAny.
std::optional<Found> found(const Part& event, const Path& path, Budget& budget);
// The value, with enumerators, characters and fixed as their kinds of Value.
Value value_of(const Part& part);
// The same, paid for: a step for that many octets of a text. Nothing if the budget ends.
std::optional<Value> value_of(const Part& part, Budget& budget);
// The part that a value of type any holds, through any number of them; otherwise the part itself. Each takes
// a step; nil if the budget ends.
Part within(Part part, Budget& budget);
// The same, where nothing was paid for the octets yet: a step for that many that are decoded.
Part paid_within(Part part, Budget& budget);
inline constexpr std::size_t octets_a_step = 64;
// Whether it is a union whose default member is there.
bool has_default_member(const Part& part);

}  // namespace takt::constraint
