#include "sema/schedule.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "schedulability/model/words.h"
#include "sema/scopes.h"

namespace takt::idl {

namespace {

using scheduling::DeclaredCall;
using scheduling::DeclaredValue;
using K = DeclarationKind;

class ScheduleReader {
 public:
  ScheduleReader(const Unit& unit, Diagnostics& diagnostics) : unit_(unit), diagnostics_(diagnostics) {
    for (const Declaration& each : unit.declarations) {
      if (each.kind == K::operation) operations_.emplace(each.scoped_name(), &each);
      if (each.kind == K::interface_) interfaces_.emplace(each.scoped_name(), &each);
    }
  }

  std::vector<scheduling::Declaration> read() {
    for (const Declaration& each : unit_.declarations) {
      if (each.kind == K::operation)
        read_operation(each);
      else
        refuse_elsewhere(each.annotations, describe(each.kind));
      for (const auto& parameter : each.parameters) refuse_elsewhere(parameter.annotations, "a parameter");
    }
    std::vector<scheduling::Declaration> all;
    for (const Declaration& each : unit_.declarations)
      if (const auto made = made_.find(&each); made != made_.end() && each.in_main_file)
        all.push_back(std::move(made->second));
    return all;
  }

 private:
  bool is_ours(const AnnotationUse& use) const {
    return std::ranges::find(scheduling::declaration_keys, use.name) != scheduling::declaration_keys.end() &&
           !unit_.own_annotations.contains(use.name);
  }
  std::string where(Location at) const {
    const std::string file = at.file < unit_.files.size() ? unit_.files[at.file].name : std::string();
    return file + ":" + std::to_string(at.line);
  }
  void error(Location at, std::string text) { diagnostics_.error(at, std::move(text)); }

  void refuse_elsewhere(const std::vector<AnnotationUse>& uses, const char* what) {
    for (const AnnotationUse& use : uses)
      if (is_ours(use) && told_.insert({use.at.file, use.at.line, use.at.column}).second)
        error(use.at, "@" + use.name + " applies to operations, but this is " + what);
  }

  scheduling::Declaration& made_of(const Declaration& operation) {
    auto& made = made_[&operation];
    made.name = operation.scoped_name().substr(2);
    made.where = where(operation.at);
    return made;
  }

  void read_operation(const Declaration& operation) {
    for (const AnnotationUse& use : operation.annotations) {
      if (!is_ours(use)) continue;
      scheduling::Declaration& made = made_of(operation);
      if (use.name == "calls")
        read_call(operation, use, made);
      else if (made.says(use.name))
        error(use.at, "@" + use.name + " is given twice");
      else
        read_value(use, made);
    }
    if (const auto made = made_.find(&operation); made != made_.end())
      check_together(operation, made->second);
  }

  // None for values of types that no key takes.
  static std::optional<DeclaredValue> value_of(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value.is)) return *text;
    if (const auto* number = std::get_if<Int128>(&value.is))
      return static_cast<std::int64_t>(
          std::clamp<Int128>(*number, -1, std::numeric_limits<std::int64_t>::max()));
    if (const auto* enumerator = std::get_if<const takt::idl::Declaration*>(&value.is))
      return std::string_view((*enumerator)->name);
    return std::nullopt;
  }

  void read_value(const AnnotationUse& use, scheduling::Declaration& made) {
    const bool one =
        use.arguments.size() == 1 && (use.arguments[0].first.empty() || use.arguments[0].first == "value");
    if (!one) return error(use.at, "@" + use.name + " takes one value, for example " + example(use.name));
    const Location at = use.argument_places[0];
    const auto value = value_of(use.arguments[0].second);
    if (!value)
      return error(at,
                   "@" + use.name + " takes a string or a whole number, for example " + example(use.name));
    if (const auto taken = scheduling::declare(made, use.name, *value); !taken)
      return error(at, "@" + use.name + " " + taken.error());
    const bool needs_time = (use.name == "period" && made.needs.period == scheduling::Time(0)) ||
                            (use.name == "deadline" && made.needs.deadline == scheduling::Time(0));
    if (needs_time) error(at, "@" + use.name + " must be longer than 0; leave it out if there is none");
  }

  static std::string example(const std::string& key) {
    if (key == "criticality" || key == "importance") return "@" + key + "(high)";
    if (key == "threads" || key == "processor") return "@" + key + "(1)";
    if (key == "calls")
      return "@calls(\"Sensors::read\") or @calls(operation = \"Sensors::read\", times = 2)";
    return "@" + key + "(\"1.5 ms\")";
  }

  static std::optional<scheduling::DependencyType> type_of(std::string_view word) {
    for (const auto type : {scheduling::DependencyType::two_way, scheduling::DependencyType::one_way})
      if (word == scheduling::word_of(type)) return type;
    return std::nullopt;
  }

  // A @calls as far as it has been read.
  struct ReadCall {
    DeclaredCall call;
    std::optional<Location> named;  // the place of the operation's name
    bool has_type = false;
  };

  void read_call(const Declaration& operation, const AnnotationUse& use, scheduling::Declaration& made) {
    ReadCall read;
    read.call.where = where(use.at);
    for (std::size_t i = 0; i < use.arguments.size(); ++i)
      if (const std::string complaint = read_argument(use, i, read); !complaint.empty())
        return error(use.argument_places[i], complaint);
    if (!read.named) return error(use.at, "@calls must name an operation, for example " + example("calls"));
    resolve(operation, read.call, *read.named, read.has_type, made);
  }

  // Returns the complaint about the argument; empty if there is none.
  static std::string read_argument(const AnnotationUse& use, std::size_t index, ReadCall& read) {
    const auto& [name, given] = use.arguments[index];
    const auto value = value_of(given);
    const auto* text = value ? std::get_if<std::string_view>(&*value) : nullptr;
    const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    if (name == "times") {
      if (!number || *number < 1 || *number > scheduling::most_calls)
        return "@calls: times must be a number from 1 to " + std::to_string(scheduling::most_calls);
      read.call.times = *number;
      return {};
    }
    if (name == "type") {
      const auto type = text ? type_of(*text) : std::nullopt;
      if (!type) return "@calls: type must be \"two way\" or \"one way\"";
      read.call.type = *type;
      read.has_type = true;
      return {};
    }
    const bool may_name = name.empty() || name == "operation" || name == "value";
    if (!may_name || !text || read.named) return "write @calls as " + example("calls");
    read.call.operation = *text;
    read.named = use.argument_places[index];
    return {};
  }

  void resolve(const Declaration& operation, DeclaredCall& call, Location at, bool has_type,
               scheduling::Declaration& made) {
    const Declaration* callee = find(operation, call.operation);
    if (!callee && !call.operation.starts_with("::"))
      return error(
          at, "'" + call.operation +
                  "' is not an operation that is declared here; for one of another file, give the full name, "
                  "which begins with ::");
    if (callee == &operation) return error(at, "'" + operation.name + "' calls itself");
    if (callee) {
      if (!has_type && callee->is_oneway) call.type = scheduling::DependencyType::one_way;
      call.operation = made_of(*callee).name;
    } else {
      call.operation.erase(0, 2);
    }
    const auto same = [&](const DeclaredCall& other) {
      return other.operation == call.operation && other.type == call.type;
    };
    if (std::ranges::any_of(made.calls, same))
      return error(at, "'" + call.operation + "' is already in a @calls; give the number of calls there");
    made.note("calls");
    made.calls.push_back(std::move(call));
  }

  // Looks in the scope of `operation`, its bases, and the scopes around it; null if not found.
  const Declaration* find(const Declaration& operation, const std::string& name) const {
    if (name.starts_with("::")) return known(name);
    std::string scope = operation.scoped_name();
    while (!scope.empty()) {
      scope.erase(scope.rfind("::"));
      if (const Declaration* found = known(scope + "::" + name)) return found;
    }
    return nullptr;
  }
  const Declaration* known(const std::string& scoped_name) const {
    if (const auto found = operations_.find(scoped_name); found != operations_.end()) return found->second;
    const std::size_t last = scoped_name.rfind("::");
    const auto interface = interfaces_.find(scoped_name.substr(0, last));
    if (interface == interfaces_.end()) return nullptr;
    for (const Declaration* each : unit_.all_operations(*interface->second))
      if (each->kind == K::operation && each->name == scoped_name.substr(last + 2)) return each;
    return nullptr;
  }

  // Checks what involves several annotations.
  void check_together(const Declaration& operation, const scheduling::Declaration& made) {
    scheduling::Requirements needs = made.needs;
    if (!made.says("wcet"))  // declared in another file, so any time that satisfies the check
      needs.worstcase_execution_time = std::max(needs.typical_execution_time, needs.cached_execution_time);
    scheduling::Repository alone;
    const auto handle = alone.create(made.name);
    if (!handle) return error(operation.at, handle.error().text);
    if (const auto set = alone.set(*handle, needs); !set) error(operation.at, set.error().text);
  }

  const Unit& unit_;
  Diagnostics& diagnostics_;
  std::map<std::string, const Declaration*> operations_, interfaces_;  // by scoped name
  std::map<const Declaration*, scheduling::Declaration> made_;
  std::set<std::array<std::uint32_t, 3>> told_;  // errors already reported: declarators share annotations
};

}  // namespace

std::vector<scheduling::Declaration> scheduled_operations(const Unit& unit, Diagnostics& diagnostics) {
  return ScheduleReader(unit, diagnostics).read();
}

}  // namespace takt::idl
