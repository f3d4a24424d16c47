#include "syntax/parser.h"

#include <algorithm>
#include <array>

namespace takt::idl {

namespace {

// Reserved words in any case (IDL 4.2, table 7-6, and CORBA 3.0.3, table 3-1).
constexpr std::array keywords{
    "abstract",  "any",      "alias",      "attribute", "bitfield", "bitmask",    "bitset",      "boolean",
    "case",      "char",     "component",  "connector", "const",    "consumes",   "context",     "custom",
    "default",   "double",   "exception",  "emits",     "enum",     "eventtype",  "factory",     "FALSE",
    "finder",    "fixed",    "float",      "getraises", "home",     "import",     "in",          "inout",
    "interface", "local",    "long",       "manages",   "map",      "mirrorport", "module",      "multiple",
    "native",    "Object",   "octet",      "oneway",    "out",      "primarykey", "private",     "port",
    "porttype",  "provides", "public",     "publishes", "raises",   "readonly",   "setraises",   "sequence",
    "short",     "string",   "struct",     "supports",  "switch",   "TRUE",       "truncatable", "typedef",
    "typeid",    "typename", "typeprefix", "unsigned",  "union",    "uses",       "ValueBase",   "valuetype",
    "void",      "wchar",    "wstring",    "int8",      "uint8",    "int16",      "int32",       "int64",
    "uint16",    "uint32",   "uint64"};
// Keywords that IDL 4 added: older files may use them as names.
constexpr std::array newer{"alias",      "bitfield", "bitmask",  "bitset",   "connector", "map",
                           "mirrorport", "port",     "porttype", "typename", "int8",      "uint8",
                           "int16",      "int32",    "int64",    "uint16",   "uint32",    "uint64"};

// Keywords that CORBA 2.3 and 3 added. A file that uses one as a name was written before it was a keyword.
constexpr std::array later{
    "abstract",   "component",  "consumes", "custom",    "emits",     "eventtype", "factory",  "finder",
    "fixed",      "getraises",  "home",     "import",    "local",     "manages",   "multiple", "native",
    "primarykey", "private",    "provides", "public",    "publishes", "setraises", "supports", "truncatable",
    "typeid",     "typeprefix", "uses",     "valuetype", "ValueBase", "wchar",     "wstring"};
bool is_later(const std::string& keyword) { return std::ranges::find(later, keyword) != later.end(); }

// Keywords by their case-folded form.
const std::unordered_map<std::string, std::string>& keyword_table() {
  static const auto table = [] {
    std::unordered_map<std::string, std::string> words;
    for (const char* keyword : keywords) words.emplace(folded(keyword), keyword);
    for (const char* keyword : newer) words.erase(keyword);
    return words;
  }();
  return table;
}

}  // namespace

std::span<const char* const> reserved_words() { return keywords; }

namespace {

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the file";
  if (token.kind == TokenKind::pragma) return "a pragma";
  return "'" + std::string(token.text.substr(0, 40)) + "'";
}

}  // namespace

Parser::Parser(std::string_view text, Unit& unit, Diagnostics& diagnostics)
    : unit_(unit),
      diagnostics_(diagnostics),
      lexer_(text, unit, diagnostics),
      scopes_(diagnostics),
      ids_(unit, diagnostics),
      scope_(&unit.root) {
  advance();
}

void Parser::parse() {
  while (token_.kind != TokenKind::end && !diagnostics_.full()) {
    try {
      definition();
    } catch (const Skip&) {
      skip_statement(0);
      if (accept("}")) {
        braces_ = 0;  // it closed nothing
        accept(";");
      }
    }
  }
  finish();
}

// Pragmas may appear between any two tokens.
void Parser::advance() {
  previous_end_ = token_.at;
  previous_end_.column += static_cast<std::uint32_t>(token_.text.size());
  if (at("{")) ++braces_;
  if (at("}")) --braces_;
  do {
    if (ahead_.empty()) {
      token_ = lexer_.next();
    } else {
      token_ = std::move(ahead_.front());
      ahead_.pop_front();
    }
    if (token_.kind == TokenKind::pragma) pragma(token_);
  } while (token_.kind == TokenKind::pragma);
}

const Token& Parser::look(std::size_t ahead) {
  while (ahead_.size() < ahead) ahead_.push_back(lexer_.next());
  return ahead_[ahead - 1];
}

bool Parser::at(std::string_view text) const { return token_.is(text); }
bool Parser::at_word(std::string_view word) const {
  return token_.kind == TokenKind::identifier && !token_.escaped && token_.text == word;
}
bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  advance();
  return true;
}
bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}
void Parser::expect(std::string_view text) {
  if (accept(text)) return;
  // A `;` that is missing at the end of a line is reported there, and parsing goes on without it.
  const bool line_ended = previous_end_.line != token_.at.line || previous_end_.file != token_.at.file;
  if (text != ";" || !line_ended || braces_ < 0)
    fail("'" + std::string(text) + "' is expected before " + shown(token_));
  error(previous_end_, "';' is expected here");
}
void Parser::fail(std::string text) {
  error(token_.at, std::move(text));
  throw Skip{};
}

void Parser::skip_statement(int level) {
  while (token_.kind != TokenKind::end && braces_ >= level) {
    if (braces_ == level && at("}")) return;
    if (braces_ == level && accept(";")) return;
    const bool closes = at("}");
    advance();
    if (closes && braces_ == level) {  // closes the level being read
      accept(";");
      return;
    }
  }
}

bool Parser::is_reserved(std::string_view word) {
  const auto keyword = keyword_table().find(folded(word));
  return keyword != keyword_table().end() && keyword->second == word;
}

bool Parser::at_keyword() const {
  if (token_.kind != TokenKind::identifier || token_.escaped) return false;
  const auto keyword = keyword_table().find(folded(token_.text));
  return keyword != keyword_table().end() && keyword->second == token_.text &&
         !keywords_as_names_.contains(keyword->second);
}

void Parser::keyword_as_name(const std::string& keyword) {
  const std::string text(token_.text);
  std::string complaint = text == keyword
                              ? "'" + keyword + "' is a keyword; write _" + keyword + " to use it as a name"
                              : "'" + text + "' differs from the keyword '" + keyword + "' in case only";
  if (is_later(keyword)) {
    keywords_as_names_.insert(text);
    return diagnostics_.outdated(token_.at, std::move(complaint));
  }
  if (text == keyword) fail(std::move(complaint));
  error(token_.at, std::move(complaint));
}

Parser::Name Parser::identifier(const char* what) {
  if (token_.kind != TokenKind::identifier) fail(std::string(what) + " is expected before " + shown(token_));
  if (!token_.escaped) {
    const auto keyword = keyword_table().find(folded(token_.text));
    if (keyword != keyword_table().end()) keyword_as_name(keyword->second);
  }
  Name name{std::string(token_.text), token_.at};
  advance();
  return name;
}

std::string Parser::string_literal() {
  if (token_.kind != TokenKind::string) fail("a string literal is expected before " + shown(token_));
  std::string text = token_.octets;
  advance();
  return text;
}

Declaration& Parser::make(K kind, const Name& name, Annotations annotations) {
  Declaration& made = unit_.declarations.emplace_back();
  made.kind = kind;
  made.name = name.text;
  made.at = name.at;
  made.scope = scope_;
  made.in_main_file = name.at.file < unit_.files.size() && unit_.files[name.at.file].is_main;
  made.annotations = std::move(annotations);
  ids_.assign(made);
  return made;
}

Declaration& Parser::add(K kind, const Name& name, Annotations annotations) {
  Declaration& made = make(kind, name, std::move(annotations));
  scopes_.declare(made);
  scope_->contents.push_back(&made);
  return made;
}

namespace {
bool has_members_only(const Declaration& scope) {
  return scope.kind == DeclarationKind::struct_ || scope.kind == DeclarationKind::exception ||
         scope.kind == DeclarationKind::union_;
}
}  // namespace

// Whether the token begins what the scope cannot contain, so that it belongs to a scope around it.
bool Parser::begins_after(const Declaration& scope) const {
  if (scope.kind == K::module_ || !at_keyword()) return false;
  const bool has_members = has_members_only(scope);
  const Beginning* const begins = beginning_of(token_.text);
  if (begins) return begins->within > (has_members ? Within::members : Within::interfaces);
  // An operation, an attribute or the state of a value, after a type that is declared among them.
  constexpr std::array others{"void", "oneway", "readonly", "attribute", "public", "private", "factory"};
  const Declaration* around = scope.scope;
  while (has_members_only(*around)) around = around->scope;
  const bool is_among_them = around->kind == K::interface_ || around->kind == K::value;
  return has_members && is_among_them && std::ranges::find(others, token_.text) != others.end();
}

// Reports that the scope is not closed, and goes on as if "};" stood before the token.
void Parser::close_before(const Declaration& scope) {
  error(token_.at,
        "'}' is missing before '" + std::string(token_.text) + "': " + scope.name + " is not closed");
  diagnostics_.note(scope.at, scope.name + " begins here");
  --braces_;
  ++assumed_braces_;
  ahead_.push_front(std::move(token_));
  token_ = {};
  token_.kind = TokenKind::punctuation;
  token_.text = ";";
  token_.at = previous_end_;
  if (has_members_only(*scope.scope)) throw Skip{};  // a member's type, and the member's name is missing too
}

void Parser::body(Declaration& scope, const std::function<void()>& one) {
  const Depth depth(*this);
  in_scope(scope, [&] {
    expect("{");
    const int level = braces_;
    while (!at("}")) {
      if (token_.kind == TokenKind::end) fail("'}' is missing: " + scope.name + " is not closed");
      if (begins_after(scope)) return close_before(scope);
      try {
        one();
      } catch (const Skip&) {
        if (diagnostics_.full()) throw;
        skip_statement(level);
        if (braces_ < level) throw;  // skipping reached the end of this level
      }
    }
    advance();
  });
}

// Replaces forward declarations by their definitions.
void Parser::finish() {
  const auto defined = [](Declaration* of) {
    return of && of->kind == K::forward_ && of->definition ? of->definition : of;
  };
  for (Type& type : unit_.types) type.declaration = defined(type.declaration);
  for (Declaration& declaration : unit_.declarations) {
    for (auto* list : {&declaration.bases, &declaration.supports})
      for (Declaration*& base : *list) base = defined(base);
    const bool needs_definition =
        declaration.kind == K::forward_ && !declaration.definition &&
        (declaration.forward_kind == K::struct_ || declaration.forward_kind == K::union_);
    if (needs_definition)
      error(declaration.at, "'" + declaration.name + "' is declared forward but never defined");
  }
}

}  // namespace takt::idl
