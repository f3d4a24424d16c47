#include "trading/query/criteria.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "constraint/parser.h"

namespace takt::trading {
namespace {

using constraint::Expression;
using constraint::Fault;
using constraint::Node;
using constraint::Operator;
using constraint::Value;

constexpr std::string_view blanks = " \t\r\n\f\v";

bool is_blank(std::string_view text) { return text.find_first_not_of(blanks) == std::string_view::npos; }

std::expected<std::shared_ptr<const Expression>, Fault> parsed(std::string_view text, const Limits& limits) {
  auto expression = constraint::parse_expression(
      text,
      {.octets = limits.constraint_bytes, .nodes = limits.constraint_nodes, .depth = limits.constraint_depth},
      constraint::Dialect::offers);
  if (!expression) return std::unexpected(std::move(expression.error()));
  return std::make_shared<const Expression>(std::move(*expression));
}

// Whether the node can have a boolean value: a name can, a sum cannot.
bool may_be_boolean(const Node& node) {
  switch (node.action) {
    case Operator::add:
    case Operator::subtract:
    case Operator::multiply:
    case Operator::divide:
    case Operator::negative:
      return false;
    case Operator::literal:
      return std::holds_alternative<bool>(node.literal);
    default:
      return true;
  }
}

bool may_be_number(const Node& node) {
  switch (node.action) {
    case Operator::literal:
      return !std::holds_alternative<bool>(node.literal) &&
             !std::holds_alternative<std::string>(node.literal);
    case Operator::component:
      return true;
    default:
      return !may_be_boolean(node);
  }
}

// The subject of expressions without names.
class Nothing final : public constraint::Subject {
 public:
  std::optional<Value> value(const constraint::Path&, constraint::Budget&) const override {
    return std::nullopt;
  }
  bool exists(const constraint::Path&, constraint::Budget&) const override { return false; }
  std::optional<bool> contains(const constraint::Path&, const Value&, constraint::Budget&) const override {
    return std::nullopt;
  }
  std::optional<bool> is_default(const constraint::Path&, constraint::Budget&) const override {
    return std::nullopt;
  }
};

// `action` with its operands exchanged; nothing for operators that no index serves.
std::optional<Operator> reversed(Operator action) {
  switch (action) {
    case Operator::equal:
      return Operator::equal;
    case Operator::less:
      return Operator::greater;
    case Operator::less_equal:
      return Operator::greater_equal;
    case Operator::greater:
      return Operator::less;
    case Operator::greater_equal:
      return Operator::less_equal;
    default:
      return std::nullopt;
  }
}

class Conditions {
 public:
  explicit Conditions(const Expression& expression) : expression_(expression) {}

  // The conditions of all operands of conjunctions.
  std::vector<Condition> all() {
    std::vector<std::uint32_t> left{expression_.root};
    while (!left.empty()) {
      const Node& node = expression_.nodes[left.back()];
      left.pop_back();
      if (node.action == Operator::conjunction) {
        left.push_back(node.right);
        left.push_back(node.left);
      } else if (const auto action = reversed(node.action)) {
        add(node.left, node.action, node.right);
        add(node.right, *action, node.left);
      }
    }
    return std::move(found_);
  }

 private:
  void add(std::uint32_t component, Operator action, std::uint32_t constant) {
    const Node& named = expression_.nodes[component];
    if (named.action != Operator::component) return;
    const auto value = constant_at(constant);
    if (!value || std::holds_alternative<bool>(*value)) return;
    found_.push_back({expression_.paths[named.path].variable, action, *value});
  }

  std::optional<Value> constant_at(std::uint32_t index) const {
    const Node& node = expression_.nodes[index];
    if (node.action == Operator::literal) return node.literal;
    const bool is_negative =
        node.action == Operator::negative && expression_.nodes[node.left].action == Operator::literal;
    if (!is_negative) return std::nullopt;
    Expression alone;
    alone.nodes = {expression_.nodes[node.left], {.action = Operator::negative, .left = 0}};
    alone.root = 1;
    constraint::Budget budget(2);
    return constraint::evaluate(alone, Nothing(), budget);
  }

  const Expression& expression_;
  std::vector<Condition> found_;
};

}  // namespace

std::expected<Criterion, Fault> Criterion::parse(const std::string& text, const Limits& limits) {
  Criterion criterion;
  if (text.size() <= limits.constraint_bytes && is_blank(text)) return criterion;
  auto expression = parsed(text, limits);
  if (!expression) return std::unexpected(std::move(expression.error()));
  if (!may_be_boolean((*expression)->nodes[(*expression)->root]))
    return std::unexpected(Fault{0, "the value is not a boolean"});
  criterion.expression_ = std::move(*expression);
  criterion.conditions_ = Conditions(*criterion.expression_).all();
  return criterion;
}

bool Criterion::matches(const constraint::Subject& offer, constraint::Budget& budget) const {
  if (!expression_) return true;
  const auto value = constraint::evaluate(*expression_, offer, budget);
  const auto* truth = value ? std::get_if<bool>(&*value) : nullptr;
  return truth && *truth;
}

std::expected<Preference, Fault> Preference::parse(const std::string& text, const Limits& limits) {
  Preference preference;
  if (text.size() > limits.constraint_bytes)
    return std::unexpected(Fault{limits.constraint_bytes, "the preference is too long"});
  const std::string_view all = text;
  const auto begin = std::min(all.find_first_not_of(blanks), all.size());
  const auto end = std::min(all.find_first_of(std::string(blanks) + "(", begin), all.size());
  const std::string_view word = all.substr(begin, end - begin), rest = all.substr(end);
  if (word.empty() && is_blank(rest)) return preference;
  constexpr std::array<std::pair<std::string_view, Kind>, 5> kinds{{{"first", Kind::first},
                                                                    {"random", Kind::random},
                                                                    {"max", Kind::max},
                                                                    {"min", Kind::min},
                                                                    {"with", Kind::with}}};
  const auto* const found = std::ranges::find(kinds, word, &std::pair<std::string_view, Kind>::first);
  if (found == kinds.end()) return std::unexpected(Fault{begin, "expected max, min, with, random or first"});
  preference.kind_ = found->second;
  const bool takes_expression = preference.kind_ > Kind::random;
  if (!takes_expression && !is_blank(rest))
    return std::unexpected(Fault{end, "nothing follows " + std::string(word)});
  if (!takes_expression) return preference;
  auto expression = parsed(rest, limits);
  if (!expression) {
    expression.error().octet += end;
    return std::unexpected(std::move(expression.error()));
  }
  const Node& root = (*expression)->nodes[(*expression)->root];
  if (preference.kind_ == Kind::with ? !may_be_boolean(root) : !may_be_number(root))
    return std::unexpected(Fault{
        end, preference.kind_ == Kind::with ? "the value is not a boolean" : "the value is not a number"});
  preference.expression_ = std::move(*expression);
  return preference;
}

std::optional<long double> Preference::rank(const constraint::Subject& offer,
                                            constraint::Budget& budget) const {
  if (!expression_) return std::nullopt;
  const auto value = constraint::evaluate(*expression_, offer, budget);
  if (!value) return std::nullopt;
  if (kind_ == Kind::with) {
    const auto* truth = std::get_if<bool>(&*value);
    return truth ? std::optional<long double>(*truth ? 1 : 0) : std::nullopt;
  }
  long double number = 0;
  if (const auto* integer = std::get_if<constraint::Integer>(&*value))
    number = static_cast<long double>(*integer);
  else if (const auto* real = std::get_if<long double>(&*value))
    number = *real;
  else
    return std::nullopt;
  if (std::isnan(number)) return std::nullopt;
  return kind_ == Kind::min ? -number : number;
}

}  // namespace takt::trading
