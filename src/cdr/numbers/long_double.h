// A long double in quadruple precision, whatever the machine has.
#pragma once

#include <cstdint>

namespace takt::cdr {

class Decoder;
class Encoder;

// 1 sign, 15 exponent, 112 fraction bits.
struct Quad {
  std::uint64_t high, low;
};

// In the form that the format states. Failures are sticky in the stream, and give 0.
Quad get_quad(Decoder& decoder);
// Fraction bits that the x87 form does not have are cut off.
void put_quad(Encoder& encoder, Quad value);

}  // namespace takt::cdr
