// The constraint and the preference of a query.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "constraint/constraint.h"
#include "constraint/evaluation.h"
#include "constraint/expression.h"
#include "trading/model/index.h"
#include "trading/model/limits.h"

namespace takt::trading {

// Which offers match. Immutable.
class Criterion {
 public:
  // A blank text matches every offer. The fault says why a text is no constraint.
  static std::expected<Criterion, constraint::Fault> parse(const std::string& text, const Limits& limits);

  // An absent property, or types that do not fit, mean no match.
  bool matches(const constraint::Subject& offer, constraint::Budget& budget) const;
  bool matches_all() const { return !expression_; }
  // Conditions that each matching offer fulfils, for indexes.
  const std::vector<Condition>& conditions() const { return conditions_; }

 private:
  std::shared_ptr<const constraint::Expression> expression_;
  std::vector<Condition> conditions_;
};

// The order of matching offers. Immutable.
class Preference {
 public:
  enum class Kind : unsigned char { first, random, max, min, with };

  static std::expected<Preference, constraint::Fault> parse(const std::string& text, const Limits& limits);

  Kind kind() const { return kind_; }
  // Whether the order depends on the offers' properties.
  bool ranks() const { return expression_ != nullptr; }
  // Offers with more of it come first; nothing: they come last.
  std::optional<long double> rank(const constraint::Subject& offer, constraint::Budget& budget) const;

 private:
  Kind kind_ = Kind::first;
  std::shared_ptr<const constraint::Expression> expression_;
};

}  // namespace takt::trading
