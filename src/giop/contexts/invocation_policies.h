// Service context 7, INVOCATION_POLICIES: what a client's Messaging policies ask of the server (CORBA 3.0.3,
// 22.2 and 13.7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "giop/contexts/priorities.h"
#include "giop/contexts/service_context.h"

namespace takt::giop {

struct PriorityRange {
  Priority min = 0;
  Priority max = 0;
  friend bool operator==(const PriorityRange&, const PriorityRange&) = default;
};

// A moment as TimeBase::TimeT has it: units of 100 ns since 15 October 1582, UTC. On the wire it is a UtcT,
// whose inaccuracy and time zone are passed over.
using UtcTime = std::uint64_t;

// The policies that servers act on; others are passed over.
struct InvocationPolicies {
  std::optional<PriorityRange> request_priority = {};  // where the request waits in queues
  std::optional<UtcTime> request_start = {};           // its upcall does not begin before
  std::optional<UtcTime> request_end = {};             // nor after
  std::optional<UtcTime> reply_end = {};               // nobody waits for its reply any more

  bool has_times() const { return request_start || request_end || reply_end; }
  bool any() const { return request_priority || has_times(); }
  friend bool operator==(const InvocationPolicies&, const InvocationPolicies&) = default;
};

// The context's data, of those policies that there are.
class InvocationPoliciesData {
 public:
  InvocationPoliciesData() {}  // of no octets, and nothing is cleared
  explicit InvocationPoliciesData(const InvocationPolicies& policies);
  ByteView octets() const { return ByteView(octets_).first(size_); }

 private:
  static constexpr std::size_t most = 8 + 16 + 3 * (8 + 24);
  std::array<std::uint8_t, most> octets_;
  std::size_t size_ = 0;
};

// The first of each type that can be read. A range below zero or upside down is none. Nothing: the sequence
// cannot be read to its end, so that none of it counts.
std::optional<InvocationPolicies> read_invocation_policies(ByteView data);

}  // namespace takt::giop
