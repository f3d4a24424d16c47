// What is known of an operation's timing beforehand.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include <takt/base/bytes.h>

namespace takt::connection {

struct RequestTiming {
  std::int16_t priority = -1;            // RT-CORBA's; -1: none
  std::int32_t sub_priority = 0;         // among those of one priority; 0 goes first
  std::chrono::nanoseconds deadline{};   // from its arrival; 0: none
  std::chrono::nanoseconds execution{};  // at most, unless something is wrong; 0: unknown
  bool critical = false;
};

// What a run-time scheduler knows of requests that arrive.
class RequestSchedule {
 public:
  virtual ~RequestSchedule() = default;
  // Null: nothing. It stays valid as long as the ORB. Any thread; does the same work however many operations
  // are known, and locks and allocates in an object's first request only.
  virtual const RequestTiming* timing_of(ByteView object_key, std::string_view operation) noexcept = 0;
};

}  // namespace takt::connection
