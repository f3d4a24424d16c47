// Messages on their way out of a connection whose peer takes compressed ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>

#include "giop/compression/format.h"
#include "giop/compression/settings.h"

namespace takt::giop::compression {

// One thread at a time. A message takes as much memory as it is long, of which what it becomes is touched,
// besides what the method takes; nothing is kept from one to the next but 256 KiB of that.
class Compressor {
 public:
  // `own_expansion`: what we inflate; the messages say so.
  Compressor(const Settings& settings, std::uint16_t own_expansion,
             const MethodList& methods = usual_methods())
      : settings_(settings), own_expansion_(own_expansion), methods_(methods) {}

  // The peer takes them as it wants them; from then on, or as before. By a method of ours, or not at all.
  void agree(Wanted wanted);
  // The next request or reply is packed, however short, so that the peer knows that we take such.
  void announce() { announces_ = true; }
  // Messages up to this are not for pack().
  std::size_t untouched_bytes() const { return announces_ ? 0 : settings_.threshold_bytes.get(); }

  // What goes in the place of a finished message: the message itself, or what is valid until the next call
  // and as long as the message. Nothing is compressed that would not be shorter so; nothing at all before
  // agree().
  GatherBuffer& pack(GatherBuffer& message);

 private:
  void begin(const GatherBuffer& message, std::uint8_t method);
  bool shrink(const GatherBuffer& message);
  void wrap(const GatherBuffer& message);

  const Settings settings_;
  const std::uint16_t own_expansion_;
  const MethodList methods_;
  Wanted wanted_;
  const CompressionMethod* method_ = nullptr;  // that is wanted; null: nothing was agreed on
  bool announces_ = false;
  GatherBuffer packed_{head_bytes};
  std::vector<ByteView> pieces_;
};

}  // namespace takt::giop::compression
