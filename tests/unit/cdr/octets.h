// Octets in readable form, and conversion of values to and from octets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <takt/cdr/codec.h>

namespace takt::cdr::test {

using Octets = std::vector<std::uint8_t>;

// Parses "0000002a 01"; blanks are ignored.
inline Octets octets(std::string_view hex) {
  Octets result;
  int high = -1;
  for (const char c : hex) {
    if (c == ' ' || c == '\n') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0)
      high = digit;
    else
      result.push_back(static_cast<std::uint8_t>(high << 4 | digit)), high = -1;
  }
  return result;
}

inline std::string hex(const Octets& octets) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t octet : octets) text += {digits[octet >> 4], digits[octet & 15]};
  return text;
}
inline std::string hex(std::string_view text) { return hex(octets(text)); }

inline constexpr CodeSets unicode{CodeSetId::utf_8, CodeSetId::utf_16};
inline Format format(ByteOrder order = ByteOrder::big, std::uint8_t giop_minor = 2,
                     const CodeSets* sets = &unicode) {
  Format made;
  made.order = order;
  made.giop_minor = giop_minor;
  made.code_sets = sets;
  return made;
}

inline Octets all(const GatherBuffer& buffer) {
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  Octets octets;
  for (const ByteView piece : pieces) octets.insert(octets.end(), piece.begin(), piece.end());
  return octets;
}

// The octets that `write(Encoder&)` writes; empty if it fails.
template <class Write>
Octets written(const Format& format, Write&& write) {
  GatherBuffer buffer(16);
  Encoder encoder(buffer, format);
  write(encoder);
  return encoder.ok() ? all(buffer) : Octets();
}
template <class T>
Octets encoded(const T& value, const Format& how = format()) {
  return written(how, [&](Encoder& encoder) { cdr::write(encoder, value); });
}

// The decoded value, and whether the octets contained exactly the value.
template <class T>
struct Decoded {
  T value{};
  bool whole = false;
  Error error = Error::none;
  std::size_t ended_at = 0;
};
template <class T>
Decoded<T> decoded(const Octets& octets, const Format& how = format()) {
  Decoder decoder(octets, 0, how);
  Decoded<T> result;
  cdr::read(decoder, result.value);
  result.error = decoder.error();
  result.ended_at = decoder.position();
  result.whole = decoder.ok() && decoder.remaining() == 0;
  return result;
}

}  // namespace takt::cdr::test
