// Call policies: timeouts, synchronisation of oneways, and rebinding (module Messaging; CORBA 3.0.3, 22.2).
// For CORBA::PolicyManager, CORBA::PolicyCurrent and CORBA::Object::_set_policy_overrides.
#pragma once

#include <cstdint>

#include <takt/cdr/mapping.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>
#include <takt/reference/policy_manager.h>
#include <takt/standard/BiDirPolicyC.h>
#include <takt/standard/MessagingC.h>
#include <takt/standard/TimeBaseC.h>

namespace CORBA {
class Any;
}

namespace takt::reference {

struct CallPolicies;

// A policy that clients can set. Immutable.
class ClientPolicy : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  virtual void apply_to(CallPolicies& policies) const = 0;
};

// Throws PolicyError: UNSUPPORTED_POLICY for standard types that this ORB lacks, BAD_POLICY for unknown
// types, BAD_POLICY_TYPE for a value of the wrong type, BAD_POLICY_VALUE for one out of range.
CORBA::object_reference<CORBA::Policy> make_client_policy(CORBA::PolicyType type, const CORBA::Any& value);

// Throw PolicyError (BAD_POLICY_VALUE).
void check_policy(CORBA::PolicyType type, std::int16_t value);
void check_policy(CORBA::PolicyType type, std::uint16_t value);
void check_policy(CORBA::PolicyType type, TimeBase::TimeT value);
void check_policy(CORBA::PolicyType type, const Messaging::PriorityRange& value);
inline void check_policy(CORBA::PolicyType, const TimeBase::UtcT&) {}
void apply_policy(CORBA::PolicyType type, std::int16_t value, CallPolicies& policies);
void apply_policy(CORBA::PolicyType type, std::uint16_t value, CallPolicies& policies);
void apply_policy(CORBA::PolicyType type, TimeBase::TimeT value, CallPolicies& policies);
void apply_policy(CORBA::PolicyType type, const Messaging::PriorityRange& value, CallPolicies& policies);
void apply_policy(CORBA::PolicyType type, const TimeBase::UtcT& value, CallPolicies& policies);

// A policy with a single value. `Derived` is the policy's class.
template <class Derived, class Value, CORBA::PolicyType Type>
class ClientValuePolicy : public ClientPolicy {
 public:
  using _ref_type = CORBA::object_reference<Derived>;
  // Throws PolicyError (BAD_POLICY_VALUE).
  explicit ClientValuePolicy(Value value) : value_(value) { check_policy(Type, value); }
  CORBA::PolicyType policy_type() override { return Type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return CORBA::make_reference<Derived>(value_); }
  void apply_to(CallPolicies& policies) const override { apply_policy(Type, value_, policies); }

 protected:
  const Value value_;
};

}  // namespace takt::reference

namespace Messaging {

// TRANSPARENT (default): the ORB follows forwards and reopens connections. NO_REBIND: a forward throws
// REBIND. NO_RECONNECT: in addition, a lost connection of this thread throws REBIND until
// _validate_connection() opens a new one.
class RebindPolicy final
    : public takt::reference::ClientValuePolicy<RebindPolicy, RebindMode, REBIND_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  RebindMode rebind_mode() const { return value_; }
};

// A oneway waits until the system has accepted it (SYNC_WITH_TRANSPORT, the default), until the server has
// it, or until the target has executed it. SYNC_NONE does not wait; without room to send, it throws
// TRANSIENT.
class SyncScopePolicy final
    : public takt::reference::ClientValuePolicy<SyncScopePolicy, SyncScope, SYNC_SCOPE_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  SyncScope synchronization() const { return value_; }
};

// Queue position in a server that orders its queue by priority (-ORBQueueOrder). The range's maximum counts;
// without the policy, the request's RT-CORBA priority counts. Does not change any thread's priority.
// Priorities start at 0.
class RequestPriorityPolicy final
    : public takt::reference::ClientValuePolicy<RequestPriorityPolicy, PriorityRange,
                                                REQUEST_PRIORITY_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  PriorityRange priority_range() const { return value_; }
};

// Time limit of a whole call, from its start to its reply, connecting and forwards included. The server is
// told the remaining time. Throws TIMEOUT. In units of 100 ns, more than 0.
class RelativeRoundtripTimeoutPolicy final
    : public takt::reference::ClientValuePolicy<RelativeRoundtripTimeoutPolicy, TimeBase::TimeT,
                                                RELATIVE_RT_TIMEOUT_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::TimeT relative_expiry() const { return value_; }
};

// Time limit from the start of a call to the start of its upcall; the reply may take longer. In units of 100
// ns, more than 0.
class RelativeRequestTimeoutPolicy final
    : public takt::reference::ClientValuePolicy<RelativeRequestTimeoutPolicy, TimeBase::TimeT,
                                                RELATIVE_REQ_TIMEOUT_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::TimeT relative_expiry() const { return value_; }
};

// Earliest start of the upcall. The request is sent at once and waits at the server, which limits the waiting
// time (-ORBHoldTimeout if the server is Takt). Does not apply to collocated calls.
class RequestStartTimePolicy final
    : public takt::reference::ClientValuePolicy<RequestStartTimePolicy, TimeBase::UtcT,
                                                REQUEST_START_TIME_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::UtcT start_time() const { return value_; }
};

// The absolute forms of these limits. They are converted when the policy takes effect, so later corrections
// of the system clock do not move them.
class RequestEndTimePolicy final
    : public takt::reference::ClientValuePolicy<RequestEndTimePolicy, TimeBase::UtcT,
                                                REQUEST_END_TIME_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::UtcT end_time() const { return value_; }
};

class ReplyEndTimePolicy final : public takt::reference::ClientValuePolicy<ReplyEndTimePolicy, TimeBase::UtcT,
                                                                           REPLY_END_TIME_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::UtcT end_time() const { return value_; }
};

}  // namespace Messaging

namespace BiDirPolicy {

// For calls, BOTH offers the connection to the server for calls to this process's objects. For a POA, BOTH
// makes its ORB accept such offers from clients, at least those that name only the client's own address
// (CORBA 3.0.3, 15.9).
class BidirectionalPolicy final
    : public takt::reference::ClientValuePolicy<BidirectionalPolicy, BidirectionalPolicyValue,
                                                BIDIRECTIONAL_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  BidirectionalPolicyValue value() const { return value_; }
};

}  // namespace BiDirPolicy

namespace takt {

// The standard has no such policy type; the number is Takt's own.
inline constexpr CORBA::PolicyType CONNECTION_TIMEOUT_POLICY_TYPE = 0x54414b02;

// Time limit for opening a connection, instead of -ORBConnectTimeout. In units of 100 ns, more than 0.
class ConnectionTimeoutPolicy final
    : public reference::ClientValuePolicy<ConnectionTimeoutPolicy, TimeBase::TimeT,
                                          CONNECTION_TIMEOUT_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::TimeT relative_expiry() const { return value_; }
};

inline constexpr CORBA::PolicyType BUFFER_POLICY_TYPE = 0x54414b0b;

using BufferCopies = std::int16_t;
inline constexpr BufferCopies COPY_SHORT = 0;
inline constexpr BufferCopies ZERO_COPY = 1;
inline constexpr BufferCopies SINGLE_COPY = 2;

// Which sequences of octets and numbers a request copies into the ORB's buffer.
// COPY_SHORT (the default) copies those below 8 KiB and sends longer ones in place. ZERO_COPY copies those
// below 1 KiB, so that memory lent by the connection (borrow_octets.h) is read in place. SINGLE_COPY copies
// all, so that the caller may reuse the arguments after the call even if the receiver still holds them.
// Copies made by the transport, or by the queue of -ORBClientConnections multiplexed-active, do not count.
class BufferPolicy final
    : public reference::ClientValuePolicy<BufferPolicy, BufferCopies, BUFFER_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  BufferCopies copies() const { return value_; }
};

}  // namespace takt
