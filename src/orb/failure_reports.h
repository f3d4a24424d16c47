// What a server tells its own people: of requests that it answers with a system exception, and of connections
// that it refuses.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include <takt/cdr/exception.h>

#include "orb/warnings.h"

namespace takt::orb {

// The caller gets an exception's name and codes, and this says its text on standard error: each text once,
// and `most` of them, so that no client can fill a disk or slow the server by failing. Any thread; takes no
// lock.
class FailureReports {
 public:
  static constexpr std::size_t most = 64;

  explicit FailureReports(const Warnings& warnings) : warnings_(warnings) {}
  // Nothing where the exception has no text of its own, and nothing of objects that are not there: that is
  // the callers' affair.
  void report(std::string_view operation, const CORBA::SystemException& failure);
  void say_once(const std::string& text);

 private:
  bool is_new(const std::string& text);

  const Warnings warnings_;
  std::array<std::atomic<std::uint64_t>, most> said_{};  // by their hashes; 0: free
};

}  // namespace takt::orb
