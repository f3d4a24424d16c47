// What is declared of operations before it is complete: by IDL, by files and by a service, one over the
// other.
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

#include "scheduling/model/repository.h"

namespace takt::scheduling {

// The words of files and, with an @ before them, of IDL.
inline constexpr std::array<std::string_view, 14> declaration_keys = {
    "wcet",   "typical",  "cached",      "period",     "quantum", "deadline",  "phase",
    "jitter", "blocking", "criticality", "importance", "threads", "processor", "calls"};

// Those that are times, which are text with a unit; numbers alone would have none.
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

// A call of an operation by name.
struct DeclaredCall {
  std::string operation;
  std::int64_t times = 1;
  DependencyType type = DependencyType::two_way;
  std::string where;  // "file:line", for errors
};

// Some of what an operation needs. What was not said is as in Requirements.
struct Declaration {
  std::string name;
  std::string where;  // "file:line", for errors
  Requirements needs;
  std::uint32_t said = 0;  // a bit for each of declaration_keys
  std::vector<DeclaredCall> calls;

  bool says(std::string_view key) const;
  void note(std::string_view key);  // that it was said
};

// Text or a whole number.
using DeclaredValue = std::variant<std::string_view, std::int64_t>;

// Takes the value of any key but "calls". The error goes on where its name ended: "is a time as in ...".
std::expected<void, std::string> declare(Declaration& declaration, std::string_view key, DeclaredValue value);

// Tells one declaration from another, of all its keys and calls. Times count in the 100 ns of RT_Scheduler,
// so that what has been registered by CORBA has the fingerprint of what was declared.
std::uint64_t fingerprint(const Declaration& declaration);
// A time as RT_Scheduler has it. More is safe except of rates and deadlines, of which less is.
std::int64_t units_up(Time time);
std::int64_t units_down(Time time);

// What was registered, as declarations; an execution time of 0 counts as not said.
std::vector<Declaration> declarations_of(const Repository& repository, const std::string& where);

struct DeclaredOperations {
  Repository repository;
  std::vector<std::uint64_t> fingerprints;  // of each operation as it was declared first, by handle
};
// The files one over the other: what a later one says of an operation replaces, key by key, what earlier ones
// do. Handles are in the order in which operations first appear. The error, with its file and line, is for
// people: of an operation without wcet, an unknown callee, and all that Repository refuses.
std::expected<DeclaredOperations, std::string> complete(std::span<const std::vector<Declaration>> files);

// As [[operation]] tables, with what was said and nothing else.
std::string toml_of(std::span<const Declaration> declarations);

}  // namespace takt::scheduling
