#include "syntax/parser.h"

namespace takt::idl {

namespace {

std::string_view next_word(std::string_view& text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return text = {};
  text.remove_prefix(start);
  std::size_t end = text.find_first_of(" \t\r");
  if (text.front() == '"') {
    end = text.find('"', 1);
    if (end != std::string_view::npos) ++end;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end);
  return word;
}

bool unquote(std::string_view& word) {
  if (word.size() < 2 || word.front() != '"' || word.back() != '"') return false;
  word = word.substr(1, word.size() - 2);
  return true;
}

}  // namespace

// Ignores pragmas meant for other compilers.
void Parser::pragma(const Token& token) {
  std::string_view rest = token.text;
  const std::string_view kind = next_word(rest);
  if (kind == "corba_ami") {  // the interface is declared later
    std::string_view name = next_word(rest);
    if (!unquote(name))
      return error(token.at, "#pragma corba_ami is followed by an interface's name in quotes");
    name.remove_prefix(name.starts_with("::") ? 2 : 0);
    unit_.ami_pragmas.emplace(name, token.at);
    return;
  }
  if (kind != "prefix" && kind != "ID" && kind != "version") return;
  std::string_view word = next_word(rest);
  if (kind == "prefix") {
    if (!unquote(word)) return error(token.at, "#pragma prefix is followed by a string in quotes");
    return ids_.set_prefix(std::string(word), token.at.file);
  }
  Declaration* found = scope_;
  std::string_view name = word;
  bool first = true;
  if (name.starts_with("::")) {
    name.remove_prefix(2);
    found = &unit_.root;
    first = false;
  }
  while (found && !name.empty()) {
    const std::size_t end = name.find("::");
    const std::string_view part = name.substr(0, end);
    found = first ? scopes_.find(*found, part, token.at) : scopes_.find_here(*found, part);
    first = false;
    name.remove_prefix(end == std::string_view::npos ? name.size() : end + 2);
  }
  if (!found || word.empty())
    return error(token.at, "#pragma " + std::string(kind) + ": '" + std::string(word) + "' is not declared");
  std::string_view argument = next_word(rest);
  if (kind == "version") return ids_.set_version(*found, argument, token.at);
  if (!unquote(argument)) return error(token.at, "#pragma ID is followed by a name and a string in quotes");
  ids_.set_id(*found, std::string(argument), token.at);
}

void Parser::type_id_declaration() {
  const ScopedName name = scoped_name();
  const Location where = token_.at;
  std::string id = string_literal();
  if (name.found) ids_.set_id(*name.found, std::move(id), where);
}

void Parser::type_prefix_declaration() {
  const Location where = token_.at;
  if (at("::") && look(1).kind == TokenKind::string) {  // typeprefix :: "...": the global scope
    advance();
    return ids_.set_prefix_of(unit_.root, string_literal());
  }
  const ScopedName name = scoped_name();
  std::string prefix = string_literal();
  if (!name.found) return;
  if (prefix.find(':') != std::string::npos) return error(where, "a prefix has no ':' in it");
  ids_.set_prefix_of(*name.found, std::move(prefix));
}

// import takes names from a repository of specifications; the names must be declared in the unit
// nevertheless.
// The name may be that of another file, which need not be at hand.
void Parser::import_declaration() {
  if (token_.kind == TokenKind::string) return advance();
  accept("::");
  do identifier("a name");
  while (accept("::"));
}

}  // namespace takt::idl
