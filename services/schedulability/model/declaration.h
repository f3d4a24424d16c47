// Partial declarations of operations from IDL, files and a service, where later ones override earlier ones.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "schedulability/model/repository.h"

namespace takt::scheduling {

// The keys in files; in IDL they are annotations, with an @.
inline constexpr std::array<std::string_view, 14> declaration_keys = {
    "wcet",   "typical",  "cached",      "period",     "quantum", "deadline",  "phase",
    "jitter", "blocking", "criticality", "importance", "threads", "processor", "calls"};

// The keys whose values are times. A time is text with a unit, because a plain number has none.
inline constexpr std::pair<std::string_view, Time Requirements::*> declared_times[] = {
    {"wcet", &Requirements::worstcase_execution_time},
    {"typical", &Requirements::typical_execution_time},
    {"cached", &Requirements::cached_execution_time},
    {"period", &Requirements::period},
    {"quantum", &Requirements::quantum},
    {"deadline", &Requirements::deadline},
    {"phase", &Requirements::phase},
    {"jitter", &Requirements::jitter},
    {"blocking", &Requirements::blocking}};

// Keys that only files have, because they describe the system in which an operation is used.
inline constexpr std::array<std::string_view, 8> system_keys = {
    "transaction", "offset", "locks", "lane", "reservation", "burst", "distance", "priority"};
inline constexpr std::pair<std::string_view, Time Requirements::*> system_times[] = {
    {"offset", &Requirements::offset}, {"distance", &Requirements::distance}};
bool is_key(std::string_view key);  // a key of declaration_keys or system_keys

// A call of an operation by name.
struct DeclaredCall {
  std::string operation;
  std::int64_t times = 1;
  DependencyType type = DependencyType::two_way;
  std::string where;  // "file:line", for errors
};

// Some of an operation's requirements. Those that are not set have the defaults of Requirements.
struct Declaration {
  std::string name;
  std::string where;  // "file:line", for errors
  Requirements needs;
  std::uint32_t said = 0;  // one bit per entry of declaration_keys and system_keys: which are set
  std::vector<DeclaredCall> calls;

  bool says(std::string_view key) const;
  void note(std::string_view key);  // marks the key as set
};

// A chain whose operations are named.
struct DeclaredChain {
  struct Step {
    std::string operation;
    Time delay{0};
    std::string where;
  };
  std::string name;
  std::string where;  // "file:line", for errors
  std::vector<Step> steps;
  Time age{0}, reaction{0};
};

struct DeclaredReservation {
  Reservation reservation;
  std::string where;
};

// The parts of a system other than operations. A later one replaces an earlier one of its name.
struct DeclaredSystem {
  std::vector<DeclaredChain> chains;
  std::vector<DeclaredReservation> reservations;
};

// Text or a whole number.
using DeclaredValue = std::variant<std::string_view, std::int64_t>;

// Sets the value of any key except "calls" and "locks". The error text continues after the key's name: "is a
// time as in
// ...".
std::expected<void, std::string> declare(Declaration& declaration, std::string_view key, DeclaredValue value);

// A hash of all keys and calls, without the priority, which is not a requirement but a decision. Times are
// rounded to the 100 ns of RT_Scheduler, so that operations registered by CORBA have the fingerprint of their
// declaration.
std::uint64_t fingerprint(const Declaration& declaration);
// A time in units of RT_Scheduler, rounded up: larger is safe, except for periods and deadlines.
std::int64_t units_up(Time time);
std::int64_t units_down(Time time);

// Registered operations as declarations; an execution time of 0 counts as not set.
std::vector<Declaration> declarations_of(const Repository& repository, const std::string& where);

struct DeclaredOperations {
  Repository repository;
  std::vector<std::uint64_t> fingerprints;  // by handle; each is of the operation's first declaration
};
// Merges the files: a later file's declaration of an operation overrides earlier ones, key by key. Handles
// follow the order in which operations first appear. The error is readable text with file and line: an
// operation without wcet, an unknown callee, or anything that Repository refuses.
std::expected<DeclaredOperations, std::string> complete(std::span<const std::vector<Declaration>> files,
                                                        const DeclaredSystem& system = {});

// [[operation]] tables with only the keys that are set.
std::string toml_of(std::span<const Declaration> declarations);

}  // namespace takt::scheduling
