#include "config/others/other_orb.h"

#include <atomic>

namespace takt::orb {

namespace {

constinit std::atomic<const OtherOrb*> taken{nullptr};

}  // namespace

const OtherOrb* other_orb() { return taken.load(std::memory_order_acquire); }
void set_other_orb(const OtherOrb* other) { taken.store(other, std::memory_order_release); }

}  // namespace takt::orb
