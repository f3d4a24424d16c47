// Compression in zlib's format (RFC 1950), which every Takt ORB has.
#pragma once

#include <takt/giop/compression_method.h>

namespace takt::giop::compression {

inline constexpr std::uint8_t zlib_number = 1;

// Takes about 270 KB of memory while it compresses.
class ZlibMethod final : public CompressionMethod {
 public:
  std::string_view name() const override { return "zlib"; }
  std::uint8_t number() const override { return zlib_number; }
  std::size_t compress(std::span<const ByteView> pieces, MutableBytes room,
                       int level) const noexcept override;
  bool expand(ByteView compressed, MutableBytes whole) const noexcept override;
};

}  // namespace takt::giop::compression
