// Compressing what several threads send by one connection.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <takt/base/gather_buffer.h>

#include "giop/compression/compressor.h"

namespace takt::server {

// Any number of threads at a time: each deflates with a compressor that is its own meanwhile, without a lock,
// so a long message holds up no other. One compressor is kept for the next message.
class ReplyPacker {
 public:
  ReplyPacker() = default;
  ~ReplyPacker() { delete idle_.load(); }
  ReplyPacker(const ReplyPacker&) = delete;
  ReplyPacker& operator=(const ReplyPacker&) = delete;

  // The peer takes compressed messages, as it wants them: long ones go so from now on, and the next one tells
  // it that we take them, too. The first time counts. One thread's, the same each time.
  void agree(const giop::compression::Settings& settings, std::uint16_t own_expansion,
             const giop::compression::MethodList& methods, giop::compression::Wanted wanted);

  // What goes in the place of a message whose head and body are there, for as long as this lives; a message
  // that was packed is empty afterwards.
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

  // Not changed once untouched_bytes_ is set:
  giop::compression::Settings settings_;
  std::uint16_t own_expansion_ = 0;
  giop::compression::MethodList methods_;
  giop::compression::Wanted wanted_;
  // Messages up to this go as they are; all, before agree().
  std::atomic<std::size_t> untouched_bytes_{SIZE_MAX};
  std::atomic<giop::compression::Compressor*> idle_{nullptr};  // owned
};

}  // namespace takt::server
