// Octet sequences that are returned without copying (@held).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <takt/base/octet_buffer.h>
#include <takt/cdr/codec.h>

namespace takt::cdr {

// Read in place if the stream can lend the octets, else into a vector that is then held.
template <>
struct Codec<HeldOctets> {
  static constexpr std::size_t min_size = 4;

  static void write(Encoder& encoder, const HeldOctets& octets) {
    encoder.put_count(octets.size());
    encoder.put_array(octets.data(), octets.size());
  }
  static bool read(Decoder& decoder, HeldOctets& octets) {
    octets.release();
    std::uint32_t count;
    if (!decoder.get_count(count, 1) || count == 0) return decoder.ok();
    octets = decoder.get_in_place(count);
    if (!octets.empty()) return true;
    std::vector<std::uint8_t> copy;
    if (!detail::read_block(decoder, copy, count)) return false;
    octets = hold_octets(std::move(copy));
    return true;
  }
};

}  // namespace takt::cdr
