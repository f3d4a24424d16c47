#include "constraint/parser.h"

#include <algorithm>
#include <utility>

#include "constraint/scanner.h"

namespace takt::constraint {
namespace {

using Index = std::uint32_t;

class Parser {
 public:
  Parser(std::string_view text, const ParseLimits& limits, Dialect dialect)
      : words_(text), limits_(limits), dialect_(dialect) {}

  Expression parse() {
    made_.root = disjunction();
    if (!words_.at_end()) fail("an operator or the end of the constraint");
    return std::move(made_);
  }

 private:
  [[noreturn]] void fail(const std::string& expected) {
    throw Fault{words_.position(), "expected " + expected + ", found " + words_.shown()};
  }

  Index add(Node node, std::size_t depth) {
    if (made_.nodes.size() >= limits_.nodes)
      throw Fault{words_.position(),
                  "more than " + std::to_string(limits_.nodes) + " operators and operands"};
    if (depth > limits_.depth) throw_depth();
    made_.nodes.push_back(std::move(node));
    depths_.push_back(depth);
    return static_cast<Index>(made_.nodes.size() - 1);
  }
  [[noreturn]] void throw_depth() {
    throw Fault{words_.position(), "nested deeper than " + std::to_string(limits_.depth)};
  }
  Index add_both(Operator action, Index left, Index right) {
    return add({.action = action, .left = left, .right = right}, std::max(depths_[left], depths_[right]) + 1);
  }
  Index add_one(Operator action, Index left) {
    return add({.action = action, .left = left}, depths_[left] + 1);
  }
  Index add_path(Operator action, Path path, Index left = 0) {
    made_.paths.push_back(std::move(path));
    return add({.action = action, .left = left, .path = static_cast<Index>(made_.paths.size() - 1)},
               action == Operator::is_element ? depths_[left] + 1 : 1);
  }

  // Operands that are joined by one word. They are nested to the right, and their evaluation is a loop, so
  // any number of them has the depth of the deepest.
  template <class Operand>
  Index joined(Operator action, std::string_view word, Operand operand) {
    std::vector<Index> operands{operand()};
    while (words_.take_word(word)) operands.push_back(operand());
    Index whole = operands.back();
    for (auto at = operands.size() - 1; at-- > 0;)
      whole = add({.action = action, .left = operands[at], .right = whole},
                  std::max(depths_[operands[at]] + 1, depths_[whole]));
    return whole;
  }

  Index disjunction() {
    return joined(Operator::disjunction, "or", [this] { return conjunction(); });
  }
  Index conjunction() {
    return joined(Operator::conjunction, "and", [this] { return comparison(); });
  }

  Index comparison() {
    static constexpr std::pair<std::string_view, Operator> symbols[] = {
        {"==", Operator::equal},         {"!=", Operator::not_equal}, {"<=", Operator::less_equal},
        {">=", Operator::greater_equal}, {"<", Operator::less},       {">", Operator::greater}};
    const Index left = membership();
    for (const auto& [symbol, action] : symbols)
      if (words_.take(symbol)) return add_both(action, left, membership());
    return left;
  }

  Index membership() {
    const Index left = containment();
    if (!words_.take_word("in")) return left;
    return add_path(Operator::is_element, path(), left);
  }

  Index containment() {
    const Index left = sum();
    return words_.take("~") ? add_both(Operator::is_part, left, sum()) : left;
  }

  Index sum() {
    Index left = product();
    while (true) {
      if (words_.take("+"))
        left = add_both(Operator::add, left, product());
      else if (words_.take("-"))
        left = add_both(Operator::subtract, left, product());
      else
        return left;
    }
  }

  Index product() {
    Index left = factor();
    while (true) {
      if (words_.take("*"))
        left = add_both(Operator::multiply, left, factor());
      else if (words_.take("/"))
        left = add_both(Operator::divide, left, factor());
      else
        return left;
    }
  }

  // Everything that calls itself does so by factor().
  Index factor() {
    if (++open_ > limits_.depth) throw_depth();
    const Index made = prefixed();
    --open_;
    return made;
  }

  Index prefixed() {
    if (words_.take_word("not")) return add_one(Operator::opposite, factor());
    if (words_.take("-")) return add_one(Operator::negative, factor());
    if (words_.take("+")) return factor();
    return primary();
  }

  Index primary() {
    if (words_.take("(")) {
      const Index inner = disjunction();
      if (!words_.take(")")) fail("an operator or ')'");
      return inner;
    }
    if (words_.take_word("exist")) return add_path(Operator::exists, path());
    if (dialect_ == Dialect::events && words_.take_word("default"))
      return add_path(Operator::is_default, path());
    if (words_.take_word("TRUE")) return literal(true);
    if (words_.take_word("FALSE")) return literal(false);
    if (auto string = words_.take_string()) return literal(std::move(*string));
    if (auto number = words_.take_number()) return literal(std::move(*number));
    return add_path(Operator::component, path());
  }

  Index literal(Value value) { return add({.action = Operator::literal, .literal = std::move(value)}, 1); }

  Path path() {
    Path path;
    const bool dollar = dialect_ == Dialect::events && words_.take("$");
    if (auto variable = words_.take_identifier())
      path.variable = std::move(*variable);
    else if (!dollar)
      fail("a value");
    while (dialect_ == Dialect::events && add_step(path)) {
      if (++steps_ > limits_.nodes)
        throw Fault{words_.position(), "more than " + std::to_string(limits_.nodes) + " parts of components"};
    }
    return path;
  }

  bool add_step(Path& path) {
    if (words_.take(".")) {
      path.steps.push_back(part());
    } else if (words_.take("[")) {
      path.steps.push_back({.kind = Step::Kind::element, .number = index()});
      if (!words_.take("]")) fail("']'");
    } else if (words_.take("(")) {
      auto name = words_.take_string();
      if (!name) name = words_.take_identifier();
      if (!name) fail("a name");
      path.steps.push_back({.kind = Step::Kind::named, .name = std::move(*name)});
      if (!words_.take(")")) fail("')'");
    } else {
      return false;
    }
    return true;
  }

  std::int64_t index() {
    const auto number = words_.take_index();
    if (!number) fail("a number below 2^62");
    return *number;
  }

  // After a dot.
  Step part() {
    using Kind = Step::Kind;
    if (words_.take("(")) return label();
    for (const auto& [word, kind] : {std::pair{"_length", Kind::length},
                                     {"_d", Kind::discriminator},
                                     {"_type_id", Kind::type_id},
                                     {"_repos_id", Kind::repository_id}})
      if (words_.take_word(word)) return {.kind = kind};
    if (auto name = words_.take_identifier()) return {.kind = Kind::member, .name = std::move(*name)};
    const auto number = words_.take_index();
    if (!number) fail("a member's name or number");
    return {.kind = Kind::position, .number = *number};
  }

  Step label() {
    Step step{.kind = Step::Kind::label};
    if (words_.take(")")) return {.kind = Step::Kind::default_label};
    if (auto text = words_.take_string()) {
      step.name = std::move(*text);
    } else {
      const bool negative = words_.take("-");
      if (!negative) words_.take("+");
      step.number = negative ? -index() : index();
    }
    if (!words_.take(")")) fail("')'");
    return step;
  }

  Scanner words_;
  const ParseLimits limits_;
  const Dialect dialect_;
  Expression made_;
  std::vector<std::size_t> depths_;  // each node has one
  std::size_t open_ = 0, steps_ = 0;
};

}  // namespace

std::expected<Expression, Fault> parse_expression(std::string_view text, const ParseLimits& limits,
                                                  Dialect dialect) {
  if (text.size() > limits.octets)
    return std::unexpected(Fault{limits.octets, "longer than " + std::to_string(limits.octets) + " octets"});
  try {
    return Parser(text, limits, dialect).parse();
  } catch (Fault& fault) {
    return std::unexpected(std::move(fault));
  }
}

}  // namespace takt::constraint
