#include "rt/operations/schedule_table.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <set>
#include <tuple>

#include <takt/cdr/operation.h>

#include "rt/repository_path.h"

namespace takt::rt {

namespace {

struct Name {
  std::string interface;  // path from a repository id, with slashes; empty: any
  std::string_view operation;
};

Name parts_of(const ScheduledOperation& operation) {
  const std::string_view whole = operation.name;
  const auto colons = whole.rfind("::");
  if (colons == whole.npos) return {{}, whole};
  Name name{{}, whole.substr(colons + 2)};
  for (std::size_t i = whole.starts_with("::") ? 2 : 0; i < colons; ++i) {
    const bool separates = whole.substr(i, 2) == "::";
    name.interface += separates ? '/' : whole[i];
    i += separates ? 1 : 0;
  }
  return name;
}

bool ends_with_path(std::string_view path, std::string_view end) {
  return path == end ||
         (path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/');
}

// Also true for an empty path.
bool is_path(std::string_view path) {
  return !path.contains(':') && !path.contains("//") && !path.starts_with('/') && !path.ends_with('/');
}

[[noreturn]] void refuse(const ScheduledOperation& operation, const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "schedule: operation '" + operation.name + "' " + why);
}

void require_time(const ScheduledOperation& operation, const char* what, std::chrono::nanoseconds time) {
  constexpr auto most = std::chrono::hours(24 * 365);
  if (time.count() < 0 || time > most)
    refuse(operation, std::string("has a ") + what + " of " + std::to_string(time.count()) +
                          " ns: it takes 0 to a year");
}

constexpr std::uint32_t most_at_once = 1'000'000;
constexpr std::chrono::hours longest_burst{24 * 365 * 100};

void require_name(const ScheduledOperation& operation) {
  const Name name = parts_of(operation);
  if (name.operation.empty() || name.operation.contains(':') || !is_path(name.interface) ||
      (name.interface.empty() && operation.name != name.operation))
    refuse(operation, "has no name of the form Module::Interface::operation");
}

// Checks that an operation declares what its policies need.
void require_policy_inputs(const ScheduledOperation& operation) {
  if (operation.on_overrun != OnOverrun::count && operation.execution.count() == 0)
    refuse(operation, "is to be held to its execution time, which is 0");
  if (operation.on_overrun == OnOverrun::refuse && operation.period.count() == 0)
    refuse(operation, "is to be refused after an overrun until a period is over, which is 0");
  if (operation.on_early.value_or(OnEarly::count) != OnEarly::count && operation.period.count() == 0)
    refuse(operation, "is to be held to its period, which is 0");
}

void require_sense(const ScheduledOperation& operation) {
  require_name(operation);
  if (operation.priority < -1)
    refuse(operation, "has priority " + std::to_string(operation.priority) + ": it takes 0 to 32767, or -1");
  require_time(operation, "period", operation.period);
  require_time(operation, "jitter", operation.jitter);
  require_time(operation, "phase", operation.phase);
  require_time(operation, "deadline", operation.deadline);
  require_time(operation, "execution", operation.execution);
  require_policy_inputs(operation);
  if (operation.burst == 0 || operation.burst > most_at_once)
    refuse(operation, "has a burst of " + std::to_string(operation.burst) + ": it takes 1 to " +
                          std::to_string(most_at_once));
  if (operation.period.count() > 0 && operation.burst > longest_burst / operation.period)
    refuse(operation, "has a burst of " + std::to_string(operation.burst) +
                          " requests, which takes more than a century at its period");
}

}  // namespace

// The operations of one interface. Open addressing, at most half full.
class ScheduleTable::ByName {
 public:
  explicit ByName(const std::vector<std::pair<std::string_view, Operation*>>& all)
      : places_(std::bit_ceil(2 * all.size() + 1)) {
    for (const auto& [name, operation] : all) {
      const std::uint64_t hash = OperationId::hash_of(name);
      std::size_t place = hash & (places_.size() - 1);
      while (places_[place].operation) place = (place + 1) & (places_.size() - 1);
      places_[place] = {hash, name, operation};
    }
  }
  Operation* find(std::string_view name) const {
    const std::uint64_t hash = OperationId::hash_of(name);
    for (std::size_t place = hash & (places_.size() - 1); places_[place].operation;
         place = (place + 1) & (places_.size() - 1))
      if (places_[place].hash == hash && places_[place].name == name) return places_[place].operation;
    return nullptr;
  }

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::string_view name;  // points into a declaration, which is kept
    Operation* operation = nullptr;
  };
  std::vector<Place> places_;
};

ScheduleTable::ScheduleTable(std::vector<ScheduledOperation> operations, OperationRecords& records,
                             InterfaceRows& rows)
    : interfaces_(rows) {
  if (operations.empty()) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "schedule: it has no operations");
  std::set<std::string> names;
  for (ScheduledOperation& operation : operations) {
    require_sense(operation);
    if (!names.insert(operation.name).second) refuse(operation, "comes twice");
    auto record = records.of(operation.name);
    if (!record)
      throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                                "schedule: operation '" + operation.name +
                                    "' is one too many: an ORB counts " +
                                    std::to_string(OperationRecords::most) + " in its life");
    operations_.push_back(std::make_shared<Operation>(std::move(operation), std::move(record)));
    operations_.back()->table = this;
  }
  add(InterfaceRows::any_interface, names_of({}, [](const std::string&) { return false; }));
  for (const InterfaceRows::Interface& each : interfaces_.all())
    add(each.row, names_of(each.repository_id, [&](const std::string& path) -> std::optional<bool> {
          const auto known = each.ancestors.find(path);
          return known == each.ancestors.end() ? std::nullopt : std::optional(known->second);
        }));
}

ScheduleTable::~ScheduleTable() = default;

void ScheduleTable::add(Row row, std::unique_ptr<const ByName> names) {
  if (!names) return;
  std::lock_guard lock(mutex_);
  if (rows_[row].load(std::memory_order_relaxed)) return;
  rows_[row].store(names.get(), std::memory_order_release);
  owned_.push_back(std::move(names));
}

// The best match wins: own operations before inherited ones, longer names before shorter ones. Null if it is
// unknown what the interface inherits.
std::unique_ptr<const ScheduleTable::ByName> ScheduleTable::names_of(std::string_view repository_id,
                                                                     const Inherits& inherits) const {
  using Fit = std::tuple<bool, std::size_t>;
  std::map<std::string_view, std::pair<Fit, Operation*>> best;
  for (const auto& operation : operations_) {
    const Name name = parts_of(operation->declared());
    Fit fit{false, 0};
    if (!name.interface.empty()) {
      const bool own = ends_with_path(path_of(repository_id), name.interface);
      const std::optional<bool> fits = own ? true : inherits(name.interface);
      if (!fits) return nullptr;
      if (!*fits) continue;
      fit = {own, name.interface.size()};
    }
    auto& [fits, found] = best[name.operation];
    if (!found || fits < fit) {
      fits = fit;
      found = operation.get();
    }
  }
  std::vector<std::pair<std::string_view, Operation*>> all;
  for (const auto& [name, entry] : best) all.emplace_back(name, entry.second);
  return std::make_unique<const ByName>(all);
}

ScheduleTable::Row ScheduleTable::meet(PortableServer::Servant& servant) {
  const InterfaceRows::Interface interface = interfaces_.of(servant._repository_id());
  if (interface.row == InterfaceRows::any_interface || knows(interface.row)) return interface.row;
  InterfaceRows::Ancestors answers;
  add(interface.row, names_of(interface.repository_id, [&](const std::string& path) {
        // The application may override _is_a().
        return answers.try_emplace(path, servant._is_a("IDL:" + path + ":1.0")).first->second;
      }));
  interfaces_.remember(interface.repository_id, answers);
  return interface.row;
}

std::shared_ptr<Operation> ScheduleTable::named(std::string_view name) const {
  const auto name_of = [](const auto& each) -> std::string_view { return each->declared().name; };
  const auto found = std::ranges::find(operations_, name, name_of);
  return found == operations_.end() ? nullptr : *found;
}

Operation* ScheduleTable::find(Row row, std::string_view name) const {
  const ByName* const names = rows_[row].load(std::memory_order_acquire);
  return names ? names->find(name) : nullptr;
}

}  // namespace takt::rt
