// Made by takt-idl from Messaging.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

#include <takt/standard/CORBA_policiesC.h>

namespace Messaging {

using RebindMode = std::int16_t;
CORBA::typecode_reference _type_code_of_RebindMode();
inline constexpr takt::cdr::TypeCodeConstant _tc_RebindMode{&_type_code_of_RebindMode};
inline constexpr RebindMode TRANSPARENT = 0;
inline constexpr RebindMode NO_REBIND = 1;
inline constexpr RebindMode NO_RECONNECT = 2;
using SyncScope = std::int16_t;
CORBA::typecode_reference _type_code_of_SyncScope();
inline constexpr takt::cdr::TypeCodeConstant _tc_SyncScope{&_type_code_of_SyncScope};
inline constexpr SyncScope SYNC_NONE = 0;
inline constexpr SyncScope SYNC_WITH_TRANSPORT = 1;
inline constexpr SyncScope SYNC_WITH_SERVER = 2;
inline constexpr SyncScope SYNC_WITH_TARGET = 3;
using Priority = std::int16_t;
CORBA::typecode_reference _type_code_of_Priority();
inline constexpr takt::cdr::TypeCodeConstant _tc_Priority{&_type_code_of_Priority};

class PriorityRange {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/Messaging/PriorityRange:1.0", "Messaging::PriorityRange", {"min", "max"}};

  PriorityRange() = default;
  PriorityRange(Priority min, Priority max) : min_(min), max_(max) {}

  void min(Priority value) { min_ = value; }
  Priority min() const { return min_; }
  Priority& min() { return min_; }
  void max(Priority value) { max_ = value; }
  Priority max() const { return max_; }
  Priority& max() { return max_; }

  void swap(PriorityRange& other) { std::swap(*this, other); }
  friend void swap(PriorityRange& a, PriorityRange& b) { a.swap(b); }
  friend bool operator==(const PriorityRange& a, const PriorityRange& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const PriorityRange& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.min_, self.max_);
  }

 private:
  Priority min_{};
  Priority max_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_PriorityRange{&PriorityRange::_type_code};
inline constexpr CORBA::PolicyType REBIND_POLICY_TYPE = 23u;
inline constexpr CORBA::PolicyType SYNC_SCOPE_POLICY_TYPE = 24u;
inline constexpr CORBA::PolicyType REQUEST_PRIORITY_POLICY_TYPE = 25u;
inline constexpr CORBA::PolicyType REQUEST_START_TIME_POLICY_TYPE = 27u;
inline constexpr CORBA::PolicyType REQUEST_END_TIME_POLICY_TYPE = 28u;
inline constexpr CORBA::PolicyType REPLY_END_TIME_POLICY_TYPE = 30u;
inline constexpr CORBA::PolicyType RELATIVE_REQ_TIMEOUT_POLICY_TYPE = 31u;
inline constexpr CORBA::PolicyType RELATIVE_RT_TIMEOUT_POLICY_TYPE = 32u;

}  // namespace Messaging
