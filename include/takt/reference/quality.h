// What calls carry beside their arguments: importance, period, kind of traffic, and the time that is left
// (the papers' RIOP).
//
//   takt::DeadlineScope in_time(std::chrono::milliseconds(20));
//   sensor->read();   // TIMEOUT if 20 ms are not enough, whichever server on the way takes too long
#pragma once

#include <chrono>
#include <cstdint>

namespace takt {

// Small messages that are to come soon; continuous media; bulk data; messages at a certain rate.
enum class CommunicationClass : std::uint8_t { message, isochronous, burst, message_stream };

struct Quality {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point no_deadline = Clock::time_point::max();

  std::uint32_t importance = 0;       // the application's; higher is more
  std::chrono::nanoseconds period{};  // 0: not periodic
  CommunicationClass communication = CommunicationClass::message;
  // Of this machine's clock. On the wire it is the time that remains.
  Clock::time_point deadline = no_deadline;
};

// What the calling thread's calls carry: in an upcall, what its request carried; else nothing, which is null.
// Valid until the scope or the upcall that it comes from ends.
const Quality* present_quality() noexcept;

// While it lives, the calling thread's calls carry `quality`, by its deadline or that of an outer scope or
// upcall, whichever comes first. Calls that have not ended by then get TIMEOUT, and servers do not begin
// them. Lives on the stack; scopes end in the opposite order. Allocates once per thread; then neither locks
// nor allocates.
class QualityScope {
 public:
  explicit QualityScope(const Quality& quality);
  ~QualityScope();
  QualityScope(const QualityScope&) = delete;
  QualityScope& operator=(const QualityScope&) = delete;

 private:
  Quality quality_;
  const Quality* const outer_;
};

// The same with what is carried at present, and a deadline.
class DeadlineScope {
 public:
  explicit DeadlineScope(std::chrono::nanoseconds budget) : DeadlineScope(after(budget)) {}
  explicit DeadlineScope(Quality::Clock::time_point deadline) : scope_(by(deadline)) {}

 private:
  // No deadline, where that is beyond the clock's last moment.
  static Quality::Clock::time_point after(std::chrono::nanoseconds budget) {
    const auto now = Quality::Clock::now();
    return budget < Quality::no_deadline - now ? now + budget : Quality::no_deadline;
  }
  static Quality by(Quality::Clock::time_point deadline) {
    const Quality* present = present_quality();
    Quality quality = present ? *present : Quality();
    quality.deadline = deadline;
    return quality;
  }
  QualityScope scope_;
};

}  // namespace takt
