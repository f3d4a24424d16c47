// The value of an expression about a subject: an event, or a trader's offer.
#pragma once

#include <compare>
#include <optional>

#include "constraint/budget.h"
#include "constraint/expression.h"

namespace takt::constraint {

// Gives the values that the components of an expression stand for. The functions may throw what stops the
// evaluation.
class Subject {
 public:
  virtual ~Subject() = default;
  // Nothing if the path leads nowhere, or the budget ends.
  virtual std::optional<Value> value(const Path& path, Budget& budget) const = 0;
  virtual bool exists(const Path& path, Budget& budget) const = 0;
  // Whether an element of the list there equals the value. Nothing if there is no list, or the budget ends.
  virtual std::optional<bool> contains(const Path& path, const Value& wanted, Budget& budget) const = 0;
  // Whether the union there has its default member. Nothing if there is no union.
  virtual std::optional<bool> is_default(const Path& path, Budget& budget) const = 0;
};

// Nothing if a component that counts is absent, an operator does not take its operands, or the budget ends.
std::optional<Value> evaluate(const Expression& expression, const Subject& subject, Budget& budget);

// Numbers of all kinds compare, and enumerators to numbers and to texts. Nothing for other kinds.
std::optional<std::partial_ordering> compare(const Value& left, const Value& right);
bool equal(const Value& left, const Value& right);

}  // namespace takt::constraint
