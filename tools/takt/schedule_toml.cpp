#include "schedule_toml.h"

#include <algorithm>
#include <set>

#include "orb/config/toml_parser.h"
#include "scheduling/model/words.h"

namespace takt::command {
namespace {

using scheduling::Declaration;
using scheduling::DeclaredCall;

struct Problem {
  std::string text;
};

class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  std::vector<Declaration> read(const toml::table& root) {
    for (const auto& [key, node] : root)
      if (key != "operation")
        fail(node, "unknown key '" + std::string(key.str()) + "'; there is 'operation'");
    const auto* all = root["operation"].as_array();
    if (all == nullptr) throw Problem{origin_ + ": has no [[operation]]"};
    for (const toml::node& each : *all) {
      if (each.as_table() == nullptr) fail(each, "an operation is a table: [[operation]]");
      declare(*each.as_table());
    }
    return std::move(declarations_);
  }

 private:
  std::string where(const toml::node& node) const {
    return origin_ + ":" + std::to_string(node.source().begin.line);
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& text) const {
    throw Problem{where(node) + ": " + text};
  }

  const std::string& text_of(const toml::node& node, std::string_view key) const {
    if (const auto* text = node.as_string()) return text->get();
    fail(node, "'" + std::string(key) + "' is text");
  }

  void declare(const toml::table& table) {
    const toml::node* name = table.get("name");
    if (name == nullptr) fail(table, "an operation has no name");
    Declaration& made = declarations_.emplace_back();
    made.name = text_of(*name, "name");
    made.where = where(table);
    if (!names_.insert(made.name).second) fail(*name, "operation '" + made.name + "' is registered already");
    for (const auto& [key, node] : table) {
      if (key == "name") continue;
      if (key == "calls")
        read_calls(node, made);
      else
        read_value(key.str(), node, made);
    }
  }

  void read_value(std::string_view key, const toml::node& node, Declaration& made) const {
    const std::string quoted = "'" + std::string(key) + "' ";
    if (std::ranges::find(scheduling::declaration_keys, key) == scheduling::declaration_keys.end())
      fail(node, "unknown key " + quoted + "of an operation");
    std::expected<void, std::string> taken;
    if (const auto* text = node.as_string())
      taken = scheduling::declare(made, key, text->get());
    else if (const auto* number = node.as_integer())
      taken = scheduling::declare(made, key, number->get());
    else
      fail(node, quoted + "is text or a whole number");
    if (!taken) fail(node, quoted + taken.error());
  }

  void read_calls(const toml::node& node, Declaration& made) const {
    if (node.as_array() == nullptr) fail(node, "'calls' is a list");
    made.note("calls");
    for (const toml::node& each : *node.as_array()) {
      DeclaredCall& call = made.calls.emplace_back();
      call.where = where(each);
      if (const auto* entry = each.as_table())
        read_call(*entry, call);
      else
        call.operation = text_of(each, "calls");
    }
  }

  void read_call(const toml::table& entry, DeclaredCall& call) const {
    for (const auto& [key, node] : entry) {
      if (key == "operation")
        call.operation = text_of(node, "operation");
      else if (key == "times")
        call.times = times_of(node);
      else if (key != "type")
        fail(node, "unknown key '" + std::string(key.str()) + "' of a call");
      else if (const auto place = scheduling::place_of(text_of(node, "type"), scheduling::dependency_names))
        call.type = static_cast<scheduling::DependencyType>(*place);
      else
        fail(node, "'type' is two way or one way");
    }
  }

  std::int64_t times_of(const toml::node& node) const {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < 1 || number->get() > scheduling::most_calls)
      fail(node, "'times' is a number from 1 to " + std::to_string(scheduling::most_calls));
    return number->get();
  }

  const std::string& origin_;
  std::vector<Declaration> declarations_;
  std::set<std::string> names_;
};

}  // namespace

std::expected<std::vector<Declaration>, std::string> declarations_in(std::string_view text,
                                                                     const std::string& origin) {
  const auto root = toml_parser::parse(text, origin);
  if (!root) return std::unexpected(root.error().text_in(origin));
  try {
    return Reader(origin).read(*root);
  } catch (const Problem& problem) {
    return std::unexpected(problem.text);
  }
}

std::expected<scheduling::Repository, std::string> operations_of(std::string_view text,
                                                                 const std::string& origin) {
  const auto declarations = declarations_in(text, origin);
  if (!declarations) return std::unexpected(declarations.error());
  auto all = scheduling::complete({&*declarations, 1});
  if (!all) return std::unexpected(std::move(all.error()));
  return std::move(all->repository);
}

}  // namespace takt::command
