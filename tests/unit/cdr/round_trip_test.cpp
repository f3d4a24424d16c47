// Whatever is written is read back, in both orders, from any start.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <takt/cdr/mapping/optional.h>

#include "octets.h"

namespace takt::cdr::test {
namespace {

struct Inner {
  std::int16_t a = 0;
  std::string b;
  std::vector<double> c;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.a, self.b, self.c);
  }
  friend bool operator==(const Inner&, const Inner&) = default;
};

template <class T>
void back_again(const T& value) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little})
    for (std::size_t before = 0; before < 9; ++before) {
      const Octets wire = written(format(order), [&](Encoder& encoder) {
        for (std::size_t i = 0; i < before; ++i) encoder.put(std::uint8_t{1});
        cdr::write(encoder, value);
      });
      Decoder decoder(ByteView(wire).subspan(before), before, format(order));
      T back{};
      RC_ASSERT(cdr::read(decoder, back));
      RC_ASSERT(back == value);
      RC_ASSERT(decoder.remaining() == 0u);
    }
}

rc::Gen<std::string> text() { return rc::gen::container<std::string>(rc::gen::inRange('\x01', '\x7f')); }

RC_GTEST_PROP(RoundTrip, numbers, ()) {
  back_again(*rc::gen::arbitrary<bool>());
  back_again(*rc::gen::arbitrary<std::int16_t>());
  back_again(*rc::gen::arbitrary<std::uint32_t>());
  back_again(*rc::gen::arbitrary<std::int64_t>());
  back_again(*rc::gen::arbitrary<float>());
  back_again(*rc::gen::arbitrary<double>());
  back_again(static_cast<long double>(*rc::gen::arbitrary<double>()) / 3);
}

RC_GTEST_PROP(RoundTrip, containers, ()) {
  back_again(*rc::gen::arbitrary<std::vector<bool>>());
  back_again(*rc::gen::arbitrary<std::vector<std::int16_t>>());
  back_again(*rc::gen::arbitrary<std::vector<double>>());
  back_again(*rc::gen::container<std::vector<std::string>>(text()));
  back_again(*rc::gen::arbitrary<std::map<std::int32_t, std::vector<std::uint8_t>>>());
  back_again(*rc::gen::arbitrary<std::array<std::uint16_t, 5>>());
}

RC_GTEST_PROP(RoundTrip, structs, ()) {
  const auto inner = rc::gen::build<Inner>(rc::gen::set(&Inner::a), rc::gen::set(&Inner::b, text()),
                                           rc::gen::set(&Inner::c));
  back_again(*rc::gen::container<std::vector<Inner>>(inner));
  back_again(std::optional<Inner>(*inner));
  back_again(std::optional<Inner>());
}

TEST(RoundTrip, long_doubles_at_the_edges) {
  using Limits = std::numeric_limits<long double>;
  for (const long double value :
       {Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), Limits::min() / 2,
        -Limits::denorm_min() * 3, Limits::infinity(), -Limits::infinity(), Limits::epsilon(), -0.0L}) {
    const auto back = decoded<long double>(encoded(value));
    EXPECT_EQ(back.value, value);
    EXPECT_EQ(std::signbit(back.value), std::signbit(value));
  }
  EXPECT_TRUE(std::isnan(decoded<long double>(encoded(Limits::quiet_NaN())).value));
  // A NaN whose payload does not fit is a NaN all the same.
  EXPECT_TRUE(std::isnan(decoded<long double>(octets("7fff0000 00000000 00000000 00000001")).value));
}

}  // namespace
}  // namespace takt::cdr::test
