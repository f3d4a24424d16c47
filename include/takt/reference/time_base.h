// CORBA's representation of time (module TimeBase): units of 100 ns; absolute times count from 15 October
// 1582 UTC.
#pragma once

#include <cstdint>

#include <takt/cdr/mapping.h>

namespace TimeBase {

using TimeT = std::uint64_t;

// `tdf` is the time zone of origin in minutes; it does not affect the time.
class UtcT {
 public:
  static constexpr takt::cdr::Description<4> _description{
      "IDL:omg.org/TimeBase/UtcT:1.0", "TimeBase::UtcT", {"time", "inacclo", "inacchi", "tdf"}};

  UtcT() = default;
  UtcT(TimeT time, std::uint32_t inacclo, std::uint16_t inacchi, std::int16_t tdf)
      : time_(time), inacclo_(inacclo), inacchi_(inacchi), tdf_(tdf) {}

  void time(TimeT value) { time_ = value; }
  TimeT time() const { return time_; }
  void inacclo(std::uint32_t value) { inacclo_ = value; }
  std::uint32_t inacclo() const { return inacclo_; }
  void inacchi(std::uint16_t value) { inacchi_ = value; }
  std::uint16_t inacchi() const { return inacchi_; }
  void tdf(std::int16_t value) { tdf_ = value; }
  std::int16_t tdf() const { return tdf_; }

  friend bool operator==(const UtcT& a, const UtcT& b) { return takt::cdr::equal(a, b); }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.time_, self.inacclo_, self.inacchi_, self.tdf_);
  }

 private:
  TimeT time_{};
  std::uint32_t inacclo_{};
  std::uint16_t inacchi_{};
  std::int16_t tdf_{};
};

}  // namespace TimeBase
