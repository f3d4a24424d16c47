// Service context 7, INVOCATION_POLICIES: a client's Messaging policies that apply on the server (CORBA
// 3.0.3, 22.2 and 13.7).
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

// A time as a TimeBase::TimeT: units of 100 ns since 15 October 1582, UTC. On the wire it is a UtcT, whose
// inaccuracy and time zone are ignored.
using UtcTime = std::uint64_t;

// The policies that servers act on. Others are ignored.
struct InvocationPolicies {
  std::optional<PriorityRange> request_priority = {};  // priority in the request queues
  std::optional<UtcTime> request_start = {};           // earliest start of the upcall
  std::optional<UtcTime> request_end = {};             // latest start of the upcall
  std::optional<UtcTime> reply_end = {};               // when the caller stops waiting for the reply

  bool has_times() const { return request_start || request_end || reply_end; }
  bool any() const { return request_priority || has_times(); }
  friend bool operator==(const InvocationPolicies&, const InvocationPolicies&) = default;
};

// The context's data, with the policies that are set.
class InvocationPoliciesData {
 public:
  InvocationPoliciesData() {}  // empty; leaves the array uninitialized
  explicit InvocationPoliciesData(const InvocationPolicies& policies);
  ByteView octets() const { return ByteView(octets_).first(size_); }

 private:
  static constexpr std::size_t most = 8 + 16 + 3 * (8 + 24);
  std::array<std::uint8_t, most> octets_;
  std::size_t size_ = 0;
};

// The first readable policy of each type. A range with negative or reversed bounds is ignored. Empty if the
// sequence is malformed; then all of it is ignored.
std::optional<InvocationPolicies> read_invocation_policies(ByteView data);

}  // namespace takt::giop
