// A file of faults: errors name the file, and what is read keeps the limits.
#include "faults/fault_plan.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::faults;
  const auto plan = read_fault_plan({reinterpret_cast<const char*>(data), size}, "input");
  if (!plan) {
    if (!plan.error().starts_with("input:")) std::abort();
    return 0;
  }
  if (plan->faults.size() > FaultPlan::most_faults) std::abort();
  for (const Fault& fault : plan->faults) {
    const bool is_delay = fault.kind == FaultKind::delay;
    if (!(fault.rate >= 0 && fault.rate <= 1) || fault.octets > Fault::most_octets) std::abort();
    if (fault.up_to > Fault::longest_delay || fault.up_to < fault.time) std::abort();
    if (is_delay != (fault.time.count() > 0)) std::abort();
    (void)fault.applies_to(fault.message, "an_operation");
  }
  return 0;
}
