// A limit of the calls that wait for events.
#pragma once

#include <atomic>
#include <cstdint>

#include <takt/corba.h>

namespace takt::events {

// A call of a pull operation, for as long as it waits.
class WaitingPull {
 public:
  // Throws TRANSIENT with that text if `most` calls wait already. `waiting` counts them.
  WaitingPull(std::atomic<std::uint32_t>& waiting, std::uint32_t most, const char* too_many)
      : waiting_(waiting) {
    if (++waiting_ <= most) return;
    --waiting_;
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, too_many);
  }
  ~WaitingPull() { --waiting_; }
  WaitingPull(const WaitingPull&) = delete;
  WaitingPull& operator=(const WaitingPull&) = delete;

 private:
  std::atomic<std::uint32_t>& waiting_;
};

}  // namespace takt::events
