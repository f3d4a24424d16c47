// The recipe by which a proxy makes the constraint of its secondary query.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "constraint/expression.h"

namespace takt::trading {

// The value of a proxy's property; nothing if there is none.
using PropertyOf = std::function<std::optional<constraint::Value>(const std::string& name)>;

// In a recipe `$*` is the whole constraint, `$(name)` is the value of the proxy's property as a literal, a
// backslash takes the character behind it as it is, and all other text stands for itself. Fails with the
// reason for a text that is no recipe, a property that is absent or has no literal, and a result of more than
// `most_bytes`.
std::expected<std::string, std::string> expanded(std::string_view recipe, std::string_view constraint,
                                                 const PropertyOf& property, std::size_t most_bytes);

}  // namespace takt::trading
