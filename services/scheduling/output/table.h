// Generates a schedule as C++ tables, for lookups at no cost.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "schedulability/model/types.h"

namespace takt::scheduling {

// A hash of the operations' names in the order of their handles, which identifies the set of operations.
std::uint64_t fingerprint(std::span<const RtInfo> infos);

enum class TableError { bad_name };

// The header has a constexpr table by handle, and the source finds handles by name. Both are in namespace
// `name`, which must be an identifier, and need only the C++17 standard library. `infos` is the result of
// compute_scheduling(); `declarations` has their fingerprints by handle, which programs can query.
struct PriorityTable {
  std::string header;  // file NAME.h
  std::string source;
};
std::expected<PriorityTable, Fault<TableError>> priority_table(
    std::span<const RtInfo> infos, std::string_view name, std::span<const std::uint64_t> declarations = {});

}  // namespace takt::scheduling
