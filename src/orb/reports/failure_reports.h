// What a server tells its own people: of requests that it answers with a system exception, and of connections
// that it refuses.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <takt/cdr/exception.h>
#include <takt/os/clock.h>

#include "orb/reports/warnings.h"

namespace takt::orb {

// The caller gets an exception's name and codes, and this says its text on standard error: each text once,
// and `most` of them, so that no client can fill a disk or slow the server by failing. Then it says that
// further ones are counted only. Once `pause` has passed, the next text is said, with how many were not, and
// the `most` texts are forgotten. Any thread; takes no lock.
class FailureReports {
 public:
  static constexpr std::size_t most = 64;
  static constexpr std::chrono::minutes pause{10};
  using Now = os::TimePoint (*)();

  explicit FailureReports(const Warnings& warnings, Now now = os::Clock::now)
      : warnings_(warnings), now_(now) {}
  // Says how many texts were counted only, if any were.
  ~FailureReports();
  FailureReports(const FailureReports&) = delete;
  FailureReports& operator=(const FailureReports&) = delete;
  // Nothing where the exception has no text of its own, and nothing of objects that are not there: that is
  // the callers' affair.
  void report(std::string_view operation, const CORBA::SystemException& failure);
  void say_once(const std::string& text);

 private:
  enum class Place : std::uint8_t { added, known, none };

  bool is_new(const std::string& text);
  Place place_of(std::uint64_t hash);
  bool is_silent();
  void say_count();

  const Warnings warnings_;
  const Now now_;
  std::array<std::atomic<std::uint64_t>, most> said_{};     // by their hashes; 0: free
  std::atomic<os::TimePoint> full_since_{os::no_deadline};  // no_deadline: it is not
  std::atomic<std::uint64_t> counted_{0};                   // and not said
};

}  // namespace takt::orb
