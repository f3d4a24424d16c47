// Parses the text of a constraint: the grammar of the Notification Service 1.1, section 2.4, with the
// precedence of the Trading Object Service, annex B.
#pragma once

#include <expected>
#include <string_view>

#include "constraint/constraint.h"
#include "constraint/expression.h"

namespace takt::constraint {

std::expected<Expression, Fault> parse_expression(std::string_view text, const ParseLimits& limits);

}  // namespace takt::constraint
