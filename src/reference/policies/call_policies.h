// The effective policies of a reference's calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <takt/cdr/encoder.h>

#include "giop/contexts/invocation_policies.h"
#include "reference/policies/protocol_choice.h"

namespace takt::reference {

// Determined when a thread binds to a reference; immutable from then on.
struct CallPolicies {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::nanoseconds unlimited = std::chrono::nanoseconds::max();
  static constexpr Clock::time_point never = Clock::time_point::max();
  // Practically unlimited, yet now + 10 * longest is still representable.
  static constexpr std::chrono::nanoseconds longest = std::chrono::hours(10 * 365 * 24);

  enum class Scope : std::uint8_t { none, transport, server, target };        // Messaging::SyncScope
  enum class Rebind : std::uint8_t { transparent, no_rebind, no_reconnect };  // Messaging::RebindMode

  std::chrono::nanoseconds connect_within{};
  std::chrono::nanoseconds request_within = unlimited;  // from the start of the call
  std::chrono::nanoseconds reply_within = unlimited;
  Clock::time_point request_by = never;
  Clock::time_point reply_by = never;
  std::optional<giop::UtcTime> request_start;  // the server must not start earlier
  Scope scope = Scope::transport;
  Rebind rebind = Rebind::transparent;
  bool private_connection = false;  // affects only binding, not the calls
  std::optional<giop::PriorityRange> request_priority;
  std::shared_ptr<const ProtocolChoices> protocols;  // null: those of the reference, in its order
  bool bidirectional = false;                        // offer the connection for call-backs
  // Minimum size of arguments that are not copied.
  std::size_t borrow_from_bytes = cdr::Encoder::borrow_threshold_bytes;

  // Whether calls have to check any policy.
  bool any() const {
    return request_within != unlimited || reply_within != unlimited || request_by != never ||
           reply_by != never || request_start || scope != Scope::transport || rebind != Rebind::transparent ||
           request_priority || bidirectional || borrow_from_bytes != cdr::Encoder::borrow_threshold_bytes;
  }
  // For a call that begins at `now`.
  Clock::time_point request_deadline(Clock::time_point now) const {
    return std::min(after(now, request_within), request_by);
  }
  Clock::time_point reply_deadline(Clock::time_point now) const {
    return std::min(after(now, reply_within), reply_by);
  }
  static Clock::time_point after(Clock::time_point now, std::chrono::nanoseconds time) {
    return time == unlimited ? never : now + time;
  }
};

}  // namespace takt::reference
