#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sema/constants.h"
#include "syntax/parser.h"

namespace takt::idl {

namespace {
constexpr std::array<std::array<std::string_view, 3>, 6> operators{
    {{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}};
}

Value Parser::expression() {
  const Depth depth(*this);
  return binary_expression(0);
}

Value Parser::bracketed_expression() {
  const Temporarily in_brackets(in_brackets_, true);
  return expression();
}

Value Parser::binary_expression(int level) {
  if (level == static_cast<int>(operators.size())) return unary_expression();
  Value left = binary_expression(level + 1);
  for (;;) {
    std::string op;
    for (const std::string_view candidate : operators[static_cast<std::size_t>(level)])
      if (!candidate.empty() && at(candidate) && !(in_brackets_ && candidate == ">>")) op = candidate;
    if (op.empty()) return left;
    const Location where = token_.at;
    advance();
    const Value right = binary_expression(level + 1);
    left = folded_value(apply_binary(op, left, right), where);
  }
}

Value Parser::unary_expression() {
  for (const std::string_view op : {"-", "+", "~"}) {
    if (!at(op)) continue;
    const Depth depth(*this);
    const Location where = token_.at;
    const std::string text(op);
    advance();
    return folded_value(apply_unary(text, unary_expression(), target_), where);
  }
  return primary_expression();
}

Value Parser::primary_expression() {
  if (std::optional<Value> value = literal()) return *std::move(value);
  if (accept_word("TRUE")) return {true};
  if (accept_word("FALSE")) return {false};
  if (accept("(")) {
    Value value;
    {
      const Temporarily in_brackets(in_brackets_, false);
      value = expression();
    }
    expect(")");
    return value;
  }
  return named_constant();
}

std::optional<Value> Parser::literal() {
  const Token token = token_;
  switch (token.kind) {
    case TokenKind::integer:
      advance();
      return folded_value(Value{static_cast<Int128>(token.integer)}, token.at);
    case TokenKind::floating: {
      advance();
      const long double value = std::strtold(std::string(token.text).c_str(), nullptr);
      if (!std::isfinite(value)) error(token.at, "this floating-point number is too large");
      return Value{std::isfinite(value) ? value : 0};
    }
    case TokenKind::fixed:
      advance();
      if (std::ranges::count_if(token.text, [](char c) { return c >= '0' && c <= '9'; }) > 31)
        error(token.at, "a fixed literal has at most 31 digits");
      return Value{parse_fixed(token.text)};
    case TokenKind::character:
    case TokenKind::wide_character:
      advance();
      return Value{token.wide.empty() ? U'\0' : token.wide.front()};
    case TokenKind::string: {
      std::string text;
      for (; token_.kind == TokenKind::string; advance()) text += token_.octets;
      return Value{text};
    }
    case TokenKind::wide_string: {
      std::wstring text;
      for (; token_.kind == TokenKind::wide_string; advance())
        for (const char32_t c : token_.wide) text.push_back(static_cast<wchar_t>(c));
      return Value{text};
    }
    default:
      return std::nullopt;
  }
}

// A constant or an enumerator.
Value Parser::named_constant() {
  if (token_.kind != TokenKind::identifier && !at("::")) fail("a constant expression is expected here");
  const ScopedName name = scoped_name();
  const Declaration* const found = name.found;
  if (found && found->kind == K::constant) return found->value;
  if (found && found->kind == K::enumerator) {
    if (found->scope->kind != K::bitmask) return {found};
    const Int128 position = std::get<Int128>(found->value.is);
    return {position < 64 ? Int128{1} << static_cast<int>(position) : 0};
  }
  error(name.at,
        "'" + name.text + "' is " + (found ? describe(found->kind) : "not declared") + ", not a constant");
  throw Skip{};
}

// No subexpression may exceed the precision of the target type: 64 bits for the long long types, 32 bits for
// others (7.4.1.4.3).
Value Parser::folded_value(Folded result, Location where) {
  if (result && target_)
    if (const auto* integer = std::get_if<Int128>(&result->is)) {
      IntegerRange range;
      const bool narrow = integer_range(*target_, range) && range.most <= UINT32_MAX;
      if (narrow && (*integer < INT32_MIN || *integer > UINT32_MAX))
        result = std::unexpected(integer_to_text(*integer) + " exceeds the 32 bits in which " +
                                 describe(*target_) + " expressions are computed");
    }
  if (result) return *result;
  error(where, result.error());
  throw Skip{};
}

Value Parser::constant_of(const Type& type) {
  const Temporarily target(target_, &type.resolved());
  const Temporarily in_brackets(in_brackets_, false);
  const Location where = token_.at;
  const Value value = expression();
  Folded result = convert(value, type);
  if (result) return *result;
  error(where, result.error());
  throw Skip{};
}

// An expression that begins with an undeclared name, such as an enumerator of the annotation, is kept as
// text.
Value Parser::annotation_argument() {
  const bool is_undeclared_name = token_.kind == TokenKind::identifier && !look(1).is("::") &&
                                  !at_word("TRUE") && !at_word("FALSE") &&
                                  !scopes_.find(*scope_, token_.text, token_.at);
  return is_undeclared_name ? Value{unparsed_argument()} : expression();
}

// The tokens to the end of the argument, with blanks between them.
std::string Parser::unparsed_argument() {
  std::string text;
  bool after_operand = false;
  for (int open = 0; open > 0 || (!at(",") && !at(")")); advance()) {
    const bool operand = token_.kind != TokenKind::punctuation;
    if (token_.kind == TokenKind::end || (operand && after_operand) || at(";") || at("{") || at("}")) break;
    if (at("(")) ++open;
    if (at(")")) --open;
    after_operand = operand;
    text += (text.empty() ? "" : " ") + std::string(token_.text);
  }
  return text;
}

// All annotations are kept, known or not.
Parser::Annotations Parser::annotations() {
  Annotations found;
  while (at("@")) found.push_back(annotation());
  return found;
}

// @name, @name(value), @name(parameter = value, ...)
AnnotationUse Parser::annotation() {
  AnnotationUse use;
  use.at = token_.at;
  advance();
  while (accept("::")) {
  }
  if (token_.kind != TokenKind::identifier) fail("an annotation's name is expected here");
  use.name = token_.text;
  advance();
  while (accept("::")) {
    use.name += "::" + std::string(token_.text);
    advance();
  }
  if (!accept("(")) return use;
  while (!at(")")) {
    std::string parameter;
    if (token_.kind == TokenKind::identifier && look(1).is("=")) {
      parameter = token_.text;
      advance();
      advance();
    }
    use.argument_places.push_back(token_.at);
    use.arguments.emplace_back(parameter, annotation_argument());
    if (at(")")) break;
    expect(",");
  }
  advance();
  return use;
}

bool Parser::has_annotation(const Annotations& given, std::string_view name) {
  const AnnotationUse* const use = find_annotation(given, name);
  if (!use || unit_.own_annotations.contains(name)) return false;
  const bool fits = use->arguments.empty() || std::holds_alternative<bool>(use->arguments[0].second.is);
  if (!fits) error(use->argument_places[0], "@" + std::string(name) + " is TRUE or FALSE");
  return is_set(use);
}

// @annotation name { ... }: the definition is skipped.
void Parser::annotation_definition() {
  unit_.own_annotations.insert(identifier("an annotation's name").text);
  expect("{");
  int open = 1;
  while (open > 0 && token_.kind != TokenKind::end) {
    if (at("{")) ++open;
    if (at("}")) --open;
    advance();
  }
  expect(";");
}

}  // namespace takt::idl
