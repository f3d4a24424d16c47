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

// Reads <...>, without the brackets, split at its commas.
std::vector<std::vector<Token>> Parser::bracketed() {
  std::vector<std::vector<Token>> parts(1);
  int open = 0, parentheses = 0;
  for (expect("<");; advance()) {
    if (token_.kind == TokenKind::end || at(";") || at("{")) fail("'>' is expected here");
    if (at("(")) ++parentheses;
    if (at(")")) --parentheses;
    const bool counts = parentheses == 0;
    if (counts && at("<")) ++open;
    if (counts && at(">") && open-- == 0) break;
    if (counts && at(">>")) {
      open -= 2;
      if (open < 0) {  // the second > is the last one
        parts.back().push_back(punctuation(">", token_.at));
        break;
      }
    }
    if (counts && open == 0 && at(","))
      parts.emplace_back();
    else
      parts.back().push_back(token_);
  }
  advance();
  return parts;
}

void Parser::template_definition(const Name& name, const std::vector<std::vector<Token>>& formal,
                                 Annotations given) {
  Template made;
  made.scope = scope_;
  for (const auto& part : formal) {
    const bool known = part.size() >= 2 && part.front().kind == TokenKind::identifier &&
                       std::ranges::find(parameter_kinds, part.front().text) != parameter_kinds.end();
    if (!known || part.back().kind != TokenKind::identifier) {
      error(part.empty() ? name.at : part.front().at,
            "a template module's parameter is 'typename T', 'interface T', 'const long N' or the like");
      throw Skip{};
    }
    const Token& called = part.back();
    if (!called.escaped && is_reserved(called.text))
      error(called.at, "'" + std::string(called.text) + "' is a keyword; a parameter needs another name");
    if (std::ranges::find(made.parameters, called.text, &Template::Parameter::name) != made.parameters.end())
      error(called.at, "there is a parameter '" + std::string(called.text) + "' already");
    made.parameters.push_back({std::string(part.front().text), std::string(called.text)});
  }
  int open = 0;
  do {
    if (token_.kind == TokenKind::end) fail("'}' is missing: " + name.text + " is not closed");
    if (at("{")) ++open;
    if (at("}")) --open;
    made.body.push_back(token_);
    advance();
  } while (open > 0);
  if (made.body.size() == 2) error(made.body.back().at, "a module has at least one definition");
  Declaration& declaration = make(K::template_module, name, std::move(given));
  if (scopes_.declare(declaration)) templates_.emplace(&declaration, std::move(made));
}

// The argument with its names in full, since they are to be looked up from the template too.
std::vector<Token> Parser::argument_in_full(const std::vector<Token>& given, const std::string& kind) {
  std::vector<Token> whole;
  const Declaration* last = nullptr;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool global = given[i].is("::");
    const std::size_t first = i + global;
    const bool is_name = first < given.size() && given[first].kind == TokenKind::identifier &&
                         (given[first].escaped || !is_reserved(given[first].text));
    if (!is_name) {
      whole.push_back(given[i]);
      continue;
    }
    if (given[first].text == "CORBA") {  // the types of this module need no declaration
      while (i < given.size() && (given[i].is("::") || given[i].kind == TokenKind::identifier))
        whole.push_back(given[i++]);
      --i;
      continue;
    }
    const auto name_at = [&](std::size_t at) { return Name{std::string(given[at].text), given[at].at}; };
    last = resolve_next(global ? &unit_.root : scope_, name_at(first), !global);
    for (i = first; i + 2 < given.size() && given[i + 1].is("::"); i += 2)
      last = resolve_next(const_cast<Declaration*>(last), name_at(i + 2), false);
    std::vector<const Declaration*> path;
    for (const Declaration* at = last; at->scope; at = at->scope) path.insert(path.begin(), at);
    for (const Declaration* part : path) {
      whole.push_back(punctuation("::", given[first].at));
      Token word = given[first];
      word.text = spelled_.emplace_back(part->name);
      word.escaped = true;
      whole.push_back(word);
    }
  }
  if (whole.empty()) fail("an argument is expected here");
  if (kind != "typename" && kind != "const" && (!last || !fits(kind, *last))) {
    error(given.front().at, "this argument of a template module is not a name of the kind '" + kind + "'");
    throw Skip{};
  }
  if (kind == "const") {
    whole.insert(whole.begin(), punctuation("(", given.front().at));
    whole.push_back(punctuation(")", given.front().at));
  }
  return whole;
}

void Parser::template_instance(const Declaration& of, const Name& of_name,
                               const std::vector<std::vector<Token>>& actual, Annotations given) {
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
  std::vector<std::vector<Token>> arguments;
  for (std::size_t i = 0; i < actual.size(); ++i)
    arguments.push_back(argument_in_full(actual[i], from.parameters[i].kind));
  const Name name = identifier("the name of the template module's instance");
  std::vector<Token> tokens;
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
