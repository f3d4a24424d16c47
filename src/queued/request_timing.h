// Access to the timings of a schedule, and their use by requests.
#pragma once

#include <string_view>
#include <utility>

#include <takt/base/bytes.h>
#include <takt/server/request_order.h>

namespace takt::server {

// Interface for timings of arriving requests.
class RequestSchedule {
 public:
  virtual ~RequestSchedule() = default;
  // The timing of an operation on an object; null: none. The result is valid and unchanged until done_with().
  // Any thread. The cost does not depend on the number of operations. Locks and allocates only for the first
  // request of an object, or of a new schedule.
  virtual const RequestTiming* timing_of(ByteView object_key, std::string_view operation) noexcept = 0;
  // Ends the use of a result of timing_of(). Any thread.
  virtual void done_with(const RequestTiming& timing) noexcept = 0;
};

// The timing of one request, from its arrival to its end.
class HeldTiming {
 public:
  HeldTiming() = default;
  // `timing`: a result of timing_of(); may be null.
  HeldTiming(RequestSchedule& schedule, const RequestTiming* timing)
      : schedule_(&schedule), timing_(timing) {}
  // `schedule`: may be null; then there is no timing.
  HeldTiming(RequestSchedule* schedule, ByteView object_key, std::string_view operation)
      : schedule_(schedule), timing_(schedule ? schedule->timing_of(object_key, operation) : nullptr) {}
  HeldTiming(HeldTiming&& from) noexcept
      : schedule_(from.schedule_), timing_(std::exchange(from.timing_, nullptr)) {}
  HeldTiming& operator=(HeldTiming&& from) noexcept {
    if (this == &from) return *this;
    reset();
    schedule_ = from.schedule_;
    timing_ = std::exchange(from.timing_, nullptr);
    return *this;
  }
  ~HeldTiming() { reset(); }

  const RequestTiming* get() const { return timing_; }
  void reset() {
    if (timing_) schedule_->done_with(*std::exchange(timing_, nullptr));
  }

 private:
  RequestSchedule* schedule_ = nullptr;
  const RequestTiming* timing_ = nullptr;
};

}  // namespace takt::server
