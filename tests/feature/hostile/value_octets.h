// Anys with chunked values as raw octets, in fragmented messages of GIOP 1.1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "raw_peer.h"

namespace feature {

// Little-endian CDR from index 0, without data aligned to 8.
class CdrOctets {
 public:
  CdrOctets& u32(std::uint32_t value) {
    while (octets_.size() % 4 != 0) octets_.push_back(0);
    for (int shift = 0; shift < 32; shift += 8) octets_.push_back(static_cast<std::uint8_t>(value >> shift));
    return *this;
  }
  CdrOctets& u16(std::uint16_t value) {
    while (octets_.size() % 2 != 0) octets_.push_back(0);
    return octet(static_cast<std::uint8_t>(value)).octet(static_cast<std::uint8_t>(value >> 8));
  }
  CdrOctets& octet(std::uint8_t value) {
    octets_.push_back(value);
    return *this;
  }
  CdrOctets& raw(const Octets& some) {
    octets_.insert(octets_.end(), some.begin(), some.end());
    return *this;
  }
  CdrOctets& text(std::string_view some) {
    u32(static_cast<std::uint32_t>(some.size() + 1)).raw({some.begin(), some.end()});
    return octet(0);
  }
  const Octets& octets() const { return octets_; }

 private:
  Octets octets_;
};

inline constexpr std::string_view told = "a text that is told in two chunks of a value";

// An Any with a value of two members, a number and a text. Its first chunk ends after the number, or after
// two octets of the text, whose length then reaches beyond the value.
inline Octets any_with_value(bool straddles) {
  CdrOctets type;  // an encapsulation
  type.octet(1).text("IDL:Told:1.0").text("Told").u16(0).u32(0).u32(2);
  type.text("number").u32(3).u16(1).text("text").u32(18).u32(0).u16(1);
  CdrOctets any;
  any.u32(29).u32(static_cast<std::uint32_t>(type.octets().size())).raw(type.octets());
  any.u32(0x7fffff0a).text("IDL:Told:1.0");
  if (straddles) {
    any.u32(10).u32(7).u32(200).octet('a').octet('b');
  } else {
    any.u32(4).u32(7).u32(static_cast<std::uint32_t>(4 + told.size() + 1)).text(told);
  }
  any.u32(0xffffffff);
  return any.octets();
}

// Splits a message of GIOP 1.1 into its first `cut` octets and fragments of at most `step` octets.
inline Octets in_fragments(Octets message, std::size_t cut, std::size_t step) {
  const auto begin = message.begin();
  const auto part = [&](std::uint8_t type, std::size_t from, std::size_t to) {
    Octets made{'G', 'I', 'O', 'P', 1, 1, static_cast<std::uint8_t>(to < message.size() ? 3 : 1), type};
    for (int shift = 0; shift < 32; shift += 8)
      made.push_back(static_cast<std::uint8_t>((to - from) >> shift));
    made.insert(made.end(), begin + static_cast<std::ptrdiff_t>(from),
                begin + static_cast<std::ptrdiff_t>(to));
    return made;
  };
  Octets parts = part(message[7], 12, cut);
  for (; cut < message.size(); cut += step) {
    const Octets next = part(7, cut, std::min(cut + step, message.size()));
    parts.insert(parts.end(), next.begin(), next.end());
  }
  return parts;
}

}  // namespace feature
