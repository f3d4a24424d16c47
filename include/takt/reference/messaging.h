// Policies of calls: how long they may take, what a oneway waits for, whether they may go elsewhere (module
// Messaging; CORBA 3.0.3, 22.2). For CORBA::PolicyManager, CORBA::PolicyCurrent and
// CORBA::Object::_set_policy_overrides.
#pragma once

#include <cstdint>

#include <takt/cdr/mapping.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>
#include <takt/reference/policy_manager.h>
#include <takt/reference/time_base.h>

namespace CORBA {
class Any;
}

namespace Messaging {

using Priority = std::int16_t;

class PriorityRange {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/Messaging/PriorityRange:1.0", "Messaging::PriorityRange", {"min", "max"}};

  PriorityRange() = default;
  PriorityRange(Priority min, Priority max) : min_(min), max_(max) {}
  void min(Priority value) { min_ = value; }
  Priority min() const { return min_; }
  void max(Priority value) { max_ = value; }
  Priority max() const { return max_; }

  friend bool operator==(const PriorityRange& a, const PriorityRange& b) { return takt::cdr::equal(a, b); }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.min_, self.max_);
  }

 private:
  Priority min_{};
  Priority max_{};
};

}  // namespace Messaging

namespace takt::reference {

struct CallPolicies;

// A policy that clients can set. Immutable.
class ClientPolicy : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  virtual void apply_to(CallPolicies& policies) const = 0;
};

// PolicyError: UNSUPPORTED_POLICY for types that the standard has and this ORB does not, BAD_POLICY for
// unknown ones, BAD_POLICY_TYPE where the value is of another type, BAD_POLICY_VALUE for one out of range.
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

// One that is a value of a type; `Derived` is the class that is to be the policy.
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

using RebindMode = std::int16_t;
inline constexpr RebindMode TRANSPARENT = 0;
inline constexpr RebindMode NO_REBIND = 1;
inline constexpr RebindMode NO_RECONNECT = 2;

using SyncScope = std::int16_t;
inline constexpr SyncScope SYNC_NONE = 0;
inline constexpr SyncScope SYNC_WITH_TRANSPORT = 1;
inline constexpr SyncScope SYNC_WITH_SERVER = 2;
inline constexpr SyncScope SYNC_WITH_TARGET = 3;

inline constexpr CORBA::PolicyType REBIND_POLICY_TYPE = 23;
inline constexpr CORBA::PolicyType SYNC_SCOPE_POLICY_TYPE = 24;
inline constexpr CORBA::PolicyType REQUEST_PRIORITY_POLICY_TYPE = 25;
inline constexpr CORBA::PolicyType REQUEST_START_TIME_POLICY_TYPE = 27;
inline constexpr CORBA::PolicyType REQUEST_END_TIME_POLICY_TYPE = 28;
inline constexpr CORBA::PolicyType REPLY_END_TIME_POLICY_TYPE = 30;
inline constexpr CORBA::PolicyType RELATIVE_REQ_TIMEOUT_POLICY_TYPE = 31;
inline constexpr CORBA::PolicyType RELATIVE_RT_TIMEOUT_POLICY_TYPE = 32;

// TRANSPARENT (the default): the ORB follows forwards and opens connections again. NO_REBIND: a forward is
// REBIND. NO_RECONNECT: also a connection that this thread has lost is, until _validate_connection() opens
// another.
class RebindPolicy final
    : public takt::reference::ClientValuePolicy<RebindPolicy, RebindMode, REBIND_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  RebindMode rebind_mode() const { return value_; }
};

// What a oneway waits for: that the system has it (SYNC_WITH_TRANSPORT, the default), that the server has it,
// or that the target has run it. With SYNC_NONE it waits for nobody: where the system has no room for it, it
// is TRANSIENT.
class SyncScopePolicy final
    : public takt::reference::ClientValuePolicy<SyncScopePolicy, SyncScope, SYNC_SCOPE_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  SyncScope synchronization() const { return value_; }
};

// Where requests wait in a queue of the server's that is ordered by priority (-ORBQueueOrder), this one
// counts as of the range's highest; without the policy, its RT-CORBA priority does. No thread runs at it.
// From 0 on.
class RequestPriorityPolicy final
    : public takt::reference::ClientValuePolicy<RequestPriorityPolicy, PriorityRange,
                                                REQUEST_PRIORITY_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  PriorityRange priority_range() const { return value_; }
};

// From the beginning of a call to its reply: connecting, sending, forwards and waiting, all of it. The server
// learns what is left. Expired: TIMEOUT. In units of 100 ns, more than 0.
class RelativeRoundtripTimeoutPolicy final
    : public takt::reference::ClientValuePolicy<RelativeRoundtripTimeoutPolicy, TimeBase::TimeT,
                                                RELATIVE_RT_TIMEOUT_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::TimeT relative_expiry() const { return value_; }
};

// From the beginning of a call until its upcall starts; the reply may take longer. In units of 100 ns, more
// than 0.
class RelativeRequestTimeoutPolicy final
    : public takt::reference::ClientValuePolicy<RelativeRequestTimeoutPolicy, TimeBase::TimeT,
                                                RELATIVE_REQ_TIMEOUT_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::TimeT relative_expiry() const { return value_; }
};

// The server begins the upcall no sooner. The request is sent at once, and waits at the server, which says
// how long it lets requests wait (-ORBHoldTimeout of a server that is Takt). No part of collocated calls.
class RequestStartTimePolicy final
    : public takt::reference::ClientValuePolicy<RequestStartTimePolicy, TimeBase::UtcT,
                                                REQUEST_START_TIME_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  TimeBase::UtcT start_time() const { return value_; }
};

// The ends of both as moments. What the system's clock says when the policy takes effect counts: a clock that
// is put right later does not move them.
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

using BidirectionalPolicyValue = std::uint16_t;
inline constexpr BidirectionalPolicyValue NORMAL = 0;
inline constexpr BidirectionalPolicyValue BOTH = 1;

inline constexpr CORBA::PolicyType BIDIRECTIONAL_POLICY_TYPE = 37;

// BOTH, for calls: the connection is offered to the server for its calls to our objects. BOTH, of a POA: its
// ORB accepts such offers of its clients, at least those that name only the client's own address (CORBA
// 3.0.3, 15.9).
class BidirectionalPolicy final
    : public takt::reference::ClientValuePolicy<BidirectionalPolicy, BidirectionalPolicyValue,
                                                BIDIRECTIONAL_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  BidirectionalPolicyValue value() const { return value_; }
};

}  // namespace BiDirPolicy

namespace takt {

// The standard has none for it; the number is Takt's own.
inline constexpr CORBA::PolicyType CONNECTION_TIMEOUT_POLICY_TYPE = 0x54414b02;

// For opening a connection, in place of -ORBConnectTimeout. In units of 100 ns, more than 0.
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
// COPY_SHORT (the default): those below 8 KiB; longer ones are sent from where they are. ZERO_COPY: those
// below 1 KiB, so that memory of the connection (borrow_octets.h) is read where it is from there on.
// SINGLE_COPY: all, so that what was passed is the caller's again once the call is over,
// whoever holds what was received. What the transport copies then is its own affair, and so are the copies of
// a oneway that waits in a queue (-ORBClientConnections multiplexed-active).
class BufferPolicy final
    : public reference::ClientValuePolicy<BufferPolicy, BufferCopies, BUFFER_POLICY_TYPE> {
 public:
  using ClientValuePolicy::ClientValuePolicy;
  BufferCopies copies() const { return value_; }
};

}  // namespace takt
