#include "idl/lsp/server.h"

#include <algorithm>
#include <map>
#include <utility>

#include "format/formatter.h"
#include "idl/lsp/messages.h"
#include "idl/lsp/uri.h"
#include "sema/scopes.h"
#include "syntax/parser.h"

namespace takt::command::lsp {
namespace {

// Codes of JSON-RPC and of the protocol.
constexpr int parse_error = -32700, invalid_request = -32600, unknown_method = -32601,
              invalid_parameters = -32602, not_initialized = -32002, request_failed = -32803;

const Json& member(const Json& object, const char* name) {
  static const Json null;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : null;
}

std::string text_in(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

std::uint32_t number_in(const Json& json, std::uint32_t otherwise) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > UINT32_MAX) return otherwise;
  return json.get<std::uint32_t>();
}

Position position_in(const Json& json) {
  return {number_in(member(json, "line"), 0), number_in(member(json, "character"), 0)};
}

bool is_name(const std::string& text) {
  const bool begins = !text.empty() && text.front() != '_' && (text.front() < '0' || text.front() > '9');
  return begins && std::ranges::all_of(text, is_name_character);
}

Json location(const std::filesystem::path& path, const Json& range) {
  return {{"uri", uri_of(path)}, {"range", range}};
}

}  // namespace

int Server::run(std::istream& in) {
  for (auto content = read_message(in); content; content = read_message(in)) {
    const auto message = parsed(*content);
    if (member(message, "method") == "exit") break;
    receive(message);
  }
  return is_shut_down_ ? 0 : 1;
}

void Server::receive(const Json& message) {
  const auto refuse = [&](const Json& id, int code, const std::string& text) {
    write_message(out_, {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
  };
  if (message.is_discarded())
    return refuse(nullptr, parse_error, "the message is not JSON, or nested too deeply");
  const bool is_request = message.is_object() && message.contains("id");
  const Json id = member(message, "id");
  if (is_request && !id.is_string() && !id.is_number_integer() && !id.is_null())
    return refuse(nullptr, invalid_request, "an id is a string or an integer");
  if (!member(message, "method").is_string()) {
    if (!message.is_object() || !is_request) refuse(nullptr, invalid_request, "the message has no method");
    return;  // an answer, which this server never waits for
  }
  const std::string method = message["method"];
  const Json parameters = member(message, "params");
  try {
    require_session(method, is_request);
    if (is_request) return answer(id, method, parameters);
    if (const Notification handler = notification_of(method)) (this->*handler)(parameters);
  } catch (const Error& error) {
    if (is_request) refuse(id, error.code, error.text);
  }
}

void Server::require_session(const std::string& method, bool is_request) const {
  if (!is_initialized_ && method != "initialize") throw Error{not_initialized, "initialize must come first"};
  if (is_shut_down_ && is_request) throw Error{invalid_request, "the session was shut down"};
}

Server::Notification Server::notification_of(const std::string& method) {
  static const std::map<std::string, Notification> all = {{"textDocument/didOpen", &Server::opened},
                                                          {"textDocument/didChange", &Server::changed},
                                                          {"textDocument/didClose", &Server::closed}};
  const auto found = all.find(method);
  return found == all.end() ? nullptr : found->second;
}

Server::Request Server::request_of(const std::string& method) {
  static const std::map<std::string, Request> all = {{"initialize", &Server::initialize},
                                                     {"shutdown", &Server::shut_down},
                                                     {"textDocument/definition", &Server::definition},
                                                     {"textDocument/hover", &Server::hover},
                                                     {"textDocument/completion", &Server::completion},
                                                     {"textDocument/references", &Server::references},
                                                     {"textDocument/prepareRename", &Server::prepare_rename},
                                                     {"textDocument/rename", &Server::rename},
                                                     {"textDocument/formatting", &Server::formatting},
                                                     {"textDocument/documentSymbol", &Server::symbols}};
  const auto found = all.find(method);
  return found == all.end() ? nullptr : found->second;
}

void Server::answer(const Json& id, const std::string& method, const Json& parameters) {
  const Request handler = request_of(method);
  if (!handler) throw Error{unknown_method, method + " is not supported"};
  write_message(out_, {{"jsonrpc", "2.0"}, {"id", id}, {"result", (this->*handler)(parameters)}});
}

Json Server::initialize(const Json& parameters) {
  if (is_initialized_) throw Error{invalid_request, "initialize may come only once"};
  for (const Json& folder : member(parameters, "workspaceFolders"))
    if (const auto path = path_of(text_in(member(folder, "uri")))) workspace_.add_folder(*path);
  if (!member(parameters, "workspaceFolders").is_array())
    if (const auto path = path_of(text_in(member(parameters, "rootUri")))) workspace_.add_folder(*path);
  for (const Json& folder : member(member(parameters, "initializationOptions"), "includeFolders"))
    workspace_.add_include_folder(text_in(folder));
  is_initialized_ = true;
  constexpr int whole_text = 1;
  return {{"capabilities",
           {{"textDocumentSync", {{"openClose", true}, {"change", whole_text}}},
            {"definitionProvider", true},
            {"hoverProvider", true},
            {"completionProvider", {{"triggerCharacters", {":"}}}},
            {"referencesProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"documentFormattingProvider", true},
            {"documentSymbolProvider", true}}},
          {"serverInfo", {{"name", "takt idl lsp"}, {"version", TAKT_VERSION}}}};
}

Json Server::shut_down(const Json&) {
  is_shut_down_ = true;
  return nullptr;
}

std::filesystem::path Server::path_in(const Json& parameters) const {
  const std::string uri = text_in(member(member(parameters, "textDocument"), "uri"));
  const auto path = path_of(uri);
  if (!path) throw Error{invalid_parameters, "'" + uri + "' is no file: URI"};
  std::error_code error;
  auto real = std::filesystem::weakly_canonical(*path, error);
  return error ? *path : real;
}

Document& Server::document_in(const Json& parameters) {
  const auto path = path_in(parameters);
  Document* const document = workspace_.find(path);
  if (!document) throw Error{invalid_parameters, path.string() + " is not open"};
  return *document;
}

std::optional<Occurrence> Server::name_in(const Json& parameters, const Document& document) const {
  return document.analysis->at(position_in(member(parameters, "position")));
}

void Server::publish(const std::filesystem::path& path, const Json& diagnostics) {
  write_message(out_, {{"jsonrpc", "2.0"},
                       {"method", "textDocument/publishDiagnostics"},
                       {"params", {{"uri", uri_of(path)}, {"diagnostics", diagnostics}}}});
}

// Documents that include the changed one get new diagnostics too. They include it as it is on the disk.
void Server::update(const std::filesystem::path& path, std::string text) {
  const Document& document = workspace_.change(path, std::move(text));
  publish(path, diagnostics_of(*document.analysis, uri_of));
  for (const auto& other : workspace_.analyse_again(path))
    publish(other, diagnostics_of(*workspace_.find(other)->analysis, uri_of));
}

void Server::opened(const Json& parameters) {
  update(path_in(parameters), text_in(member(member(parameters, "textDocument"), "text")));
}

void Server::changed(const Json& parameters) {
  document_in(parameters);
  const Json& changes = member(parameters, "contentChanges");
  if (changes.is_array() && !changes.empty())
    update(path_in(parameters), text_in(member(changes.back(), "text")));
}

void Server::closed(const Json& parameters) {
  const auto path = path_in(parameters);
  workspace_.close(path);
  publish(path, Json::array());
}

Json Server::definition(const Json& parameters) {
  const Document& document = document_in(parameters);
  const auto name = name_in(parameters, document);
  if (!name || name->declaration->at.line == 0) return nullptr;
  const auto& at = name->declaration->at;
  const auto path = document.analysis->path_of(at);
  const Text text = workspace_.text_of(path);
  std::size_t length = name->declaration->name.size();
  text.has_name(at.line - 1, at.column - 1, name->declaration->name, length);
  return location(path, range_of(text, at.line - 1, at.column - 1, length));
}

Json Server::hover(const Json& parameters) {
  const Document& document = document_in(parameters);
  const auto name = name_in(parameters, document);
  if (!name) return nullptr;
  return {{"contents",
           {{"kind", "markdown"}, {"value", description_of(document.analysis->unit(), *name->declaration)}}},
          {"range", range_of(document.text(), name->line, name->octet, name->length)}};
}

Json Server::completion(const Json& parameters) {
  const Document& document = document_in(parameters);
  const bool is_usable = !document.analysis->has_errors() || !document.last_good;
  const Analysis& analysis = is_usable ? *document.analysis : *document.last_good;
  return completions_at(analysis, document.text(), position_in(member(parameters, "position")));
}

Json Server::references(const Json& parameters) {
  const Document& document = document_in(parameters);
  const auto name = name_in(parameters, document);
  if (!name) return nullptr;
  const bool with_declarations = member(member(parameters, "context"), "includeDeclaration") != false;
  Json all = Json::array();
  for (const FileUses& file :
       workspace_.uses_of(*name->declaration, document.analysis->path_of(name->declaration->at)))
    for (const Occurrence& use : file.uses)
      if (with_declarations || !use.declares)
        all.push_back(location(file.path, range_of(file.analysis->text(), use.line, use.octet, use.length)));
  return all;
}

Json Server::prepare_rename(const Json& parameters) {
  const Document& document = document_in(parameters);
  const auto name = name_in(parameters, document);
  if (!name) return nullptr;
  return {{"range", range_of(document.text(), name->line, name->octet, name->length)},
          {"placeholder", name->declaration->name}};
}

Json Server::rename(const Json& parameters) {
  const Document& document = document_in(parameters);
  const auto name = name_in(parameters, document);
  if (!name) throw Error{request_failed, "there is no name to change here"};
  const idl::Declaration& declaration = *name->declaration;
  const std::string wanted = text_in(member(parameters, "newName"));
  if (!is_name(wanted)) throw Error{request_failed, "'" + wanted + "' is not an IDL name"};
  for (const std::string word : idl::reserved_words())
    if (idl::folded(wanted) == idl::folded(word))
      throw Error{request_failed, "'" + wanted + "' is a keyword"};
  const auto declared_in = document.analysis->path_of(declaration.at);
  if (!workspace_.has(declared_in))
    throw Error{request_failed, "'" + declaration.name + "' is declared in " + declared_in.string() +
                                    ", which is not in the workspace"};
  if (declaration.scope)
    for (const idl::Declaration& other : document.analysis->unit().declarations)
      if (other.scope && &idl::defined(other) != &declaration &&
          other.scope->scoped_name() == declaration.scope->scoped_name() &&
          idl::folded(other.name) == idl::folded(wanted))
        throw Error{request_failed,
                    "'" + other.name + "' is already declared there, as " + idl::describe(other.kind)};
  Json changes = Json::object();
  for (const FileUses& file : workspace_.uses_of(declaration, declared_in))
    for (const Occurrence& use : file.uses)
      changes[uri_of(file.path)].push_back(
          {{"range", range_of(file.analysis->text(), use.line, use.octet, use.length)}, {"newText", wanted}});
  return {{"changes", changes}};
}

Json Server::formatting(const Json& parameters) {
  const Document& document = document_in(parameters);
  idl::format::Style style;
  style.indent =
      std::clamp<std::uint32_t>(number_in(member(member(parameters, "options"), "tabSize"), 2), 1, 8);
  const auto formatted = idl::format::formatted(document.text().octets(), style);
  if (!formatted)
    throw Error{request_failed,
                "line " + std::to_string(formatted.error().line) + ": " + formatted.error().text};
  if (*formatted == document.text().octets()) return Json::array();
  const std::size_t last = document.text().lines() - 1;
  const Json end = json_of(document.text().position(last, document.text().line(last).size()));
  return Json::array({{{"range", {{"start", json_of(Position{})}, {"end", end}}}, {"newText", *formatted}}});
}

Json Server::symbols(const Json& parameters) { return symbols_of(*document_in(parameters).analysis); }

}  // namespace takt::command::lsp
