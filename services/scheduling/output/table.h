// A schedule as C++, for a look-up that costs nothing.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "scheduling/model/types.h"

namespace takt::scheduling {

// What tells one set of operations from another: their names in the order of their handles.
std::uint64_t fingerprint(std::span<const RtInfo> infos);

enum class TableError { bad_name };

// The header has a constexpr table by handle, the source finds handles by name; both in the namespace `name`,
// which is an identifier. They need nothing but the standard library, from C++17 on. `infos` is what
// compute_scheduling() gives; `declarations` are their fingerprints, by handle too, of which the program can
// ask.
struct PriorityTable {
  std::string header;  // to be called NAME.h
  std::string source;
};
std::expected<PriorityTable, Fault<TableError>> priority_table(
    std::span<const RtInfo> infos, std::string_view name, std::span<const std::uint64_t> declarations = {});

}  // namespace takt::scheduling
