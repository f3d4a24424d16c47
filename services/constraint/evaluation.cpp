#include "constraint/evaluation.h"

#include <cmath>
#include <compare>
#include <cstring>

namespace takt::constraint {
namespace {

// Nothing: a component is absent, or an operator does not take its operands.
using Outcome = std::optional<Value>;

bool is_number(const Value& value) {
  return std::holds_alternative<Integer>(value) || std::holds_alternative<long double>(value);
}

long double real(const Value& value) {
  const auto* integer = std::get_if<Integer>(&value);
  return integer ? static_cast<long double>(*integer) : std::get<long double>(value);
}

Outcome arithmetic(Operator action, const Value& left, const Value& right) {
  if (!is_number(left) || !is_number(right)) return std::nullopt;
  const auto* a = std::get_if<Integer>(&left);
  const auto* b = std::get_if<Integer>(&right);
  Integer whole = 0;
  switch (action) {
    case Operator::add:
      if (a && b && !__builtin_add_overflow(*a, *b, &whole)) return whole;
      return real(left) + real(right);
    case Operator::subtract:
      if (a && b && !__builtin_sub_overflow(*a, *b, &whole)) return whole;
      return real(left) - real(right);
    case Operator::multiply:
      if (a && b && !__builtin_mul_overflow(*a, *b, &whole)) return whole;
      return real(left) * real(right);
    default:
      if (real(right) == 0) return std::nullopt;
      return real(left) / real(right);
  }
}

std::partial_ordering order_of_numbers(const Value& left, const Value& right) {
  const auto* a = std::get_if<Integer>(&left);
  const auto* b = std::get_if<Integer>(&right);
  if (a && b)
    return *a < *b   ? std::partial_ordering::less
           : *a > *b ? std::partial_ordering::greater
                     : std::partial_ordering::equivalent;
  return real(left) <=> real(right);
}

std::strong_ordering order_of_texts(const std::string& left, const std::string& right) {
  return left.compare(right) <=> 0;
}

// Enumerators are compared to numbers by their ordinals, and to texts by their labels.
std::optional<std::partial_ordering> order_of(const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) return order_of_numbers(left, right);
  const auto* label = std::get_if<Enumerator>(&left);
  if (label && std::holds_alternative<Enumerator>(right))
    return label->ordinal <=> std::get<Enumerator>(right).ordinal;
  if (label && is_number(right)) return order_of_numbers(Integer(label->ordinal), right);
  if (label && std::holds_alternative<std::string>(right))
    return order_of_texts(label->label, std::get<std::string>(right));
  if (std::holds_alternative<Enumerator>(right)) {
    const auto reversed = order_of(right, left);
    if (!reversed) return std::nullopt;
    return 0 <=> *reversed;
  }
  if (left.index() != right.index()) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&left))
    return order_of_texts(*text, std::get<std::string>(right));
  if (const auto* truth = std::get_if<bool>(&left)) return *truth <=> std::get<bool>(right);
  return std::nullopt;
}

Outcome compared(Operator action, const Value& left, const Value& right) {
  const auto order = order_of(left, right);
  if (!order) return std::nullopt;
  switch (action) {
    case Operator::equal:
      return *order == 0;
    case Operator::not_equal:
      return *order != 0;
    case Operator::less:
      return *order < 0;
    case Operator::less_equal:
      return *order <= 0;
    case Operator::greater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

class Evaluation {
 public:
  Evaluation(const Expression& expression, const Subject& subject, Budget& budget)
      : expression_(expression), subject_(subject), budget_(budget) {}

  Outcome value_at(std::uint32_t index) {
    if (!budget_.spend()) return std::nullopt;
    const Node& node = expression_.nodes[index];
    switch (node.action) {
      case Operator::literal:
        return node.literal;
      case Operator::component:
        return subject_.value(path(node), budget_);
      case Operator::exists:
        return exists(node);
      case Operator::is_default:
        return truth_of(subject_.is_default(path(node), budget_));
      case Operator::disjunction:
        return joined(index, Operator::disjunction, true);
      case Operator::conjunction:
        return joined(index, Operator::conjunction, false);
      case Operator::opposite:
        return opposite(value_at(node.left));
      case Operator::negative:
        return negative(value_at(node.left));
      case Operator::is_element:
        return is_element(node);
      default:
        return of_two(node);
    }
  }

 private:
  const Path& path(const Node& node) const { return expression_.paths[node.path]; }
  static Outcome truth_of(std::optional<bool> truth) { return truth ? Outcome(*truth) : std::nullopt; }

  // Ends at the first operand that decides.
  Outcome joined(std::uint32_t index, Operator action, bool decisive) {
    while (true) {
      const Node& node = expression_.nodes[index];
      const bool is_last = node.action != action;
      const Outcome operand = value_at(is_last ? index : node.left);
      const auto* truth = operand ? std::get_if<bool>(&*operand) : nullptr;
      if (!truth) return std::nullopt;
      if (*truth == decisive || is_last) return *truth;
      index = node.right;
    }
  }

  Outcome exists(const Node& node) {
    const bool there = subject_.exists(path(node), budget_);
    return budget_.exhausted() ? Outcome() : there;
  }

  static Outcome opposite(const Outcome& value) {
    const auto* truth = value ? std::get_if<bool>(&*value) : nullptr;
    return truth ? Outcome(!*truth) : std::nullopt;
  }
  static Outcome negative(const Outcome& value) {
    return value ? arithmetic(Operator::subtract, Integer(0), *value) : std::nullopt;
  }

  Outcome is_element(const Node& node) {
    const Outcome wanted = value_at(node.left);
    return wanted ? truth_of(subject_.contains(path(node), *wanted, budget_)) : std::nullopt;
  }

  Outcome of_two(const Node& node) {
    const Outcome left = value_at(node.left);
    if (!left) return std::nullopt;
    const Outcome right = value_at(node.right);
    if (!right) return std::nullopt;
    switch (node.action) {
      case Operator::add:
      case Operator::subtract:
      case Operator::multiply:
      case Operator::divide:
        return arithmetic(node.action, *left, *right);
      case Operator::is_part:
        return is_part(*left, *right);
      default:
        return compared(node.action, *left, *right);
    }
  }

  static Outcome is_part(const Value& left, const Value& right) {
    const auto* part = std::get_if<std::string>(&left);
    const auto* whole = std::get_if<std::string>(&right);
    if (!part || !whole) return std::nullopt;
    return ::memmem(whole->data(), whole->size(), part->data(), part->size()) != nullptr;  // in linear time
  }

  const Expression& expression_;
  const Subject& subject_;
  Budget& budget_;
};

}  // namespace

bool equal(const Value& left, const Value& right) {
  const auto order = order_of(left, right);
  return order && *order == 0;
}

std::optional<std::partial_ordering> compare(const Value& left, const Value& right) {
  return order_of(left, right);
}

std::optional<Value> evaluate(const Expression& expression, const Subject& subject, Budget& budget) {
  return Evaluation(expression, subject, budget).value_at(expression.root);
}

}  // namespace takt::constraint
