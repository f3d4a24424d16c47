// A stream whose messages are encoded by a plug-in's messaging protocol.
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

// The output of a coder. A block of more than MemoryBudget::uncounted_bytes is charged to the budget.
class CodedOctets final : public giop::MessageSink {
 public:
  // `memory` must outlive it.
  explicit CodedOctets(MemoryBudget* memory) : memory_(memory) {}

  // Throws std::bad_alloc if the budget has no room.
  void append(ByteView octets) override {
    if (static_cast<std::size_t>(buffer_.limit() - buffer_.cursor()) < octets.size()) [[unlikely]]
      grow(octets.size());
    buffer_.append(octets.data(), octets.size());
  }
  void borrow(ByteView octets) override { buffer_.borrow(octets); }
  // All octets, valid until the next change.
  std::span<const ByteView> gathered();
  // Frees a block that is charged.
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

// The user of this stream reads and writes standard GIOP messages. A message that is written in parts is kept
// here until it is complete. So is one that arrives in parts: it takes no more memory than its length, and no
// more time than the limits allow. Both are charged to a budget of the connection's size. If that has no
// room, reading or writing fails with ENOMEM from then on. It is large because the messages that are
// incomplete in each direction are here.
class CodedStream final : public transport::LayeredStream, public transport::MessageAssembly {
 public:
  // `protocol` made `coder`. `role` is the role of this end of the connection.
  CodedStream(std::unique_ptr<transport::Stream> inner,
              std::shared_ptr<const giop::MessagingProtocol> protocol,
              std::unique_ptr<giop::MessageCoder> coder, giop::Connection::Role role,
              const giop::Limits& limits);

  transport::IoResult write_gather(std::span<const ByteView> pieces) override;
  bool has_room_for_small_write() override { return !keeps() && inner_->has_room_for_small_write(); }
  // While a message has arrived in part, a server's limit is that for the rest of a message.
  bool set_silence_limit(std::chrono::nanoseconds silence) override;
  std::optional<os::TimePoint> message_begun() const override { return since_; }
  void shut_down_writing() override { inner_->shut_down_writing(); }
  // For example "checked over tcp 127.0.0.1:1234 -> 127.0.0.1:5678".
  std::string describe() const override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Front : std::uint8_t { incomplete, whole, wrong };

  MutableBytes input_space() override { return arrived_.space(front_bytes_); }
  void input_arrived(std::size_t count) override { arrived_.filled(count); }
  std::optional<transport::IoResult> converted(MutableBytes into) override;
  std::size_t hand_over(MutableBytes into);
  Front front();
  bool decode_front();
  void await_input();
  void limit_silence(bool mid_message);
  bool is_late() const;

  transport::IoResult write_coded(std::span<const ByteView> pieces, std::size_t size);
  bool encode(std::span<const ByteView> pieces);
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
  const bool limits_silence_;  // this end is the server's; clients wait for replies by limits of their own
  const std::shared_ptr<MemoryBudget> memory_of_all_;
  MemoryBudget memory_;  // declared before the members that charge it

  // Reader state.
  giop::ReceiveBuffer arrived_{&memory_};
  std::size_t front_bytes_ = 0;             // size of the message at the front; 0: unknown
  std::optional<Clock::time_point> since_;  // when octets of it were first seen
  CodedOctets decoded_{&memory_};           // cleared once left_ is empty
  std::span<const ByteView> left_;
  std::size_t left_from_ = 0;            // offset in left_.front()
  std::chrono::nanoseconds silence_{0};  // the limit that the user has set; 0: none
  bool awaits_rest_ = false;             // the inner stream has the limit for the rest of a message
  int wrong_ = 0;                        // errno, once reading has failed for good

  // Writer state: present_ octets of the current message are here. wanted_ is the count needed next: its
  // header, then the whole message.
  std::size_t present_ = 0, wanted_;
  MemoryCharge writer_memory_{&memory_};          // charged for kept parts of messages:
  std::vector<std::uint8_t> begun_;               // octets from earlier writes,
  std::vector<ByteView> message_;                 // then pieces of this write
  std::vector<std::vector<std::uint8_t>> ended_;  // begun_ of messages in wire_
  CodedOctets wire_{&memory_};
  int refused_ = 0;  // errno, once written octets have been lost
};

}  // namespace takt::coded
