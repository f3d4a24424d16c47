// Shared by the cdr targets: the first octet of an input selects the format of the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <takt/cdr/codec.h>

#include "input.h"

namespace takt::fuzz {

using Octets = std::vector<std::uint8_t>;

// Bit 0: byte order; bits 1 and 2: minor version of GIOP; bit 3: UTF-8 instead of ISO 8859-1.
inline cdr::Format format_of(std::uint8_t choices) {
  static constexpr cdr::CodeSets unicode{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16};
  static constexpr cdr::CodeSets latin{cdr::CodeSetId::iso_8859_1, cdr::CodeSetId::utf_16};
  cdr::Format format;
  format.order = static_cast<cdr::ByteOrder>(choices & 1);
  format.giop_minor = static_cast<std::uint8_t>((choices >> 1 & 3) % 3);
  format.code_sets = (choices & 8) != 0 ? &unicode : &latin;
  return format;
}

inline Octets all(const GatherBuffer& buffer) {
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  Octets octets;
  for (const ByteView piece : pieces) octets.insert(octets.end(), piece.begin(), piece.end());
  return octets;
}

// Values that were read can be written.
template <class T>
Octets encoded(const T& value, const cdr::Format& format) {
  GatherBuffer buffer(16);
  cdr::Encoder encoder(buffer, format);
  cdr::write(encoder, value);
  require(encoder.ok());
  return all(buffer);
}

// The rest of a body, which arrives later.
class Arriving final : public cdr::Decoder::Source {
 public:
  explicit Arriving(ByteView octets) : octets_(octets) {}
  bool read_exact(MutableBytes into) override {
    require(into.size() <= octets_.size());
    if (!into.empty()) std::memcpy(into.data(), octets_.data(), into.size());
    octets_ = octets_.subspan(into.size());
    return true;
  }

 private:
  ByteView octets_;
};

}  // namespace takt::fuzz
