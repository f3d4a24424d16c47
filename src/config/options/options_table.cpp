#include "config/options_table.h"

#include <algorithm>
#include <iterator>

#include "config/options/adapters.h"
#include "config/options/calling.h"
#include "config/options/connections.h"
#include "config/options/listening.h"
#include "config/options/messages.h"
#include "config/options/serving.h"
#include "config/options/start.h"
#include "config/options/threads.h"
#include "config/options/tls.h"
#include "config/options/upkeep.h"

namespace takt::orb {

namespace {

template <std::size_t... n>
consteval auto joined(const Option (&... tables)[n]) {
  std::array<Option, (n + ...)> all;
  auto* next = all.data();
  ((next = std::ranges::copy(tables, next).out), ...);
  return all;
}

// In the order of the documentation.
constexpr auto all_options =
    joined(table::start_options, table::listening_options, table::serving_options, table::adapter_options,
           table::calling_options, table::connection_options, table::tls_options, table::thread_options,
           table::message_options, table::upkeep_options);

#ifndef __SANITIZE_ADDRESS__  // with it and UBSan, addresses of functions are no constants for g++ 12
static_assert(std::ranges::all_of(all_options,
                                  [](const Option& option) { return fault_of(option).empty(); }));
#endif
static_assert(conflicts_name_options(all_options));

}  // namespace

std::span<const Option> options() { return all_options; }

}  // namespace takt::orb
