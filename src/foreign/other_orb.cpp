#include "foreign/other_orb.h"

#include <atomic>

#include <takt/cdr/exception.h>

namespace takt::orb {

namespace {

constinit std::atomic<const OtherOrb*> taken{nullptr};

}  // namespace

void OtherOrb::throw_wrong_settings(const std::string& text) const {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, text);
}

const OtherOrb* other_orb() { return taken.load(std::memory_order_acquire); }
void set_other_orb(const OtherOrb* other) { taken.store(other, std::memory_order_release); }

}  // namespace takt::orb
