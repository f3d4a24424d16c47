// Values that are written are read back, in both byte orders, from any start index.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <takt/cdr/mapping/optional.h>

#include "drawn.h"
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

RC_GTEST_PROP(RoundTrip, numbers, ()) {
  back_again(drawn_number<std::uint8_t>() % 2 == 0);
  back_again(drawn_number<std::int16_t>());
  back_again(drawn_number<std::uint32_t>());
  back_again(drawn_number<std::int64_t>());
  back_again(drawn_number<float>());
  back_again(drawn_number<double>());
  back_again(drawn_number<long double>() / 3);
}

RC_GTEST_PROP(RoundTrip, containers, ()) {
  std::vector<bool> bits;
  for (const auto octet : drawn_numbers<std::uint8_t>()) bits.push_back(octet % 2 == 0);
  back_again(bits);
  back_again(drawn_numbers<std::int16_t>());
  back_again(drawn_numbers<double>());
  back_again(drawn_vector(&drawn_text));
  std::map<std::int32_t, std::vector<std::uint8_t>> map;
  for (const auto key : drawn_numbers<std::int32_t>()) map[key] = drawn_numbers<std::uint8_t>();
  back_again(map);
  std::array<std::uint16_t, 5> array;
  for (auto& number : array) number = drawn_number<std::uint16_t>();
  back_again(array);
}

RC_GTEST_PROP(RoundTrip, structs, ()) {
  const auto inner = [] {
    return Inner{drawn_number<std::int16_t>(), drawn_text(), drawn_numbers<double>()};
  };
  back_again(drawn_vector(inner));
  back_again(std::optional<Inner>(inner()));
  back_again(std::optional<Inner>());
}

TEST(RoundTrip, long_doubles_at_the_edges) {
  using Limits = std::numeric_limits<long double>;
  for (const long double value :
       {Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), Limits::min() / 2,
        -Limits::denorm_min() * 3, Limits::infinity(), -Limits::infinity(), Limits::epsilon(), -0.0L}) {
    for (const LongDoubleForm form : {LongDoubleForm::ieee, LongDoubleForm::x87})
      for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
        Format how = format(order);
        how.long_double = form;
        const auto back = decoded<long double>(encoded(value, how), how);
        EXPECT_EQ(back.value, value);
        EXPECT_EQ(std::signbit(back.value), std::signbit(value));
      }
  }
  EXPECT_TRUE(std::isnan(decoded<long double>(encoded(Limits::quiet_NaN())).value));
  // A NaN whose payload does not fit is still a NaN.
  EXPECT_TRUE(std::isnan(decoded<long double>(octets("7fff0000 00000000 00000000 00000001")).value));
}

}  // namespace
}  // namespace takt::cdr::test
