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
#include <takt/giop/messaging_protocol.h>

#include "giop/limits.h"
#include "giop/receive_buffer.h"
#include "transport/layered_stream.h"

namespace takt::connection {

// What a coder adds.
class CodedOctets final : public giop::MessageSink {
 public:
  void append(ByteView octets) override { buffer_.append(octets.data(), octets.size()); }
  void borrow(ByteView octets) override { buffer_.borrow(octets); }
  // All of it, until the next change.
  std::span<const ByteView> gathered();
  void clear() { buffer_.clear(); }

 private:
  GatherBuffer buffer_{64};
  std::vector<ByteView> pieces_;
};

// Whoever uses it reads and writes messages as ORBs know them. What is written of one waits here until it is
// whole; so does what has arrived of one, which takes no more memory than it is long, and no more time from
// its first octet to its last than the limits have.
class CodedStream final : public transport::LayeredStream {
 public:
  // `protocol` is the coder's; the limits are as they are.
  CodedStream(std::unique_ptr<transport::Stream> inner,
              std::shared_ptr<const giop::MessagingProtocol> protocol,
              std::unique_ptr<giop::MessageCoder> coder, const giop::Limits& limits);

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

  const std::shared_ptr<const giop::MessagingProtocol> protocol_;
  const std::unique_ptr<giop::MessageCoder> coder_;
  const std::size_t longest_;
  const std::chrono::nanoseconds message_time_;

  // The reader's.
  giop::ReceiveBuffer arrived_;
  std::size_t front_bytes_ = 0;             // of the message at the front; 0: not known
  std::optional<Clock::time_point> since_;  // some of it has been there
  CodedOctets decoded_;                     // of which this is still to be read:
  std::span<const ByteView> left_;
  std::size_t left_from_ = 0;  // in the first of them
  int wrong_ = 0;              // errno, once nothing more can be read

  // The writer's: a message, of which there is so much, and that is wanted next: its header, then all of it.
  std::size_t present_ = 0, wanted_;
  std::vector<std::uint8_t> begun_;               // of earlier writes,
  std::vector<ByteView> message_;                 // and what follows that, of this one
  std::vector<std::vector<std::uint8_t>> ended_;  // what was begun of those in wire_
  CodedOctets wire_;
  bool refused_ = false;  // something that was written
};

}  // namespace takt::connection
