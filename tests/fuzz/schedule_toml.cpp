// Operations in TOML: a valid text is analysed and written, and has the same meaning when read again.
#include "schedule/toml.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "schedule/json.h"
#include "scheduling/output/page.h"
#include "scheduling/output/run_time_table.h"
#include "scheduling/output/table.h"

namespace {

void read_again(std::string_view text) {
  using namespace takt;
  const auto declared = command::declarations_in(text, "input");
  if (!declared) std::abort();
  const auto again = command::declarations_in(scheduling::toml_of(*declared), "output");
  if (!again || again->size() != declared->size()) std::abort();
  for (std::size_t i = 0; i < again->size(); ++i)
    if (scheduling::fingerprint((*again)[i]) != scheduling::fingerprint((*declared)[i])) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  const auto read = command::operations_of({reinterpret_cast<const char*>(data), size}, "input");
  if (!read) {
    if (read.error().empty()) std::abort();
    return 0;
  }
  read_again({reinterpret_cast<const char*>(data), size});
  for (const auto strategy :
       {scheduling::Strategy::rate_monotonic, scheduling::Strategy::maximum_urgency_first,
        scheduling::Strategy::declared_priorities}) {
    const auto analysis = scheduling::analyse(*read, {.strategy = strategy, .share_levels = true});
    if (!analysis) continue;
    (void)command::json_of(*read, *analysis, std::nullopt);
    (void)scheduling::page(*read, *analysis, "input");
    (void)scheduling::run_time_table(read->infos(), *analysis, "input");
  }
  (void)scheduling::priority_table(read->infos(), "input");
  return 0;
}
