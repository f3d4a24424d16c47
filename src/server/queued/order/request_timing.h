// What is known of an operation's timing beforehand.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <takt/base/bytes.h>

namespace takt::server {

struct RequestTiming {
  static constexpr std::uint32_t no_queue = std::numeric_limits<std::uint32_t>::max();

  std::int16_t priority = -1;            // RT-CORBA's; -1: none
  std::int32_t sub_priority = 0;         // among those of one priority; 0 goes first
  std::chrono::nanoseconds deadline{};   // from its arrival; 0: none
  std::chrono::nanoseconds execution{};  // at most, unless something is wrong; 0: unknown
  bool critical = false;
  std::uint32_t queue = no_queue;  // of the threading framework, where the schedule says which
};

// What a run-time scheduler knows of requests that arrive.
class RequestSchedule {
 public:
  virtual ~RequestSchedule() = default;
  // Null: nothing. Other than that it stays as it is until done_with(). Any thread; does the same work
  // however many operations are known, and locks and allocates only in the first request of an object or for
  // a schedule.
  virtual const RequestTiming* timing_of(ByteView object_key, std::string_view operation) noexcept = 0;
  // Of what timing_of() has given. Any thread.
  virtual void done_with(const RequestTiming& timing) noexcept = 0;
};

// The timing of one request, from its arrival to its end.
class HeldTiming {
 public:
  HeldTiming() = default;
  // What timing_of() has given.
  HeldTiming(RequestSchedule& schedule, const RequestTiming* timing)
      : schedule_(&schedule), timing_(timing) {}
  // Null: nothing is known.
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
