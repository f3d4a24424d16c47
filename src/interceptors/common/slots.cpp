#include "interceptors/common/slots.h"

#include <cstddef>

#include "base/owned_by_thread.h"
#include "reference/context/thread_context.h"

namespace takt::interceptors {

namespace {

using reference::ThreadContext;

// Serials of ORBs are not used again, so what ends with a thread is little: an entry for each ORB with slots.
class SlotsOfOrbs final : public reference::ThreadSlots {
 public:
  SlotsOfOrbs() { ThreadContext::mine().use_slots(this); }
  ~SlotsOfOrbs() { ThreadContext::mine().use_slots(nullptr); }
  SlotsOfOrbs(const SlotsOfOrbs&) = delete;
  SlotsOfOrbs& operator=(const SlotsOfOrbs&) = delete;

  // Null if the thread has not used any of that ORB.
  Slots* find(std::uint64_t orb) {
    for (auto& [serial, slots] : all_)
      if (serial == orb) return &slots;
    return nullptr;
  }
  Slots& add(std::uint64_t orb) { return all_.emplace_back(orb, Slots()).second; }
  // The values' destructors may use slots.
  void clear() noexcept override {
    for (std::size_t i = 0; i < all_.size(); ++i) const Slots ended = std::exchange(all_[i].second, {});
  }

 private:
  std::vector<std::pair<std::uint64_t, Slots>> all_;
};

// Null if the calling thread has not used any of that ORB.
Slots* find_slots(std::uint64_t orb) {
  auto* const all = static_cast<SlotsOfOrbs*>(ThreadContext::mine().slots());
  return all ? all->find(orb) : nullptr;
}

}  // namespace

Slots& slots_of_thread(std::uint64_t orb) {
  SlotsOfOrbs& all = owned_by_thread<SlotsOfOrbs>();
  Slots* const found = all.find(orb);
  return found ? *found : all.add(orb);
}

SlotsEmptied::SlotsEmptied(std::uint64_t orb) noexcept : orb_(orb) {
  if (Slots* const slots = find_slots(orb)) before_ = std::exchange(*slots, {});
}

SlotsEmptied::~SlotsEmptied() {
  if (Slots* const slots = find_slots(orb_)) const Slots ended = std::exchange(*slots, std::move(before_));
}

}  // namespace takt::interceptors
