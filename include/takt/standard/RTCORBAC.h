// Made by takt-idl from RTCORBA.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

#include <takt/standard/CORBA_policiesC.h>

namespace RTCORBA {

using NativePriority = std::int16_t;
CORBA::typecode_reference _type_code_of_NativePriority();
inline constexpr takt::cdr::TypeCodeConstant _tc_NativePriority{&_type_code_of_NativePriority};
using Priority = std::int16_t;
CORBA::typecode_reference _type_code_of_Priority();
inline constexpr takt::cdr::TypeCodeConstant _tc_Priority{&_type_code_of_Priority};
inline constexpr Priority minPriority = 0;
inline constexpr Priority maxPriority = 32767;

enum class PriorityModel : std::uint32_t { CLIENT_PROPAGATED, SERVER_DECLARED };
template <class Out>
Out& operator<<(Out& out, PriorityModel value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_PriorityModel();
inline constexpr takt::cdr::TypeCodeConstant _tc_PriorityModel{&_type_code_of_PriorityModel};
using ThreadpoolId = std::uint32_t;
CORBA::typecode_reference _type_code_of_ThreadpoolId();
inline constexpr takt::cdr::TypeCodeConstant _tc_ThreadpoolId{&_type_code_of_ThreadpoolId};

class ThreadpoolLane {
 public:
  static constexpr takt::cdr::Description<3> _description{
      "IDL:omg.org/RTCORBA/ThreadpoolLane:1.0",
      "RTCORBA::ThreadpoolLane",
      {"lane_priority", "static_threads", "dynamic_threads"}};

  ThreadpoolLane() = default;
  ThreadpoolLane(Priority lane_priority, std::uint32_t static_threads, std::uint32_t dynamic_threads)
      : lane_priority_(lane_priority), static_threads_(static_threads), dynamic_threads_(dynamic_threads) {}

  void lane_priority(Priority value) { lane_priority_ = value; }
  Priority lane_priority() const { return lane_priority_; }
  Priority& lane_priority() { return lane_priority_; }
  void static_threads(std::uint32_t value) { static_threads_ = value; }
  std::uint32_t static_threads() const { return static_threads_; }
  std::uint32_t& static_threads() { return static_threads_; }
  void dynamic_threads(std::uint32_t value) { dynamic_threads_ = value; }
  std::uint32_t dynamic_threads() const { return dynamic_threads_; }
  std::uint32_t& dynamic_threads() { return dynamic_threads_; }

  void swap(ThreadpoolLane& other) { std::swap(*this, other); }
  friend void swap(ThreadpoolLane& a, ThreadpoolLane& b) { a.swap(b); }
  friend bool operator==(const ThreadpoolLane& a, const ThreadpoolLane& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const ThreadpoolLane& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.lane_priority_, self.static_threads_, self.dynamic_threads_);
  }

 private:
  Priority lane_priority_{};
  std::uint32_t static_threads_{};
  std::uint32_t dynamic_threads_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_ThreadpoolLane{&ThreadpoolLane::_type_code};
using ThreadpoolLanes = std::vector<ThreadpoolLane>;
CORBA::typecode_reference _type_code_of_ThreadpoolLanes();
inline constexpr takt::cdr::TypeCodeConstant _tc_ThreadpoolLanes{&_type_code_of_ThreadpoolLanes};

class PriorityBand {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/RTCORBA/PriorityBand:1.0", "RTCORBA::PriorityBand", {"low", "high"}};

  PriorityBand() = default;
  PriorityBand(Priority low, Priority high) : low_(low), high_(high) {}

  void low(Priority value) { low_ = value; }
  Priority low() const { return low_; }
  Priority& low() { return low_; }
  void high(Priority value) { high_ = value; }
  Priority high() const { return high_; }
  Priority& high() { return high_; }

  void swap(PriorityBand& other) { std::swap(*this, other); }
  friend void swap(PriorityBand& a, PriorityBand& b) { a.swap(b); }
  friend bool operator==(const PriorityBand& a, const PriorityBand& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const PriorityBand& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.low_, self.high_);
  }

 private:
  Priority low_{};
  Priority high_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_PriorityBand{&PriorityBand::_type_code};
using PriorityBands = std::vector<PriorityBand>;
CORBA::typecode_reference _type_code_of_PriorityBands();
inline constexpr takt::cdr::TypeCodeConstant _tc_PriorityBands{&_type_code_of_PriorityBands};
inline constexpr CORBA::PolicyType PRIORITY_MODEL_POLICY_TYPE = 40u;
inline constexpr CORBA::PolicyType THREADPOOL_POLICY_TYPE = 41u;
inline constexpr CORBA::PolicyType SERVER_PROTOCOL_POLICY_TYPE = 42u;
inline constexpr CORBA::PolicyType CLIENT_PROTOCOL_POLICY_TYPE = 43u;
inline constexpr CORBA::PolicyType PRIVATE_CONNECTION_POLICY_TYPE = 44u;
inline constexpr CORBA::PolicyType PRIORITY_BANDED_CONNECTION_POLICY_TYPE = 45u;

}  // namespace RTCORBA

template <>
struct takt::cdr::EnumSize<::RTCORBA::PriorityModel> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{"IDL:omg.org/RTCORBA/PriorityModel:1.0",
                                              "RTCORBA::PriorityModel",
                                              {"CLIENT_PROPAGATED", "SERVER_DECLARED"}};
};
