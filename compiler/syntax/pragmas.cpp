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
  if (kind == "corba_ami") return ami_pragma(next_word(rest), token.at);
  if (kind != "prefix" && kind != "ID" && kind != "version") return;
  std::string_view word = next_word(rest);
  if (kind == "prefix") {
    if (!unquote(word)) return error(token.at, "#pragma prefix is followed by a string in quotes");
    return ids_.set_prefix(std::string(word), token.at.file);
  }
  Declaration* const target = word.empty() ? nullptr : pragma_target(word, token.at);
  if (!target)
    return error(token.at, "#pragma " + std::string(kind) + ": '" + std::string(word) + "' is not declared");
  std::string_view argument = next_word(rest);
  if (kind == "version") return ids_.set_version(*target, argument, token.at);
  if (!unquote(argument)) return error(token.at, "#pragma ID is followed by a name and a string in quotes");
  ids_.set_id(*target, std::string(argument), token.at);
}

// The interface is declared later.
void Parser::ami_pragma(std::string_view name, Location where) {
  if (!unquote(name)) return error(where, "#pragma corba_ami is followed by an interface's name in quotes");
  name.remove_prefix(name.starts_with("::") ? 2 : 0);
  unit_.ami_pragmas.emplace(name, where);
}

Declaration* Parser::pragma_target(std::string_view name, Location where) {
  Declaration* found = scope_;
  bool outward = true;  // the next part may be in an outer scope
  if (name.starts_with("::")) {
    name.remove_prefix(2);
    found = &unit_.root;
    outward = false;
  }
  while (found && !name.empty()) {
    const std::size_t end = name.find("::");
    const std::string_view part = name.substr(0, end);
    found = outward ? scopes_.find(*found, part, where) : scopes_.find_here(*found, part);
    outward = false;
    name.remove_prefix(end == std::string_view::npos ? name.size() : end + 2);
  }
  return found;
}

void Parser::type_id_declaration(Annotations) {
  const ScopedName name = scoped_name();
  const Location where = token_.at;
  std::string id = string_literal();
  if (name.found) ids_.set_id(*name.found, std::move(id), where);
}

void Parser::type_prefix_declaration(Annotations) {
  const Location where = token_.at;
  if (at("::") && look(1).kind == TokenKind::string) {  // typeprefix :: "...": the global scope
    advance();
    return ids_.set_prefix_of(unit_.root, string_literal());
  }
  const ScopedName name = scoped_name();
  std::string prefix = string_literal();
  if (!name.found) return;
  if (prefix.find(':') != std::string::npos) return error(where, "a prefix has no ':' in it");
  if (name.found->kind != K::module_) return ids_.set_prefix_of(*name.found, std::move(prefix));
  const std::string whole = name.found->scoped_name();
  for (Declaration& each : unit_.declarations)  // a module may have been opened several times
    if (each.kind == K::module_ && each.name == name.found->name && each.scoped_name() == whole)
      ids_.set_prefix_of(each, prefix);
}

// import takes names from a repository of specifications, or those of another file, which need not exist. The
// unit must declare them all the same.
void Parser::import_declaration(Annotations) {
  if (token_.kind == TokenKind::string) return advance();
  accept("::");
  do identifier("a name");
  while (accept("::"));
}

}  // namespace takt::idl
