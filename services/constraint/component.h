// The parts of an event that a constraint's components lead to.
#pragma once

#include <cstddef>
#include <optional>

#include <takt/dynamic/dyn_any.h>

#include "constraint/expression.h"

namespace takt::constraint {

using Part = CORBA::object_reference<DynamicAny::DynAny>;

// The steps that an evaluation may still take.
class Budget {
 public:
  explicit Budget(std::size_t steps) : left_(steps) {}
  // False, from then on, if there are fewer.
  bool spend(std::size_t steps = 1) {
    const bool enough = steps <= left_;
    left_ -= enough ? steps : left_;
    exhausted_ |= !enough;
    return enough;
  }
  bool exhausted() const { return exhausted_; }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
  bool exhausted_ = false;
};

// Where a path leads: to a part of the event, or to a fact about it, as its length.
struct Found {
  Part part;  // nil if it is a fact
  Value fact = {};
};

// The kind of the part's type, without aliases.
CORBA::TCKind kind_of(const Part& part);
// Nothing if the path leads nowhere, or the budget ends. May throw exceptions of DynamicAny.
std::optional<Found> found(const Part& event, const Path& path, Budget& budget);
// The value, with enumerators, characters and fixed as their kinds of Value.
Value value_of(const Part& part);
// The part that a value of type any holds, through any number of them; otherwise the part itself.
Part within(Part part, Budget& budget);
// Whether it is a union whose default member is there.
bool has_default_member(const Part& part);

}  // namespace takt::constraint
