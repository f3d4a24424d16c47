// Compresses outgoing messages of a connection whose peer accepts that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>

#include "giop/compression/format.h"
#include "giop/compression/settings.h"

namespace takt::giop::compression {

// One thread at a time. Takes as much memory as the message is long, of which only the compressed size is
// touched, plus the method's own. Keeps at most 256 KiB of it between messages.
class Compressor {
 public:
  // `own_expansion`: the expansion that this end accepts, which its messages announce.
  Compressor(const CompressionSettings& settings, std::uint16_t own_expansion,
             const MethodList& methods = default_methods())
      : settings_(settings), own_expansion_(own_expansion), methods_(methods) {}

  // The peer accepts compressed messages in the way of `wanted`. Ignored if this end lacks the method.
  void agree(Wanted wanted);
  // Packs the next request or reply, however short, to announce that this end accepts packed messages.
  void announce() { announces_ = true; }
  // Messages up to this size need not be passed to pack().
  std::size_t untouched_bytes() const { return announces_ ? 0 : settings_.threshold_bytes.get(); }

  // Returns what to send instead of a finished message: the message itself, or a packed one, valid until the
  // next call and as long as the message. Compresses only if that makes it shorter, and nothing before
  // agree().
  GatherBuffer& pack(GatherBuffer& message);

 private:
  void begin(const GatherBuffer& message, std::uint8_t method);
  bool shrink(const GatherBuffer& message);
  void wrap(const GatherBuffer& message);

  const CompressionSettings settings_;
  const std::uint16_t own_expansion_;
  const MethodList methods_;
  Wanted wanted_;
  const CompressionMethod* method_ = nullptr;  // the peer's method; null: nothing was agreed on
  bool announces_ = false;
  GatherBuffer packed_{head_bytes};
  std::vector<ByteView> pieces_;
};

}  // namespace takt::giop::compression
