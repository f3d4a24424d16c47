#include "mast/syntax.h"

#include <algorithm>
#include <utility>

#include "mast/tokens.h"

namespace takt::scheduling::mast {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) { advance(); }

  std::vector<Element> parse() {
    std::vector<Element> all;
    while (token_.kind != Token::Kind::end) all.push_back(element());
    return all;
  }

 private:
  void advance() { token_ = tokens_.next(); }
  [[noreturn]] void expected(const std::string& wanted) const {
    throw Wrong{token_.at, "expected " + wanted + ", not " + describe(token_)};
  }
  Token take(Token::Kind kind) {
    if (token_.kind != kind) expected(describe(kind));
    Token taken = std::move(token_);
    advance();
    return taken;
  }

  Element element() {
    if (token_.kind != Token::Kind::word) expected("an element, such as Processing_Resource (...)");
    Token kind = take(Token::Kind::word);
    if (token_.kind != Token::Kind::open) expected("'(' after " + kind.text);
    Element element{std::move(kind.text), kind.at, value(1)};
    if (element.value.form != Value::Form::attributes)
      throw Wrong{element.value.at, element.kind + " needs attributes: Name => value, ..."};
    take(Token::Kind::semicolon);
    return element;
  }

  // `depth` counts the parentheses around and at the value.
  Value value(int depth) {
    if (++values_ > most_values)
      throw Wrong{token_.at, "the model has more than " + std::to_string(most_values) + " values"};
    using enum Token::Kind;
    if (token_.kind == open) return group(depth);
    if (token_.kind != word && token_.kind != number && token_.kind != date)
      expected("a name, a number, a date or '('");
    Value made;
    made.form = token_.kind == word     ? Value::Form::word
                : token_.kind == number ? Value::Form::number
                                        : Value::Form::date;
    made.at = token_.at;
    made.text = std::move(token_.text);
    advance();
    return made;
  }

  Value group(int depth) {
    if (depth > most_nesting)
      throw Wrong{token_.at, "parentheses are nested deeper than " + std::to_string(most_nesting)};
    Value made;
    made.form = Value::Form::list;
    made.at = take(Token::Kind::open).at;
    member(made, depth, true);
    while (token_.kind == Token::Kind::comma) {
      advance();
      member(made, depth, false);
    }
    if (token_.kind != Token::Kind::close) expected("',' or ')'");
    advance();
    return made;
  }

  // The first member decides whether the group has attributes or values.
  void member(Value& made, int depth, bool is_first) {
    Value next = value(depth + 1);
    if (is_first && token_.kind == Token::Kind::arrow) made.form = Value::Form::attributes;
    if (made.form == Value::Form::list) return made.list.push_back(std::move(next));
    if (next.form != Value::Form::word) throw Wrong{next.at, "expected the name of an attribute"};
    take(Token::Kind::arrow);
    made.attributes.push_back({std::move(next.text), next.at, value(depth + 1)});
  }

  Tokens tokens_;
  Token token_;
  std::size_t values_ = 0;
};

}  // namespace

std::string describe(const Value& value) { return value.text.empty() ? "a list" : "'" + value.text + "'"; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool same(std::string_view one, std::string_view other) { return lower(one) == lower(other); }

std::vector<Element> parse(std::string_view text) {
  if (text.size() > most_text_bytes)
    throw Wrong{{}, "the model is longer than " + std::to_string(most_text_bytes >> 20) + " MiB"};
  return Parser(text).parse();
}

}  // namespace takt::scheduling::mast
