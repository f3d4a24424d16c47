#include "scheduling/output/table.h"

#include <algorithm>
#include <vector>

#include "schedulability/model/cpp_keywords.h"
#include "schedulability/model/fingerprint.h"
#include "scheduling/output/cpp_text.h"

namespace takt::scheduling {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_identifier(std::string_view name) {
  const auto fits = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, fits);
}

constexpr std::string_view lookup_of_handle = R"(
// Of the operation with this handle, 1 to the number of operations; of any other, the least urgent of the table.
constexpr Priority priority(std::int32_t handle) {
  const auto place = static_cast<std::uint32_t>(handle) - 1u;
  return place < priorities.size() ? priorities[place] : least;
}

// The handle of an operation, 0 if there is none of this name. Takes a search: ask once.
std::int32_t handle_of(std::string_view entry_point);

// The fingerprint of what the operation declared, for takt::rt::table_mismatch; 0 if there is none of this name.
std::uint64_t declaration_of(std::string_view entry_point);
)";

constexpr std::string_view search = R"(
const Name* find(std::string_view entry_point) {
  const auto found = std::lower_bound(std::begin(names), std::end(names), entry_point,
                                      [](const Name& each, std::string_view wanted) { return each.name < wanted; });
  return found != std::end(names) && found->name == entry_point ? &*found : nullptr;
}

}  // namespace

std::int32_t handle_of(std::string_view entry_point) {
  const Name* const found = find(entry_point);
  return found ? found->handle : 0;
}

std::uint64_t declaration_of(std::string_view entry_point) {
  const Name* const found = find(entry_point);
  return found ? found->declaration : 0;
}
)";

}  // namespace

std::uint64_t fingerprint(std::span<const RtInfo> infos) {
  Fingerprint all;
  for (const RtInfo& info : infos) all.add(info.entry_point);
  return all.number();
}

std::expected<PriorityTable, Fault<TableError>> priority_table(std::span<const RtInfo> infos,
                                                               std::string_view name,
                                                               std::span<const std::uint64_t> declarations) {
  if (is_cpp_keyword(name))
    return std::unexpected(Fault<TableError>{
        TableError::bad_name, std::string(name), static_cast<std::int64_t>(infos.size()),
        "'" + std::string(name) + "' is a keyword of C++, so no namespace can have this name"});
  if (!is_identifier(name) || infos.empty())
    return std::unexpected(Fault<TableError>{
        TableError::bad_name, std::string(name), static_cast<std::int64_t>(infos.size()),
        "a table of " + std::to_string(infos.size()) + " operations in '" + std::string(name) +
            "': it needs operations, and a name that is a C++ identifier"});
  const std::string space(name);
  const auto triple = [](const RtInfo& info) {
    return "{" + std::to_string(info.priority) + ", " + std::to_string(info.subpriority) + ", " +
           std::to_string(info.preemption_priority) + "}";
  };
  const RtInfo& least = *std::ranges::max_element(
      infos, {}, [](const RtInfo& info) { return std::pair(info.preemption_priority, info.subpriority); });
  PriorityTable table;
  table.header =
      "// Priorities of operations. Made by `takt schedule table`; made anew rather than changed.\n"
      "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string_view>\n\nnamespace " +
      space +
      " {\n\nstruct Priority {\n  std::int32_t priority;             // of the operating system\n"
      "  std::int32_t subpriority;          // 0 goes first\n"
      "  std::int32_t preemption_priority;  // the queue; 0 is the most urgent\n};\n\n"
      "// Of the operations' names, in the order of their handles.\n"
      "inline constexpr std::uint64_t fingerprint = " +
      hexadecimal(fingerprint(infos)) + ";\n\ninline constexpr std::array<Priority, " +
      std::to_string(infos.size()) + "> priorities{{\n";
  for (const RtInfo& info : infos)
    table.header += "    " + triple(info) + ",  // " + std::to_string(info.handle) + ": " +
                    comment(info.entry_point) + "\n";
  table.header += "}};\ninline constexpr Priority least" + triple(least) + ";\n" +
                  std::string(lookup_of_handle) + "\n}  // namespace " + space + "\n";

  const auto declaration = [&](const RtInfo& info) {
    const auto place = static_cast<std::size_t>(&info - infos.data());
    return place < declarations.size() ? declarations[place] : 0;
  };
  std::vector<const RtInfo*> sorted;
  for (const RtInfo& info : infos) sorted.push_back(&info);
  std::ranges::sort(sorted, {}, [](const RtInfo* info) { return std::string_view(info->entry_point); });
  table.source = "// Made by `takt schedule table`; made anew rather than changed.\n#include \"" + space +
                 ".h\"\n\n#include <algorithm>\n#include <iterator>\n\nnamespace " + space +
                 " {\nnamespace {\n\nstruct Name {\n  std::string_view name;\n  std::int32_t handle;\n"
                 "  std::uint64_t declaration;\n};\n\n"
                 "constexpr Name names[] = {\n";
  for (const RtInfo* info : sorted)
    table.source += "    {" + literal(info->entry_point) + ", " + std::to_string(info->handle) + ", " +
                    hexadecimal(declaration(*info)) + "},\n";
  table.source += "};\n" + std::string(search) + "\n}  // namespace " + space + "\n";
  return table;
}

}  // namespace takt::scheduling
