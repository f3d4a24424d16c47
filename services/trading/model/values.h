// The values of properties as constraints see them.
#pragma once

#include <optional>

#include <takt/cdr/any.h>

#include "constraint/budget.h"
#include "constraint/expression.h"

namespace takt::trading {

// Numbers, texts, booleans and enumerators are those; anything else is Compound. Basic types allocate only
// for long texts.
constraint::Value value_of(const CORBA::Any& any);
// Whether an element of a sequence or array equals the value. Nothing for other types, or if the budget ends.
std::optional<bool> contains(const CORBA::Any& any, const constraint::Value& wanted,
                             constraint::Budget& budget);

}  // namespace takt::trading
