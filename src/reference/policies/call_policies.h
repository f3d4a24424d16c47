// What policies decide about a reference's calls.
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

// The effective values, found out when a thread binds to a reference. Immutable from then on.
struct CallPolicies {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::nanoseconds unlimited = std::chrono::nanoseconds::max();
  static constexpr Clock::time_point never = Clock::time_point::max();
  // As good as for ever, and ten times that after now is still a time.
  static constexpr std::chrono::nanoseconds longest = std::chrono::hours(10 * 365 * 24);

  enum class Scope : std::uint8_t { none, transport, server, target };        // Messaging::SyncScope
  enum class Rebind : std::uint8_t { transparent, no_rebind, no_reconnect };  // Messaging::RebindMode

  std::chrono::nanoseconds connect_within{};
  std::chrono::nanoseconds request_within = unlimited;  // of a call's beginning
  std::chrono::nanoseconds reply_within = unlimited;
  Clock::time_point request_by = never;
  Clock::time_point reply_by = never;
  std::optional<giop::UtcTime> request_start;  // the server is to wait for it
  Scope scope = Scope::transport;
  Rebind rebind = Rebind::transparent;
  bool private_connection = false;  // matters while a thread binds to a reference, and not to its calls
  std::optional<giop::PriorityRange> request_priority;
  std::shared_ptr<const ProtocolChoices> protocols;  // null: those of the reference, in its order
  bool bidirectional = false;                        // the connection is offered for call-backs
  std::size_t borrow_from_bytes = cdr::Encoder::borrow_threshold_bytes;  // arguments that are not copied

  // Anything that calls must look at.
  bool any() const {
    return request_within != unlimited || reply_within != unlimited || request_by != never ||
           reply_by != never || request_start || scope != Scope::transport || rebind != Rebind::transparent ||
           request_priority || bidirectional || borrow_from_bytes != cdr::Encoder::borrow_threshold_bytes;
  }
  // Of a call that begins `now`.
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
