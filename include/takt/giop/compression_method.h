// A compression method for messages, as a plug-in may provide one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>

namespace takt::giop {

// All functions may be called from any thread, and concurrently. Connections may use it for a while after
// their ORB is gone.
class CompressionMethod {
 public:
  CompressionMethod() = default;
  CompressionMethod(const CompressionMethod&) = delete;
  CompressionMethod& operator=(const CompressionMethod&) = delete;
  virtual ~CompressionMethod() = default;

  // The name in -ORBCompressionMethods and policies: lower-case letters and digits.
  virtual std::string_view name() const = 0;
  // Identifies the method in messages, so both ends must agree on its meaning. Plug-ins use numbers from
  // first_of_plugins on; lower ones are Takt's.
  virtual std::uint8_t number() const = 0;
  static constexpr std::uint8_t first_of_plugins = 128;

  // Compresses the concatenated pieces into `room` and returns the compressed size, or 0 if it does not fit
  // or fails. `level`, from 1 to 9, is -ORBCompressionLevel. The message is sent only afterwards.
  virtual std::size_t compress(std::span<const ByteView> pieces, MutableBytes room,
                               int level) const noexcept = 0;
  // Reverses compress(). Both sizes are within the limits, but the octets come from the peer and are
  // untrusted. Returns false if they do not expand to exactly `whole`. Trailing zeros after the compressed
  // data are allowed.
  virtual bool expand(ByteView compressed, MutableBytes whole) const noexcept = 0;
};

}  // namespace takt::giop
