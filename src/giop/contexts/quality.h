// Quality of a request on the wire: the papers' RIOP ([Schmidt 1999], 3.2.1), as a service context of Takt's
// own, which other ORBs ignore.
//
//   struct Quality {                    // an encapsulation: octet 0 is its byte order
//     octet communication_class;        // 0 message, 1 isochronous, 2 burst, 3 message stream
//     short priority;                   // RT-CORBA's; -1: none
//     unsigned long importance;
//     unsigned long long period_ns;     // 0: none
//     unsigned long long remaining_ns;  // until the deadline, at the time of sending; all bits set: no
//     deadline
//     unsigned long long begin_within_ns;  // until its upcall must have begun; left out if it may begin
//     until the deadline
//   };
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "giop/contexts/service_context.h"

namespace takt::giop {

// "TAK" and a number in the last octet; not assigned by the OMG.
inline constexpr std::uint32_t quality_context = 0x54414b03;
// Without and with the last member.
inline constexpr std::size_t quality_context_bytes = 24, long_quality_context_bytes = 32;

struct WireQuality {
  static constexpr std::chrono::nanoseconds no_deadline = std::chrono::nanoseconds::max();

  std::uint8_t communication_class = 0;
  std::int16_t priority = -1;
  std::uint32_t importance = 0;
  std::chrono::nanoseconds period{};
  std::chrono::nanoseconds remaining = no_deadline;
  std::chrono::nanoseconds begin_within = no_deadline;
  bool states_time() const { return remaining != no_deadline || begin_within != no_deadline; }
  friend bool operator==(const WireQuality&, const WireQuality&) = default;
};

// The context's data.
class QualityContextData {
 public:
  QualityContextData() {}  // empty; leaves the array uninitialized
  // Negative times are written as 0.
  explicit QualityContextData(const WireQuality& quality);
  ByteView octets() const { return {data_.data(), size_}; }

 private:
  std::array<std::uint8_t, long_quality_context_bytes> data_;
  std::size_t size_ = 0;
};
// Empty if the data is missing, too short, or has an invalid byte order. Trailing octets are ignored. The
// result is always in range: unknown classes become messages, negative priorities become none, and times of a
// hundred years or more become no period and no deadline.
std::optional<WireQuality> read_quality_context(ByteView data);

}  // namespace takt::giop
