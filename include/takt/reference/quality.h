// Quality of service that calls carry besides their arguments: importance, period, class of traffic, and
// remaining time (the papers' RIOP).
//
//   takt::DeadlineScope in_time(std::chrono::milliseconds(20));
// throws TIMEOUT if 20 ms are not enough, whichever server on the way is slow
#pragma once

#include <chrono>
#include <cstdint>

namespace takt {

// Small urgent messages; continuous media; bulk data; messages at a fixed rate.
enum class CommunicationClass : std::uint8_t { message, isochronous, burst, message_stream };

struct Quality {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point no_deadline = Clock::time_point::max();

  std::uint32_t importance = 0;       // defined by the application; higher is more important
  std::chrono::nanoseconds period{};  // 0: not periodic
  CommunicationClass communication = CommunicationClass::message;
  // By this machine's clock. The wire carries the remaining time.
  Clock::time_point deadline = no_deadline;
};

// The quality that the calling thread's calls carry. Within an upcall it is the request's; null if there is
// none. Valid until the scope or the upcall ends.
const Quality* present_quality() noexcept;

// While it exists, the calling thread's calls carry `quality`, with the earlier of its deadline and that of
// an outer scope or upcall. Calls that miss the deadline throw TIMEOUT, and servers do not start them. Lives
// on the stack; scopes end in reverse order. Allocates once per thread, then neither allocates nor locks.
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

// A QualityScope with the current quality and a new deadline.
class DeadlineScope {
 public:
  explicit DeadlineScope(std::chrono::nanoseconds budget) : DeadlineScope(after(budget)) {}
  explicit DeadlineScope(Quality::Clock::time_point deadline) : scope_(by(deadline)) {}

 private:
  // A deadline beyond the clock's range becomes no deadline.
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
