#include "schedule_toml.h"

#include <toml++/toml.h>

#include <array>

#include "scheduling/model/words.h"

namespace takt::command {
namespace {

using scheduling::Requirements;
using scheduling::Time;

struct Problem {
  std::string text;
};

[[noreturn]] void fail(const std::string& origin, const toml::node& node, const std::string& text) {
  throw Problem{origin + ":" + std::to_string(node.source().begin.line) + ": " + text};
}

// Durations are text with a unit; numbers alone would have none.
constexpr std::pair<std::string_view, Time Requirements::*> times[] = {
    {"wcet", &Requirements::worstcase_execution_time},
    {"typical", &Requirements::typical_execution_time},
    {"cached", &Requirements::cached_execution_time},
    {"period", &Requirements::period},
    {"quantum", &Requirements::quantum},
    {"deadline", &Requirements::deadline},
    {"phase", &Requirements::phase},
    {"jitter", &Requirements::jitter},
    {"blocking", &Requirements::blocking}};

class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  scheduling::Repository read(const toml::table& root) {
    for (const auto& [key, node] : root)
      if (key != "operation")
        fail(origin_, node, "unknown key '" + std::string(key.str()) + "'; there is 'operation'");
    const auto* all = root["operation"].as_array();
    if (all == nullptr) throw Problem{origin_ + ": has no [[operation]]"};
    for (const toml::node& each : *all) declare(table_of(each));
    for (const toml::node& each : *all) connect(*each.as_table());
    return std::move(repository_);
  }

 private:
  const toml::table& table_of(const toml::node& node) {
    if (node.as_table() == nullptr) fail(origin_, node, "an operation is a table: [[operation]]");
    return *node.as_table();
  }

  std::string text_of(const toml::node& node, std::string_view key) {
    if (const auto* text = node.as_string()) return text->get();
    fail(origin_, node, "'" + std::string(key) + "' is text");
  }

  std::int32_t number_of(const toml::node& node, std::string_view key) {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < 0 || number->get() > 1'000'000'000)
      fail(origin_, node, "'" + std::string(key) + "' is a number from 0 to 1000000000");
    return static_cast<std::int32_t>(number->get());
  }

  Time time_of(const toml::node& node, std::string_view key) {
    const auto text = text_of(node, key);
    if (const auto time = scheduling::time_of(text)) return *time;
    fail(origin_, node,
         "'" + std::string(key) + "' is a time as in \"20 ms\", of s, ms, us or ns: '" + text + "'");
  }

  template <class Level>
  Level level_of(const toml::node& node, std::string_view key) {
    const auto text = text_of(node, key);
    if (const auto place = scheduling::place_of(text, scheduling::level_names))
      return static_cast<Level>(*place);
    fail(origin_, node,
         "'" + std::string(key) + "' is very low, low, medium, high or very high: '" + text + "'");
  }

  bool set_time(Requirements& wanted, std::string_view key, const toml::node& node) {
    for (const auto& [name, member] : times)
      if (key == name) {
        wanted.*member = time_of(node, key);
        return true;
      }
    return false;
  }

  void declare(const toml::table& table) {
    const toml::node* name = table.get("name");
    if (name == nullptr) fail(origin_, table, "an operation has no name");
    const auto handle = repository_.create(text_of(*name, "name"));
    if (!handle) fail(origin_, *name, handle.error().text);
    Requirements wanted;
    for (const auto& [key, node] : table) {
      if (key == "name" || key == "calls" || set_time(wanted, key.str(), node)) continue;
      if (key == "criticality")
        wanted.criticality = level_of<scheduling::Criticality>(node, key.str());
      else if (key == "importance")
        wanted.importance = level_of<scheduling::Importance>(node, key.str());
      else if (key == "threads")
        wanted.threads = number_of(node, key.str());
      else if (key == "processor")
        wanted.processor = number_of(node, key.str());
      else
        fail(origin_, node, "unknown key '" + std::string(key.str()) + "' of an operation");
    }
    if (table.get("wcet") == nullptr)
      fail(origin_, table,
           "operation '" + name->as_string()->get() + "' has no wcet, its worst-case execution time");
    if (const auto set = repository_.set(*handle, wanted); !set) fail(origin_, table, set.error().text);
  }

  void connect(const toml::table& table) {
    const toml::node* calls = table.get("calls");
    if (calls == nullptr) return;
    const auto handle = repository_.lookup(table["name"].as_string()->get());
    if (calls->as_array() == nullptr) fail(origin_, *calls, "'calls' is a list");
    for (const toml::node& each : *calls->as_array()) {
      scheduling::DependencyInfo call;
      std::string callee;
      if (const auto* entry = each.as_table())
        read_call(*entry, callee, call);
      else
        callee = text_of(each, "calls");
      const auto found = repository_.lookup(callee);
      if (!found) fail(origin_, each, found.error().text);
      const auto added = repository_.add_dependency(*handle, *found, call.number_of_calls, call.type);
      if (!added) fail(origin_, each, added.error().text);
    }
  }

  void read_call(const toml::table& entry, std::string& callee, scheduling::DependencyInfo& call) {
    constexpr std::array<std::string_view, 2> kinds = {"two way", "one way"};
    for (const auto& [key, node] : entry) {
      if (key == "operation")
        callee = text_of(node, "operation");
      else if (key == "times")
        call.number_of_calls = number_of(node, "times");
      else if (key != "type")
        fail(origin_, node, "unknown key '" + std::string(key.str()) + "' of a call");
      else if (const auto place = scheduling::place_of(text_of(node, "type"), kinds))
        call.type = static_cast<scheduling::DependencyType>(*place);
      else
        fail(origin_, node, "'type' is two way or one way");
    }
  }

  const std::string& origin_;
  scheduling::Repository repository_;
};

}  // namespace

std::expected<scheduling::Repository, std::string> operations_of(std::string_view text,
                                                                 const std::string& origin) {
  try {
    return Reader(origin).read(toml::parse(text, origin));
  } catch (const toml::parse_error& error) {
    return std::unexpected(origin + ":" + std::to_string(error.source().begin.line) + ": " +
                           std::string(error.description()));
  } catch (const Problem& problem) {
    return std::unexpected(problem.text);
  }
}

}  // namespace takt::command
