// A long double is sent in IEEE quadruple precision: 1 sign, 15 exponent, 112 fraction bits.
#include <bit>
#include <cstring>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::cdr {

namespace {

struct Quad {
  std::uint64_t high, low;
};

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

// The x87 format: an explicit integer bit and 63 fraction bits, then 15 exponent bits and the sign. Its
// exponent bias equals that of quadruple precision. Its subnormals are normal in quadruple precision.

Quad to_quad(long double value) {
  std::uint64_t mantissa;
  std::uint16_t sign_and_exponent;
  std::memcpy(&mantissa, &value, 8);
  std::memcpy(&sign_and_exponent, reinterpret_cast<const char*>(&value) + 8, 2);
  std::uint64_t exponent = sign_and_exponent & 0x7fff;
  if (exponent == 0 && mantissa != 0) {
    const int shift = __builtin_clzll(mantissa);
    if (shift > 0) {
      // Below the smallest exponent: the fraction keeps its position in the wider format.
      const std::uint64_t fraction = mantissa;
      return {(static_cast<std::uint64_t>(sign_and_exponent) << 48) | fraction >> 15, fraction << 49};
    }
    exponent = 1;
  }
  const std::uint64_t fraction = mantissa << 1;  // without the integer bit, left-aligned
  return {(static_cast<std::uint64_t>(sign_and_exponent & 0x8000) << 48) | exponent << 48 | fraction >> 16,
          fraction << 48};
}

long double from_quad(Quad quad) {
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
  long double value = 0;
  std::memcpy(&value, &mantissa, 8);
  std::memcpy(reinterpret_cast<char*>(&value) + 8, &sign_and_exponent, 2);
  return value;
}

#else
#error "long double is expected to have the x87 extended format or quadruple precision"
#endif

}  // namespace

void Encoder::put(long double value) {
  const Quad quad = to_quad(value);
  const bool big = format_.order == ByteOrder::big;
  put(big ? quad.high : quad.low);
  put(big ? quad.low : quad.high);
}

bool Decoder::get(long double& value) {
  const auto first = take<std::uint64_t>(), second = take<std::uint64_t>();
  const bool big = format_.order == ByteOrder::big;
  value = ok() ? from_quad(big ? Quad{first, second} : Quad{second, first}) : 0;
  return ok();
}

}  // namespace takt::cdr
