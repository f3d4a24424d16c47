// Reports to the operator: requests that the server answers with a system exception, and connections that it
// refuses.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <takt/cdr/exception.h>
#include <takt/os/clock.h>

#include "config/reports/warnings.h"

namespace takt::orb {

// The caller gets only the exception's name and codes; its text goes to the log. Each text appears
// once, or again after some time, and only `most` different ones, so that clients cannot fill a disk or slow
// the server by failing. A final line then states that further texts are only counted. After `pause` the next
// text appears with that count, and the table is emptied. Any thread; takes no lock.
class FailureReports {
 public:
  static constexpr std::size_t most = 64;
  static constexpr std::chrono::minutes pause{10};
  using Now = os::TimePoint (*)();

  // `again`: the time after which a text appears once more.
  explicit FailureReports(const Warnings& warnings, Now now = os::Clock::now,
                          std::chrono::nanoseconds again = std::chrono::nanoseconds::max())
      : warnings_(warnings), now_(now), again_(again), emptied_at_(now()) {}
  // Reports how many texts were only counted, if any.
  ~FailureReports();
  FailureReports(const FailureReports&) = delete;
  FailureReports& operator=(const FailureReports&) = delete;
  // Ignores exceptions without a text, and OBJECT_NOT_EXIST, which concerns only the caller.
  void report(std::string_view operation, const CORBA::SystemException& failure);
  void say_once(LogEvent event, const std::string& text);

 private:
  enum class Place : std::uint8_t { added, known, none };

  bool is_new(const std::string& text);
  Place place_of(std::uint64_t hash);
  bool is_silent();
  void empty();
  void say_count();

  const Warnings warnings_;
  const Now now_;
  const std::chrono::nanoseconds again_;
  std::atomic<os::TimePoint> emptied_at_;
  std::array<std::atomic<std::uint64_t>, most> said_{};     // hashes; 0: free
  std::atomic<os::TimePoint> full_since_{os::no_deadline};  // no_deadline: not full
  std::atomic<std::uint64_t> counted_{0};                   // texts that were not reported
};

}  // namespace takt::orb
