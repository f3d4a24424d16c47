#include "cpp/operation_table.h"

#include "cpp/perfect_hash.h"

namespace takt::idl::cpp {

namespace {

std::string hash_initializer(const PerfectHash& hash) {
  const auto array = [](const std::string& elements) {
    return elements.empty() ? "{}" : "{{" + elements + "}}";
  };
  const TablesOfHash tables(hash);
  return array(tables.positions) + ", " + (hash.counts_length ? "true" : "false") + ",\n    " +
         array(tables.values) + ",\n    {" + tables.slots + "}";
}

}  // namespace

std::expected<void, std::string> print_operation_table(Context& context, const std::string& skeleton,
                                                       const std::vector<std::string>& names,
                                                       const std::string& entries) {
  if (names.empty()) return {};
  const auto hash = find_perfect_hash(names);
  if (!hash) return std::unexpected(hash.error());
  const std::string sizes = std::to_string(hash->positions.size()) + ", " +
                            std::to_string(hash->values.size()) + ", " + std::to_string(hash->slots.size());
  context.out.print(R"(constexpr takt::adapter::OperationEntry<$name> operations_of_$name[] = {
$entries};)",
                    {{"name", skeleton}, {"entries", entries}});
  context.out.print("// By gperf: positions, whether the length counts, values of characters, slots.");
  context.out.print("constexpr takt::adapter::PerfectHash<$sizes> hash_of_$name($initializer);",
                    {{"sizes", sizes}, {"name", skeleton}, {"initializer", hash_initializer(*hash)}});
  context.out.print(
      "constexpr takt::adapter::OperationTable table_of_$name(hash_of_$name, operations_of_$name);",
      {{"name", skeleton}});
  return {};
}

}  // namespace takt::idl::cpp
