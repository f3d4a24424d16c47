// A way to make messages shorter, as a plug-in may bring one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>

namespace takt::giop {

// Any thread, several at a time, all functions. Connections may have it for a while after their ORB is gone.
class CompressionMethod {
 public:
  CompressionMethod() = default;
  CompressionMethod(const CompressionMethod&) = delete;
  CompressionMethod& operator=(const CompressionMethod&) = delete;
  virtual ~CompressionMethod() = default;

  // For -ORBCompressionMethods and policies: lower-case letters and digits.
  virtual std::string_view name() const = 0;
  // In messages, so both ends must mean the same by it: from first_of_plugins on. Those below are Takt's.
  virtual std::uint8_t number() const = 0;
  static constexpr std::uint8_t first_of_plugins = 128;

  // The pieces, one behind the other, into `room`: how much of it they took; 0: it does not suffice, or it
  // cannot be done. `level`, from 1 to 9, is -ORBCompressionLevel. A message waits for it.
  virtual std::size_t compress(std::span<const ByteView> pieces, MutableBytes room,
                               int level) const noexcept = 0;
  // The way back. Both sizes are within the limits, and nothing else about the octets is known: they are from
  // the peer. False: they are not what fills `whole` to its end. There may be zeros behind what does.
  virtual bool expand(ByteView compressed, MutableBytes whole) const noexcept = 0;
};

}  // namespace takt::giop
