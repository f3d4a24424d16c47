#include "schedule/toml.h"

#include <set>
#include <type_traits>
#include <utility>

#include "config/toml_parser.h"
#include "schedulability/model/words.h"

namespace takt::command {
namespace {

using scheduling::Declaration;
using scheduling::DeclaredCall;

using toml_parser::TomlNode;

struct WrongSchedule {
  std::string text;
};

class ScheduleReader {
 public:
  explicit ScheduleReader(const std::string& origin) : origin_(origin) {}

  std::vector<Declaration> read(const toml_parser::Table& root) {
    for (const auto& [key, key_at, node] : root)
      if (key != "operation" && key != "chain" && key != "reservation")
        fail(node, "unknown key '" + key + "'; the keys are 'operation', 'chain' and 'reservation'");
    const TomlNode* operations = toml_parser::find(root, "operation");
    if (operations == nullptr && !root.empty()) return {};
    const auto* all = operations ? operations->as_list() : nullptr;
    if (all == nullptr) throw WrongSchedule{origin_ + ": has no [[operation]]"};
    for (const TomlNode& each : *all) {
      if (each.as_table() == nullptr) fail(each, "an operation is a table: [[operation]]");
      declare(each, *each.as_table());
    }
    return std::move(declarations_);
  }

  scheduling::DeclaredSystem read_system(const toml_parser::Table& root) {
    scheduling::DeclaredSystem all;
    for (const TomlNode* each : tables_of(root, "chain")) {
      read_chain(*each, *each->as_table(), all.chains.emplace_back());
      check_new("chain", all.chains.back().name, *each);
    }
    names_.clear();
    for (const TomlNode* each : tables_of(root, "reservation")) {
      read_reservation(*each, all.reservations.emplace_back());
      check_new("reservation", all.reservations.back().reservation.name, *each);
    }
    return all;
  }

 private:
  // The tables of the root that are called [[key]].
  std::vector<const TomlNode*> tables_of(const toml_parser::Table& root, const std::string& key) const {
    std::vector<const TomlNode*> tables;
    const TomlNode* all = toml_parser::find(root, key);
    if (all == nullptr) return tables;
    if (all->as_list() == nullptr) fail(*all, "a " + key + " is a table: [[" + key + "]]");
    for (const TomlNode& each : *all->as_list()) {
      if (each.as_table() == nullptr) fail(each, "a " + key + " is a table: [[" + key + "]]");
      tables.push_back(&each);
    }
    return tables;
  }

  void check_new(const std::string& kind, const std::string& name, const TomlNode& node) {
    if (name.empty()) fail(node, "a " + kind + " has no name");
    if (!names_.insert(name).second) fail(node, kind + " '" + name + "' is already declared");
  }

  void read_reservation(const TomlNode& node, scheduling::DeclaredReservation& made) const {
    made.where = where(node);
    scheduling::Reservation& reservation = made.reservation;
    for (const auto& [key, key_at, value] : *node.as_table()) {
      if (key == "name")
        reservation.name = text_of(value, "name");
      else if (key == "budget" || key == "period")
        (key == "budget" ? reservation.budget : reservation.period) = time_in(value, key);
      else if (key == "processor")
        reservation.processor = processor_in(value);
      else
        unknown(value, key, "a reservation", "name, budget, period and processor");
    }
  }

  std::int32_t processor_in(const TomlNode& node) const {
    const auto* number = node.as_number();
    if (number == nullptr || *number < 0 || *number > 1'000'000'000)
      fail(node, "'processor' must be a number from 0 to 1000000000");
    return static_cast<std::int32_t>(*number);
  }

  void read_chain(const TomlNode& chain, const toml_parser::Table& table,
                  scheduling::DeclaredChain& made) const {
    made.where = where(chain);
    for (const auto& [key, key_at, node] : table) {
      if (key == "name")
        made.name = text_of(node, "name");
      else if (key == "age" || key == "reaction")
        (key == "age" ? made.age : made.reaction) = limit_in(node, key);
      else if (key == "operations")
        read_steps(node, made);
      else
        unknown(node, key, "a chain", "name, operations, age and reaction");
    }
  }

  scheduling::Time limit_in(const TomlNode& node, const std::string& key) const {
    const auto time = time_in(node, key);
    if (time == scheduling::Time(0))
      fail(node, "'" + key + "' must be longer than 0; leave it out if there is none");
    return time;
  }

  void read_steps(const TomlNode& node, scheduling::DeclaredChain& made) const {
    if (node.as_list() == nullptr) fail(node, "'operations' must be an array");
    for (const TomlNode& each : *node.as_list()) {
      scheduling::DeclaredChain::Step& step = made.steps.emplace_back();
      step.where = where(each);
      if (each.as_table() == nullptr) {
        step.operation = text_of(each, "operations");
        continue;
      }
      for (const auto& [key, key_at, value] : *each.as_table()) {
        if (key == "operation")
          step.operation = text_of(value, "operation");
        else if (key == "delay")
          step.delay = time_in(value, "delay");
        else
          unknown(value, key, "a chain's operation", "operation and delay");
      }
    }
  }

  std::string where(const TomlNode& node) const { return origin_ + ":" + std::to_string(node.at.line); }
  [[noreturn]] void fail(const TomlNode& node, const std::string& text) const {
    throw WrongSchedule{where(node) + ": " + text};
  }
  [[noreturn]] void unknown(const TomlNode& node, std::string_view key, const std::string& owner,
                            const std::string& keys) const {
    fail(node, "unknown key '" + std::string(key) + "' of " + owner + "; its keys are " + keys);
  }
  static std::string operation_keys() {
    std::string keys = "name";
    for (const std::string_view key : scheduling::declaration_keys) keys += ", " + std::string(key);
    for (const std::string_view key : scheduling::system_keys)
      keys += (key == scheduling::system_keys.back() ? " and " : ", ") + std::string(key);
    return keys;
  }

  const std::string& text_of(const TomlNode& node, std::string_view key) const {
    if (const auto* text = node.as_text()) return *text;
    fail(node, "'" + std::string(key) + "' must be a string");
  }

  void declare(const TomlNode& operation, const toml_parser::Table& table) {
    const TomlNode* name = toml_parser::find(table, "name");
    if (name == nullptr) fail(operation, "an operation has no name");
    Declaration& made = declarations_.emplace_back();
    made.name = text_of(*name, "name");
    made.where = where(operation);
    if (!names_.insert(made.name).second) fail(*name, "operation '" + made.name + "' is already registered");
    for (const auto& [key, key_at, node] : table) {
      if (key == "name") continue;
      if (key == "calls")
        read_calls(node, made);
      else if (key == "locks")
        read_locks(node, made);
      else
        read_value(key, node, made);
    }
  }

  void read_value(std::string_view key, const TomlNode& node, Declaration& made) const {
    const std::string quoted = "'" + std::string(key) + "' ";
    if (!scheduling::is_key(key)) unknown(node, key, "an operation", operation_keys());
    std::expected<void, std::string> taken;
    if (const auto* text = node.as_text())
      taken = scheduling::declare(made, key, *text);
    else if (const auto* number = node.as_number())
      taken = scheduling::declare(made, key, *number);
    else
      fail(node, quoted + "must be a string or a whole number");
    if (!taken) fail(node, quoted + taken.error());
  }

  void read_calls(const TomlNode& node, Declaration& made) const {
    if (node.as_list() == nullptr) fail(node, "'calls' must be an array");
    made.note("calls");
    for (const TomlNode& each : *node.as_list()) {
      DeclaredCall& call = made.calls.emplace_back();
      call.where = where(each);
      if (const auto* entry = each.as_table())
        read_call(*entry, call);
      else
        call.operation = text_of(each, "calls");
    }
  }

  void read_call(const toml_parser::Table& entry, DeclaredCall& call) const {
    for (const auto& [key, key_at, node] : entry) {
      if (key == "operation")
        call.operation = text_of(node, "operation");
      else if (key == "times")
        call.times = times_of(node);
      else if (key != "type")
        unknown(node, key, "a call", "operation, times and type");
      else if (const auto place = scheduling::place_of(text_of(node, "type"), scheduling::dependency_names))
        call.type = static_cast<scheduling::DependencyType>(*place);
      else
        fail(node, "'type' must be two way or one way");
    }
  }

  void read_locks(const TomlNode& node, Declaration& made) const {
    if (node.as_list() == nullptr) fail(node, "'locks' must be an array");
    made.note("locks");
    for (const TomlNode& each : *node.as_list()) {
      const auto* entry = each.as_table();
      if (entry == nullptr) fail(each, "a lock is a table, such as { name = \"bus\", held = \"1 ms\" }");
      scheduling::LockUse& lock = made.needs.locks.emplace_back();
      for (const auto& [key, key_at, value] : *entry) {
        if (key == "name")
          lock.name = text_of(value, "name");
        else if (key == "held")
          lock.held = time_in(value, "held");
        else
          unknown(value, key, "a lock", "name and held");
      }
    }
  }

  scheduling::Time time_in(const TomlNode& node, std::string_view key) const {
    const std::string& text = text_of(node, key);
    if (const auto time = scheduling::time_of(text)) return *time;
    fail(node, "'" + std::string(key) + "' must be a time in s, ms, us or ns, such as \"20 ms\", not '" +
                   text + "'");
  }

  std::int64_t times_of(const TomlNode& node) const {
    const auto* number = node.as_number();
    if (number == nullptr || *number < 1 || *number > scheduling::most_calls)
      fail(node, "'times' must be a number from 1 to " + std::to_string(scheduling::most_calls));
    return *number;
  }

  const std::string& origin_;
  std::vector<Declaration> declarations_;
  std::set<std::string> names_;
};

// The result of `read`, a function of the parsed text.
template <class Read>
auto read_with(Read read, std::string_view text, const std::string& origin)
    -> std::expected<std::invoke_result_t<Read, const toml_parser::Table&>, std::string> {
  const auto root = toml_parser::parse(text);
  if (!root) return std::unexpected(root.error().text_in(origin));
  try {
    return read(*root);
  } catch (const WrongSchedule& wrong) {
    return std::unexpected(wrong.text);
  }
}

}  // namespace

std::expected<std::vector<Declaration>, std::string> declarations_in(std::string_view text,
                                                                     const std::string& origin) {
  return read_with([&](const toml_parser::Table& root) { return ScheduleReader(origin).read(root); }, text,
                   origin);
}

std::expected<ScheduleFile, std::string> schedule_in(std::string_view text, const std::string& origin) {
  const auto read = [&](const toml_parser::Table& root) {
    auto declarations = ScheduleReader(origin).read(root);
    return ScheduleFile{std::move(declarations), ScheduleReader(origin).read_system(root)};
  };
  return read_with(read, text, origin);
}

std::expected<scheduling::Repository, std::string> operations_of(std::string_view text,
                                                                 const std::string& origin) {
  const auto file = schedule_in(text, origin);
  if (!file) return std::unexpected(file.error());
  auto all = scheduling::complete({&file->declarations, 1}, file->system);
  if (!all) return std::unexpected(std::move(all.error()));
  return std::move(all->repository);
}

}  // namespace takt::command
