// A stream on which messages look as a protocol of a plug-in has them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/base/memory_charge.h>
#include <takt/giop/messaging_protocol.h>

#include "giop/connection.h"
#include "giop/header/limits.h"
#include "giop/receive_buffer.h"
#include "transport/layered_stream.h"

namespace takt::coded {

// What a coder adds. A block of more than MemoryBudget::uncounted_bytes is charged to the budget.
class CodedOctets final : public giop::MessageSink {
 public:
  // `memory` outlives it.
  explicit CodedOctets(MemoryBudget* memory) : memory_(memory) {}

  // Throws std::bad_alloc where the budget has no room.
  void append(ByteView octets) override {
    if (static_cast<std::size_t>(buffer_.limit() - buffer_.cursor()) < octets.size()) [[unlikely]]
      grow(octets.size());
    buffer_.append(octets.data(), octets.size());
  }
  void borrow(ByteView octets) override { buffer_.borrow(octets); }
  // All of it, until the next change.
  std::span<const ByteView> gathered();
  // Gives back a block that is charged.
  void clear() {
    buffer_.clear(MemoryBudget::uncounted_bytes);
    if (memory_.bytes() != 0) [[unlikely]]
      memory_.shrink(capacity());
  }

 private:
  void grow(std::size_t count);
  std::size_t capacity() const { return static_cast<std::size_t>(buffer_.limit() - buffer_.owned()); }

  MemoryCharge memory_;
  GatherBuffer buffer_{64};
  std::vector<ByteView> pieces_;
};

// Whoever uses it reads and writes messages as ORBs know them. What is written of one waits here until it is
// whole; so does what has arrived of one, which takes no more memory than it is long, and no more time from
// its first octet to its last than the limits have. Both are charged to a budget that is as large as the
// connection's own; where it has no room, reading or writing fails with ENOMEM from then on.
class CodedStream final : public transport::LayeredStream {
 public:
  // `protocol` is the coder's; the limits are as they are. `role`: of this end of the connection.
  CodedStream(std::unique_ptr<transport::Stream> inner,
              std::shared_ptr<const giop::MessagingProtocol> protocol,
              std::unique_ptr<giop::MessageCoder> coder, giop::Connection::Role role,
              const giop::Limits& limits);

  transport::IoResult write_gather(std::span<const ByteView> pieces) override;
  bool has_room_for_few() override { return !keeps() && inner_->has_room_for_few(); }
  void shut_down_writing() override { inner_->shut_down_writing(); }
  // "checked over tcp 127.0.0.1:1234 -> 127.0.0.1:5678"
  std::string describe() const override;
  const transport::CertificateNames* peer_certificate() const override { return inner_->peer_certificate(); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Front : std::uint8_t { incomplete, whole, wrong };

  MutableBytes input_space() override { return arrived_.space(front_bytes_); }
  void input_arrived(std::size_t count) override { arrived_.filled(count); }
  std::optional<transport::IoResult> converted(MutableBytes into) override;
  std::size_t hand_over(MutableBytes into);
  Front front();
  bool decode_front();
  bool is_late();

  transport::IoResult write_coded(std::span<const ByteView> pieces, std::size_t size);
  bool encode(std::span<const ByteView> pieces, std::size_t from);
  void add(ByteView part);
  void read_header();
  bool finish_message();
  void keep_begun();
  transport::IoResult send_wire();
  transport::IoResult send_rest();
  void give_back_memory();
  std::size_t writer_bytes() const;

  const std::shared_ptr<const giop::MessagingProtocol> protocol_;
  const std::unique_ptr<giop::MessageCoder> coder_;
  const std::size_t longest_;
  const std::chrono::nanoseconds message_time_;
  const std::shared_ptr<MemoryBudget> memory_of_all_;
  MemoryBudget memory_;  // before all that takes from it

  // The reader's.
  giop::ReceiveBuffer arrived_{&memory_};
  std::size_t front_bytes_ = 0;             // of the message at the front; 0: not known
  std::optional<Clock::time_point> since_;  // some of it has been there
  CodedOctets decoded_{&memory_};           // emptied once this, which is still to be read of it, is empty:
  std::span<const ByteView> left_;
  std::size_t left_from_ = 0;  // in the first of them
  int wrong_ = 0;              // errno, once nothing more can be read

  // The writer's: a message, of which there is so much, and that is wanted next: its header, then all of it.
  std::size_t present_ = 0, wanted_;
  MemoryCharge writer_memory_{&memory_};          // for what is kept of messages:
  std::vector<std::uint8_t> begun_;               // of earlier writes,
  std::vector<ByteView> message_;                 // and what follows that, of this one
  std::vector<std::vector<std::uint8_t>> ended_;  // what was begun of those in wire_
  CodedOctets wire_{&memory_};
  int refused_ = 0;  // errno, once something that was written is lost
};

}  // namespace takt::coded
