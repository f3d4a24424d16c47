// Template modules (IDL 4.2, 7.4.12). A definition is kept as tokens; each instance parses them anew, with
// the arguments in place of the parameters.
#include <algorithm>
#include <array>

#include "syntax/parser.h"

namespace takt::idl {

namespace {

constexpr std::size_t max_tokens =
    200'000;  // all instances together, because they may instantiate each other

constexpr std::array parameter_kinds{"typename", "interface", "valuetype", "eventtype", "struct",
                                     "union",    "exception", "enum",      "const",     "sequence"};

Token punctuation(std::string_view text, Location at) {
  Token token;
  token.kind = TokenKind::punctuation;
  token.text = text;
  token.at = at;
  return token;
}

// Whether the declaration can stand for a parameter of that kind.
bool fits(const std::string& kind, const Declaration& given) {
  using K = DeclarationKind;
  const Declaration& meant = defined(given);
  const K is = meant.kind == K::forward_ ? meant.forward_kind : meant.kind;
  if (kind == "interface") return is == K::interface_;
  if (kind == "valuetype") return is == K::value;
  if (kind == "eventtype") return is == K::event;
  if (kind == "struct") return is == K::struct_;
  if (kind == "union") return is == K::union_;
  if (kind == "exception") return is == K::exception;
  if (kind == "enum") return is == K::enum_;
  if (kind == "sequence") return is == K::typedef_ && meant.type->resolved().kind == TypeKind::sequence;
  return true;
}

}  // namespace

// Reads <...>, without the brackets, split at its commas. Brackets within parentheses are operators.
std::vector<Parser::Tokens> Parser::bracketed() {
  std::vector<Tokens> parts(1);
  int open = 0, parentheses = 0;
  expect("<");
  for (;; advance()) {
    if (token_.kind == TokenKind::end || at(";") || at("{")) fail("'>' is expected here");
    if (at("(")) ++parentheses;
    if (at(")")) --parentheses;
    if (parentheses == 0) {
      if (at("<")) ++open;
      if (at(">") && open-- == 0) break;
      if (at(">>")) open -= 2;
      if (open < 0) {  // the second > of >> is the last one
        parts.back().push_back(punctuation(">", token_.at));
        break;
      }
      if (open == 0 && at(",")) {
        parts.emplace_back();
        continue;
      }
    }
    parts.back().push_back(token_);
  }
  advance();
  return parts;
}

void Parser::template_definition(const Name& name, const std::vector<Tokens>& formal, Annotations given) {
  Template made;
  made.scope = scope_;
  for (const Tokens& part : formal) add_parameter(made, part, name);
  made.body = template_body(name);
  Declaration& declaration = make(K::template_module, name, std::move(given));
  if (scopes_.declare(declaration)) templates_.emplace(&declaration, std::move(made));
}

void Parser::add_parameter(Template& made, const Tokens& formal, const Name& module) {
  const bool known = formal.size() >= 2 && formal.front().kind == TokenKind::identifier &&
                     std::ranges::find(parameter_kinds, formal.front().text) != parameter_kinds.end();
  if (!known || formal.back().kind != TokenKind::identifier) {
    error(formal.empty() ? module.at : formal.front().at,
          "a template module's parameter is 'typename T', 'interface T', 'const long N' or the like");
    throw Skip{};
  }
  const Token& called = formal.back();
  const std::string name(called.text);
  if (!called.escaped && is_reserved(name))
    error(called.at, "'" + name + "' is a keyword; a parameter needs another name");
  if (std::ranges::find(made.parameters, name, &Template::Parameter::name) != made.parameters.end())
    error(called.at, "there is a parameter '" + name + "' already");
  made.parameters.push_back({std::string(formal.front().text), name});
}

Parser::Tokens Parser::template_body(const Name& module) {
  Tokens body;
  int open = 0;
  do {
    if (token_.kind == TokenKind::end) fail("'}' is missing: " + module.text + " is not closed");
    if (at("{")) ++open;
    if (at("}")) --open;
    body.push_back(token_);
    advance();
  } while (open > 0);
  if (body.size() == 2) error(body.back().at, "a module has at least one definition");
  return body;
}

const Declaration* Parser::append_in_full(Tokens& whole, const Tokens& given, std::size_t& at) {
  const bool global = given[at].is("::");
  const std::size_t first = at + global;
  const auto name_at = [&](std::size_t index) {
    return Name{std::string(given[index].text), given[index].at};
  };
  Declaration* found = resolve_next(global ? &unit_.root : scope_, name_at(first), !global);
  for (at = first; at + 2 < given.size() && given[at + 1].is("::"); at += 2)
    found = resolve_next(found, name_at(at + 2), false);
  std::vector<const Declaration*> path;
  for (const Declaration* part = found; part->scope; part = part->scope) path.insert(path.begin(), part);
  for (const Declaration* part : path) {
    whole.push_back(punctuation("::", given[first].at));
    Token word = given[first];
    word.text = spelled_.emplace_back(part->name);
    word.escaped = true;
    whole.push_back(word);
  }
  return found;
}

bool Parser::is_name(const Token& token) {
  return token.kind == TokenKind::identifier && (token.escaped || !is_reserved(token.text));
}

// The argument with its names in full, since they are to be looked up from the template too.
Parser::Tokens Parser::argument_in_full(const Tokens& given, const std::string& kind) {
  Tokens whole;
  const Declaration* last = nullptr;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t first = i + given[i].is("::");
    if (first == given.size() || !is_name(given[first])) {
      whole.push_back(given[i]);
    } else if (given[first].text == "CORBA") {  // the types of this module need no declaration
      while (i < given.size() && (given[i].is("::") || given[i].kind == TokenKind::identifier))
        whole.push_back(given[i++]);
      --i;
    } else {
      last = append_in_full(whole, given, i);
    }
  }
  if (whole.empty()) fail("an argument is expected here");
  const Location where = given.front().at;
  if (kind == "const") {
    whole.insert(whole.begin(), punctuation("(", where));
    whole.push_back(punctuation(")", where));
  } else if (kind != "typename" && (!last || !fits(kind, *last))) {
    error(where, "this argument of a template module is not a name of the kind '" + kind + "'");
    throw Skip{};
  }
  return whole;
}

void Parser::template_instance(const Declaration& of, const Name& of_name, const std::vector<Tokens>& actual,
                               Annotations given) {
  const auto found = templates_.find(&of);
  if (found == templates_.end()) {
    error(of_name.at, "'" + of_name.text + "' is " + describe(of.kind) + ", not a template module");
    throw Skip{};
  }
  const Template& from = found->second;
  if (std::ranges::find(instantiated_, &of) != instantiated_.end()) {
    error(of_name.at, "'" + of.name + "' cannot contain an instance of itself");
    throw Skip{};
  }
  if (actual.size() != from.parameters.size()) {
    error(of_name.at, "'" + of.name + "' has " + std::to_string(from.parameters.size()) +
                          (from.parameters.size() == 1 ? " parameter, not " : " parameters, not ") +
                          std::to_string(actual.size()));
    throw Skip{};
  }
  std::vector<Tokens> arguments;
  for (std::size_t i = 0; i < actual.size(); ++i)
    arguments.push_back(argument_in_full(actual[i], from.parameters[i].kind));
  const Name name = identifier("the name of the template module's instance");
  Tokens tokens;
  for (const Token& token : from.body) {
    const auto parameter = token.kind == TokenKind::identifier
                               ? std::ranges::find(from.parameters, token.text, &Template::Parameter::name)
                               : from.parameters.end();
    if (parameter == from.parameters.end()) {
      tokens.push_back(token);
    } else {
      const auto& with = arguments[static_cast<std::size_t>(parameter - from.parameters.begin())];
      tokens.insert(tokens.end(), with.begin(), with.end());
    }
    if (instance_tokens_ + tokens.size() > max_tokens)
      fail("the instances of template modules have over 200000 tokens");
  }
  instance_tokens_ += tokens.size();
  // Code is generated for the file of the instance.
  if (tokens.front().at.file != name.at.file)
    for (Token& token : tokens) token.at = name.at;
  Declaration& module = add(K::module_, name, std::move(given));
  scopes_.look_in_too(module, *from.scope);
  ahead_.insert(ahead_.begin(), token_);
  ahead_.insert(ahead_.begin(), tokens.begin(), tokens.end());
  advance();
  struct Instantiated {
    std::vector<const Declaration*>& all;
    ~Instantiated() { all.pop_back(); }
  } const restore{instantiated_};
  instantiated_.push_back(&of);
  const std::size_t errors = diagnostics_.errors();
  body(module, [this] { definition(); });
  if (diagnostics_.errors() > errors) diagnostics_.note(name.at, "the errors are in this instance");
}

}  // namespace takt::idl
