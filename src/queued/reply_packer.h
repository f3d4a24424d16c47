// Compresses messages that several threads send over one connection.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <takt/base/gather_buffer.h>

#include "giop/compression/compressor.h"

namespace takt::server {

// Any number of threads at a time. Each uses its own compressor without a lock, so a long message does not
// delay others. One compressor is kept for the next message.
class ReplyPacker {
 public:
  ReplyPacker() = default;
  ~ReplyPacker() { delete idle_.load(); }
  ReplyPacker(const ReplyPacker&) = delete;
  ReplyPacker& operator=(const ReplyPacker&) = delete;

  // Compresses long messages from now on, because the peer accepts it; `wanted` are its wishes. The next
  // message states that this side accepts compressed messages too. Only the first call has an effect. Always
  // call it in the same thread.
  void agree(const giop::compression::CompressionSettings& settings, std::uint16_t own_expansion,
             const giop::compression::MethodList& methods, giop::compression::Wanted wanted);

  // The message to send instead of a complete message, while this object lives. If the message was packed, it
  // is empty afterwards.
  class Packed {
   public:
    Packed(ReplyPacker& packer, GatherBuffer& message)
        : packer_(packer), whole_(message), message_(&message) {
      if (message.size() > packer.untouched_bytes_.load(std::memory_order_acquire)) [[unlikely]]
        pack();
    }
    ~Packed() {
      if (compressor_) [[unlikely]]
        end();
    }
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;

    GatherBuffer& message() { return *message_; }

   private:
    void pack();
    void end();

    ReplyPacker& packer_;
    GatherBuffer& whole_;
    GatherBuffer* message_;
    std::unique_ptr<giop::compression::Compressor> compressor_;
  };

 private:
  std::unique_ptr<giop::compression::Compressor> take();
  void give_back(std::unique_ptr<giop::compression::Compressor> compressor);

  // Constant once untouched_bytes_ is set:
  giop::compression::CompressionSettings settings_;
  std::uint16_t own_expansion_ = 0;
  giop::compression::MethodList methods_;
  giop::compression::Wanted wanted_;
  // Messages up to this size are sent unchanged. Before agree(), all are.
  std::atomic<std::size_t> untouched_bytes_{SIZE_MAX};
  std::atomic<giop::compression::Compressor*> idle_{nullptr};  // owned
};

}  // namespace takt::server
