// Access to the timings of a schedule, and their use by requests.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <takt/base/bytes.h>
#include <takt/server/request_order.h>

#include "threads/scheduling/scheduling.h"

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
  // By how much the request has come too early for its operation's rate; 0 if it conforms. Empty if the
  // operation refuses all requests now. Call once for a request, in order of arrival. `client`: the number of
  // its connection, or 0; `period`: what that declares, or 0. Any thread.
  virtual std::optional<std::chrono::nanoseconds> early_by(
      [[maybe_unused]] const RequestTiming& timing,
      [[maybe_unused]] std::chrono::steady_clock::time_point arrived, [[maybe_unused]] std::uint64_t client,
      [[maybe_unused]] std::chrono::nanoseconds period) noexcept {
    return std::nullopt;
  }
  // How threads run that read requests for other threads, but those of lanes. Empty: as they are.
  virtual std::optional<os::Scheduling> reader_scheduling() const noexcept { return std::nullopt; }
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
      : schedule_(from.schedule_), timing_(std::exchange(from.timing_, nullptr)), early_by_(from.early_by_) {}
  HeldTiming& operator=(HeldTiming&& from) noexcept {
    if (this == &from) return *this;
    reset();
    schedule_ = from.schedule_;
    timing_ = std::exchange(from.timing_, nullptr);
    early_by_ = from.early_by_;
    return *this;
  }
  ~HeldTiming() { reset(); }

  const RequestTiming* get() const { return timing_; }
  // Compares the request's arrival with its operation's rate. Call once, in order of arrival.
  void police(std::chrono::steady_clock::time_point arrived, std::uint64_t client,
              std::chrono::nanoseconds period) noexcept {
    if (timing_) early_by_ = schedule_->early_by(*timing_, arrived, client, period);
  }
  // The result of that.
  std::optional<std::chrono::nanoseconds> early_by() const { return early_by_; }
  void reset() {
    if (timing_) schedule_->done_with(*std::exchange(timing_, nullptr));
  }

 private:
  RequestSchedule* schedule_ = nullptr;
  const RequestTiming* timing_ = nullptr;
  std::optional<std::chrono::nanoseconds> early_by_;
};

}  // namespace takt::server
