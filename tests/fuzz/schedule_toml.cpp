// Operations in TOML: what can be read is analysed and written.
#include "schedule_toml.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "schedule_json.h"
#include "scheduling/output/page.h"
#include "scheduling/output/table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  const auto read = command::operations_of({reinterpret_cast<const char*>(data), size}, "input");
  if (!read) {
    if (read.error().empty()) std::abort();
    return 0;
  }
  for (const auto strategy :
       {scheduling::Strategy::rate_monotonic, scheduling::Strategy::maximum_urgency_first}) {
    const auto analysis = scheduling::analyse(*read, {.strategy = strategy, .share_levels = true});
    if (!analysis) continue;
    (void)command::json_of(*read, *analysis, std::nullopt);
    (void)scheduling::page(*read, *analysis, "input");
  }
  (void)scheduling::priority_table(read->infos(), "input");
  return 0;
}
