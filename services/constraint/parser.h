// Parses the text of a constraint: the grammar of the Notification Service 1.1, section 2.4, with the
// precedence of the Trading Object Service, annex B.
#pragma once

#include <expected>
#include <string_view>

#include "constraint/constraint.h"
#include "constraint/expression.h"

namespace takt::constraint {

enum class Dialect : unsigned char {
  events,  // as above
  offers,  // components are names of properties: no $, no parts of components and no `default`
};

// Refuses a blank text.
std::expected<Expression, Fault> parse_expression(std::string_view text, const ParseLimits& limits,
                                                  Dialect dialect = Dialect::events);

}  // namespace takt::constraint
