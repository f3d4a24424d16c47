// A long double is sent in IEEE quadruple precision, or to other ORBs on x86 in the format of the x87.
#include "cdr/numbers/long_double.h"

#include <bit>
#include <cstring>
#include <utility>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::cdr {

namespace {

// The x87 format: an explicit integer bit and 63 fraction bits, then 15 exponent bits and the sign. Its
// exponent bias equals that of quadruple precision. Its subnormals are normal in quadruple precision.
struct Extended {
  std::uint64_t mantissa;
  std::uint16_t sign_and_exponent;
};

Quad quad_of(Extended value) {
  const std::uint64_t mantissa = value.mantissa, sign_and_exponent = value.sign_and_exponent;
  std::uint64_t exponent = sign_and_exponent & 0x7fff;
  if (exponent == 0 && mantissa != 0) {
    // Below the smallest exponent: the fraction keeps its position in the wider format.
    if (mantissa >> 63 == 0) return {sign_and_exponent << 48 | mantissa >> 15, mantissa << 49};
    exponent = 1;
  }
  const std::uint64_t fraction = mantissa << 1;  // without the integer bit, left-aligned
  return {(sign_and_exponent & 0x8000) << 48 | exponent << 48 | fraction >> 16, fraction << 48};
}

Extended extended_of(Quad quad) {
  const auto sign_and_exponent = static_cast<std::uint16_t>(quad.high >> 48);
  const std::uint64_t fraction = quad.high << 16 | quad.low >> 48;  // the first 64 of 112 bits
  std::uint64_t mantissa = fraction >> 1;
  if ((sign_and_exponent & 0x7fff) != 0) {
    mantissa |= std::uint64_t{1} << 63;
    const bool nan = (sign_and_exponent & 0x7fff) == 0x7fff && ((quad.high << 16) | quad.low) != 0;
    if (nan) mantissa |= std::uint64_t{1} << 62;  // quiet, even if the payload is cut off
  } else {
    mantissa = quad.high << 15 | quad.low >> 49;
  }
  return {mantissa, sign_and_exponent};
}

#if __LDBL_MANT_DIG__ == 113  // quadruple precision, as on aarch64

static_assert(std::endian::native == std::endian::little);

Quad to_quad(long double value) {
  std::uint64_t halves[2];
  static_assert(sizeof halves == sizeof value);
  std::memcpy(halves, &value, sizeof halves);
  return {halves[1], halves[0]};
}

long double from_quad(Quad quad) {
  const std::uint64_t halves[2] = {quad.low, quad.high};
  long double value;
  std::memcpy(&value, halves, sizeof value);
  return value;
}

#elif __LDBL_MANT_DIG__ == 64

Quad to_quad(long double value) {
  Extended extended;
  std::memcpy(&extended.mantissa, &value, 8);
  std::memcpy(&extended.sign_and_exponent, reinterpret_cast<const char*>(&value) + 8, 2);
  return quad_of(extended);
}

long double from_quad(Quad quad) {
  const Extended extended = extended_of(quad);
  long double value = 0;
  std::memcpy(&value, &extended.mantissa, 8);
  std::memcpy(reinterpret_cast<char*>(&value) + 8, &extended.sign_and_exponent, 2);
  return value;
}

#else
#error "long double is expected to have the x87 extended format or quadruple precision"
#endif

// The x87 has no numbers with these octets: an exponent, but no integer bit.
bool is_invalid(Extended value) {
  return (value.sign_and_exponent & 0x7fff) != 0 && value.mantissa >> 63 == 0;
}

}  // namespace

Quad get_quad(Decoder& decoder) {
  auto high = decoder.take<std::uint64_t>(), low = decoder.take<std::uint64_t>();
  if (decoder.format().order == ByteOrder::little) std::swap(high, low);
  if (decoder.format().long_double == LongDoubleForm::x87) {
    const Extended extended{low, static_cast<std::uint16_t>(high)};
    if (is_invalid(extended)) decoder.fail(Error::bad_value);
    return decoder.ok() ? quad_of(extended) : Quad{};
  }
  return decoder.ok() ? Quad{high, low} : Quad{};
}

void put_quad(Encoder& encoder, Quad value) {
  if (encoder.format().long_double == LongDoubleForm::x87) {
    const Extended extended = extended_of(value);
    value = {extended.sign_and_exponent, extended.mantissa};
  }
  const bool big = encoder.format().order == ByteOrder::big;
  encoder.put(big ? value.high : value.low);
  encoder.put(big ? value.low : value.high);
}

void Encoder::put(long double value) { put_quad(*this, to_quad(value)); }

bool Decoder::get(long double& value) {
  value = from_quad(get_quad(*this));
  return ok();
}

}  // namespace takt::cdr
