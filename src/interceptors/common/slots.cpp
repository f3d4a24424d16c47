#include "interceptors/common/slots.h"

#include "base/owned_by_thread.h"

namespace takt::interceptors {

// Serials of ORBs are not used again, so what ends with a thread is little: an entry for each ORB with slots.
Slots& slots_of_thread(std::uint64_t orb) {
  struct OfOrbs {
    std::vector<std::pair<std::uint64_t, Slots>> all;
  };
  auto& all = owned_by_thread<OfOrbs>().all;
  for (auto& [serial, slots] : all)
    if (serial == orb) return slots;
  return all.emplace_back(orb, Slots()).second;
}

}  // namespace takt::interceptors
