#include "logs/traced_stream.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include <takt/transport/wrapped_stream.h>

#include "base/secret_operations.h"

namespace takt::logs {

namespace {

// Finds the messages in one direction of a connection. One thread at a time.
class MessageTrace {
 public:
  MessageTrace(EventLog& log, LogEvent event, ReadHead read_head)
      : log_(log), event_(event), read_head_(read_head) {}

  // The next octets of the connection. Without memory for a line, the line is left out.
  void take(ByteView octets, const std::string& peer) noexcept {
    while (!octets.empty()) {
      if (const std::size_t body = std::min(missing_, octets.size())) {
        missing_ -= body;
        octets = octets.subspan(body);
        continue;
      }
      if (head_size_ == 0 && octets.size() >= MessageHead::bytes) {
        if (!begin(octets, peer)) return;
        octets = octets.subspan(MessageHead::bytes);
        continue;
      }
      const std::size_t piece = std::min(head_.size() - head_size_, octets.size());
      std::ranges::copy(octets.first(piece), head_.begin() + static_cast<std::ptrdiff_t>(head_size_));
      head_size_ += piece;
      octets = octets.subspan(piece);
      if (head_size_ < head_.size()) return;
      head_size_ = 0;
      if (!begin(head_, peer)) return;
    }
  }

 private:
  // False: no message begins here.
  bool begin(ByteView octets, const std::string& peer) noexcept {
    try {
      const MessageHead head = read_head_(octets);
      const bool is_message = !head.text.empty();
      missing_ = head.body_bytes;
      if (!log_.takes(event_)) return is_message;
      const std::size_t bytes = is_message ? MessageHead::bytes + missing_ : octets.size();
      const std::string what = is_message ? head.text : "octets that begin no GIOP message";
      log_.write({.event = event_,
                  .peer = peer,
                  .operation = head.operation,
                  .reason = what + ", " + std::to_string(bytes) + " octets",
                  .octets = octets.first(std::min(octets.size(), shown(bytes, is_message))),
                  .bytes = bytes});
      return is_message;
    } catch (const std::exception&) {
      return true;
    }
  }

  // Without secret operations, all octets. With them, those that have no values.
  static std::size_t shown(std::size_t bytes, bool is_message) {
    if (!secret_operations::exist()) return bytes;
    return is_message ? MessageHead::bytes : 0;
  }

  EventLog& log_;
  const LogEvent event_;
  const ReadHead read_head_;
  std::size_t missing_ = 0;  // octets of the present message's body
  std::size_t head_size_ = 0;
  std::array<std::uint8_t, MessageHead::bytes> head_{};
};

class TracedStream final : public transport::WrappedStream {
 public:
  TracedStream(std::unique_ptr<Stream> stream, std::shared_ptr<EventLog> log, ReadHead read_head)
      : WrappedStream(std::move(stream), nullptr),
        log_(std::move(log)),
        peer_(inner_->describe()),
        received_(*log_, LogEvent::message_received, read_head),
        sent_(*log_, LogEvent::message_sent, read_head) {}

  transport::IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    return noted(into, inner_->read_stamped(into, age));
  }
  transport::IoResult read(MutableBytes into) override { return noted(into, inner_->read(into)); }
  transport::IoResult write(ByteView octets) override {
    const ByteView pieces[] = {octets};
    return noted(pieces, inner_->write(octets));
  }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    return noted(pieces, inner_->write_gather(pieces));
  }

 private:
  transport::IoResult noted(MutableBytes into, const transport::IoResult& result) {
    noted_read();
    if (result.status == transport::IoStatus::ok) received_.take(into.first(result.bytes), peer_);
    return result;
  }
  transport::IoResult noted(std::span<const ByteView> pieces, const transport::IoResult& result) {
    noted_write();
    for_written(pieces, result.bytes, [this](ByteView written) { sent_.take(written, peer_); });
    return result;
  }

  const std::shared_ptr<EventLog> log_;
  const std::string peer_;
  MessageTrace received_, sent_;
};

}  // namespace

std::unique_ptr<transport::Stream> traced_stream(std::unique_ptr<transport::Stream> stream,
                                                 std::shared_ptr<EventLog> log, ReadHead read_head) {
  return std::make_unique<TracedStream>(std::move(stream), std::move(log), read_head);
}

}  // namespace takt::logs
