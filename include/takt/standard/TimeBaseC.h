// Made by takt-idl from TimeBase.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

namespace TimeBase {

using TimeT = std::uint64_t;
CORBA::typecode_reference _type_code_of_TimeT();
inline constexpr takt::cdr::TypeCodeConstant _tc_TimeT{&_type_code_of_TimeT};
using InaccuracyT = TimeT;
CORBA::typecode_reference _type_code_of_InaccuracyT();
inline constexpr takt::cdr::TypeCodeConstant _tc_InaccuracyT{&_type_code_of_InaccuracyT};
using TdfT = std::int16_t;
CORBA::typecode_reference _type_code_of_TdfT();
inline constexpr takt::cdr::TypeCodeConstant _tc_TdfT{&_type_code_of_TdfT};

class UtcT {
 public:
  static constexpr takt::cdr::Description<4> _description{
      "IDL:omg.org/TimeBase/UtcT:1.0", "TimeBase::UtcT", {"time", "inacclo", "inacchi", "tdf"}};

  UtcT() = default;
  UtcT(TimeT time, std::uint32_t inacclo, std::uint16_t inacchi, TdfT tdf)
      : time_(time), inacclo_(inacclo), inacchi_(inacchi), tdf_(tdf) {}

  void time(TimeT value) { time_ = value; }
  TimeT time() const { return time_; }
  TimeT& time() { return time_; }
  void inacclo(std::uint32_t value) { inacclo_ = value; }
  std::uint32_t inacclo() const { return inacclo_; }
  std::uint32_t& inacclo() { return inacclo_; }
  void inacchi(std::uint16_t value) { inacchi_ = value; }
  std::uint16_t inacchi() const { return inacchi_; }
  std::uint16_t& inacchi() { return inacchi_; }
  void tdf(TdfT value) { tdf_ = value; }
  TdfT tdf() const { return tdf_; }
  TdfT& tdf() { return tdf_; }

  void swap(UtcT& other) { std::swap(*this, other); }
  friend void swap(UtcT& a, UtcT& b) { a.swap(b); }
  friend bool operator==(const UtcT& a, const UtcT& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const UtcT& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.time_, self.inacclo_, self.inacchi_, self.tdf_);
  }

 private:
  TimeT time_{};
  std::uint32_t inacclo_{};
  std::uint16_t inacchi_{};
  TdfT tdf_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_UtcT{&UtcT::_type_code};

class IntervalT {
 public:
  static constexpr takt::cdr::Description<2> _description{
      "IDL:omg.org/TimeBase/IntervalT:1.0", "TimeBase::IntervalT", {"lower_bound", "upper_bound"}};

  IntervalT() = default;
  IntervalT(TimeT lower_bound, TimeT upper_bound) : lower_bound_(lower_bound), upper_bound_(upper_bound) {}

  void lower_bound(TimeT value) { lower_bound_ = value; }
  TimeT lower_bound() const { return lower_bound_; }
  TimeT& lower_bound() { return lower_bound_; }
  void upper_bound(TimeT value) { upper_bound_ = value; }
  TimeT upper_bound() const { return upper_bound_; }
  TimeT& upper_bound() { return upper_bound_; }

  void swap(IntervalT& other) { std::swap(*this, other); }
  friend void swap(IntervalT& a, IntervalT& b) { a.swap(b); }
  friend bool operator==(const IntervalT& a, const IntervalT& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const IntervalT& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.lower_bound_, self.upper_bound_);
  }

 private:
  TimeT lower_bound_{};
  TimeT upper_bound_{};
};
inline constexpr takt::cdr::TypeCodeConstant _tc_IntervalT{&IntervalT::_type_code};

}  // namespace TimeBase
