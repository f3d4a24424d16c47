// What the operations of an application need, as its IDL declares it and takt-idl --schedule writes it down.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace takt::rt {

enum class DeclaredLevel : std::uint8_t { very_low, low, medium, high, very_high };

struct DeclaredCall {
  std::string_view operation;
  std::int32_t times = 1;  // each time that the caller runs
  bool one_way = false;    // the caller does not wait
};

// Constants of the program. Zero is what was not declared; docs/user/scheduling.md says what each word means.
struct DeclaredOperation {
  std::string_view name;          // "Module::Interface::operation"
  std::uint64_t fingerprint = 0;  // of all the rest
  std::chrono::nanoseconds wcet{0}, typical{0}, cached{0};
  std::chrono::nanoseconds period{0}, quantum{0}, deadline{0}, phase{0}, jitter{0}, blocking{0};
  DeclaredLevel criticality = DeclaredLevel::medium, importance = DeclaredLevel::medium;
  std::int32_t threads = 0, processor = 0;
  std::span<const DeclaredCall> calls{};
};

// Whether a table of priorities was made of these operations; before an application starts by it. The
// function is the table's declaration_of(). The first operation that the table does not have, or has of
// another declaration, and what to do; nothing if all is well. Allocates; any thread.
inline std::optional<std::string> table_mismatch(std::span<const DeclaredOperation> operations,
                                                 std::uint64_t (*declaration_of)(std::string_view)) {
  for (const DeclaredOperation& each : operations) {
    const std::uint64_t in_table = declaration_of(each.name);
    if (in_table == each.fingerprint) continue;
    return "operation '" + std::string(each.name) + "' " +
           (in_table == 0 ? "is not in the table of priorities"
                          : "declares something else than it did when the table of priorities was made") +
           "; analyse anew and make the table of what is declared: takt schedule table";
  }
  return std::nullopt;
}

}  // namespace takt::rt
