#include <takt/reference/messaging.h>

#include <chrono>

#include <takt/cdr/any.h>

#include "reference/policies/call_policies.h"
#include "reference/policies/utc_time.h"

const char* CORBA::PolicyError::what() const noexcept {
  switch (reason_) {
    case BAD_POLICY:
      return "CORBA::PolicyError: BAD_POLICY: policies of this type are unknown, or cannot be set here";
    case UNSUPPORTED_POLICY:
      return "CORBA::PolicyError: UNSUPPORTED_POLICY: the ORB has no policies of this standard type";
    case BAD_POLICY_TYPE:
      return "CORBA::PolicyError: BAD_POLICY_TYPE: the value's type is not that of the policy";
    case BAD_POLICY_VALUE:
      return "CORBA::PolicyError: BAD_POLICY_VALUE: the policy cannot have this value";
    case UNSUPPORTED_POLICY_VALUE:
      return "CORBA::PolicyError: UNSUPPORTED_POLICY_VALUE: the ORB does not support this value of the "
             "policy";
    default:
      return _rep_id();
  }
}

namespace takt::reference {

namespace {

using namespace std::chrono;
using TimeBase::TimeT;
using TimeBase::UtcT;

nanoseconds duration_of(TimeT time) {
  constexpr nanoseconds unit(100);
  if (time > static_cast<TimeT>(CallPolicies::longest / unit)) return CallPolicies::unlimited;
  return unit * static_cast<std::int64_t>(time);
}

}  // namespace

void check_policy(CORBA::PolicyType type, std::int16_t value) {
  const std::int16_t highest = type == Messaging::REBIND_POLICY_TYPE ? Messaging::NO_RECONNECT
                               : type == BUFFER_POLICY_TYPE          ? SINGLE_COPY
                                                                     : Messaging::SYNC_WITH_TARGET;
  if (value < 0 || value > highest) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
}

void check_policy(CORBA::PolicyType, std::uint16_t value) {
  if (value > BiDirPolicy::BOTH) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
}

void check_policy(CORBA::PolicyType, TimeT value) {
  if (value == 0) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
}

void check_policy(CORBA::PolicyType, const Messaging::PriorityRange& value) {
  if (value.min() < 0 || value.max() < value.min()) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
}

void apply_policy(CORBA::PolicyType, const Messaging::PriorityRange& value, CallPolicies& policies) {
  policies.request_priority = giop::PriorityRange{value.min(), value.max()};
}

void apply_policy(CORBA::PolicyType type, std::int16_t value, CallPolicies& policies) {
  if (type == Messaging::REBIND_POLICY_TYPE)
    policies.rebind = static_cast<CallPolicies::Rebind>(value);
  else if (type == BUFFER_POLICY_TYPE)
    policies.borrow_from_bytes = value == ZERO_COPY     ? cdr::Encoder::least_borrowed_bytes
                                 : value == SINGLE_COPY ? SIZE_MAX
                                                        : cdr::Encoder::borrow_threshold_bytes;
  else
    policies.scope = static_cast<CallPolicies::Scope>(value);
}

void apply_policy(CORBA::PolicyType, std::uint16_t value, CallPolicies& policies) {
  policies.bidirectional = value == BiDirPolicy::BOTH;
}

void apply_policy(CORBA::PolicyType type, TimeT value, CallPolicies& policies) {
  const nanoseconds time = duration_of(value);
  if (type == Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE)
    policies.reply_within = time;
  else if (type == Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE)
    policies.request_within = time;
  else
    policies.connect_within = time;
}

void apply_policy(CORBA::PolicyType type, const UtcT& value, CallPolicies& policies) {
  if (type == Messaging::REQUEST_START_TIME_POLICY_TYPE)
    policies.request_start = value.time();
  else
    (type == Messaging::REQUEST_END_TIME_POLICY_TYPE ? policies.request_by : policies.reply_by) =
        moment_of(value.time());
}

namespace {

template <class Policy, class Value>
CORBA::object_reference<CORBA::Policy> make(const CORBA::Any& any) {
  Value value{};
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  return CORBA::make_reference<Policy>(value);
}

// Policy types of CORBA 3.0.3, RT-CORBA 1.0 and fault-tolerant CORBA.
bool is_standard(CORBA::PolicyType type) { return (type >= 16 && type <= 49) || type == 100; }

}  // namespace

CORBA::object_reference<CORBA::Policy> make_client_policy(CORBA::PolicyType type, const CORBA::Any& value) {
  switch (type) {
    case Messaging::REBIND_POLICY_TYPE:
      return make<Messaging::RebindPolicy, Messaging::RebindMode>(value);
    case Messaging::SYNC_SCOPE_POLICY_TYPE:
      return make<Messaging::SyncScopePolicy, Messaging::SyncScope>(value);
    case Messaging::REQUEST_PRIORITY_POLICY_TYPE:
      return make<Messaging::RequestPriorityPolicy, Messaging::PriorityRange>(value);
    case Messaging::REQUEST_START_TIME_POLICY_TYPE:
      return make<Messaging::RequestStartTimePolicy, UtcT>(value);
    case Messaging::REQUEST_END_TIME_POLICY_TYPE:
      return make<Messaging::RequestEndTimePolicy, UtcT>(value);
    case Messaging::REPLY_END_TIME_POLICY_TYPE:
      return make<Messaging::ReplyEndTimePolicy, UtcT>(value);
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
      return make<Messaging::RelativeRequestTimeoutPolicy, TimeT>(value);
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
      return make<Messaging::RelativeRoundtripTimeoutPolicy, TimeT>(value);
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE:
      return make<BiDirPolicy::BidirectionalPolicy, BiDirPolicy::BidirectionalPolicyValue>(value);
    case BUFFER_POLICY_TYPE:
      return make<BufferPolicy, BufferCopies>(value);
    case CONNECTION_TIMEOUT_POLICY_TYPE:
      return make<ConnectionTimeoutPolicy, TimeT>(value);
    default:
      throw CORBA::PolicyError(is_standard(type) ? CORBA::UNSUPPORTED_POLICY : CORBA::BAD_POLICY);
  }
}

}  // namespace takt::reference
