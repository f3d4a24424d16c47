// A blocking stream and its GIOP state, both used by one thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <takt/transport/stream.h>

#include "client/channel/channel_registry.h"
#include "client/channel/client_channel.h"
#include "client/client.h"
#include "giop/compression/compressor.h"
#include "giop/fragments/fragment.h"

namespace takt::client {

class ExclusiveChannel : public ClientChannel, public BatchChannel, private cdr::Decoder::Source {
 public:
  // `expansion`: maximum expansion of compressed replies, as its requests announce it; 0: the current option.
  ExclusiveChannel(std::unique_ptr<transport::Stream> stream, const Client& client,
                   const giop::Messaging& messaging, std::shared_ptr<ChannelRegistry> registry,
                   std::uint16_t expansion = 0);
  ~ExclusiveChannel() override;

  std::uint32_t next_request_id() override;
  Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                            std::chrono::nanoseconds timeout) override;
  void cancel(std::uint32_t request_id) override;
  BatchChannel* batch_channel() override { return compressor_ || own_names_ ? nullptr : this; }
  std::size_t most_bytes() const override { return untouched_bytes_; }
  bool send_all(const GatherBuffer& requests, std::chrono::nanoseconds timeout) override;
  const giop::Event* receive(std::uint32_t request_id, std::chrono::nanoseconds time) override;
  const Exchange& failure() const override { return ending_; }
  void give_up() override { give_up_waiting(); }
  cdr::Decoder::Source* body_source() override { return this; }
  bool body_was_late() const override { return late_; }
  OctetBuffer borrow(std::size_t bytes) override { return stream_->borrow(bytes); }
  std::string describe() const override { return stream_->describe(); }
  bool ended() override;
  bool may_leave_tcp() const override;
  // Whether a local road may replace the connection.
  bool is_replaceable() const { return stream_->capabilities().replaceable_by_road; }

 protected:
  void tidy() override;
  std::string peer_address() const override { return stream_->peer_address(); }

 private:
  using Clock = std::chrono::steady_clock;

  Exchange::Status exchange_oneway(std::chrono::nanoseconds timeout);
  Exchange::Status not_sent();
  bool send(std::chrono::nanoseconds timeout);
  bool send_in_pieces(std::chrono::nanoseconds timeout);
  bool send_rest(transport::IoResult sent, std::chrono::nanoseconds timeout);
  bool send_pieces(std::chrono::nanoseconds timeout);
  bool goes_on_sending(const transport::IoResult& result);
  // Continues after the first read for a reply; `arrived` is the result of that read.
  Exchange::Status wait_on(transport::IoResult arrived, std::uint32_t request_id,
                           std::chrono::nanoseconds timeout);
  std::optional<Exchange::Status> look_for_reply(std::uint32_t request_id);
  void give_up_waiting();
  bool continues_in_place();
  Exchange::Status unexpected_reply();
  // Records the result of the exchange.
  Exchange::Status end(Exchange::Status status, const char* phase, const char* reason = "", int error = 0);
  Exchange::Status end(const transport::IoResult& result, const char* phase);
  Clock::time_point transfer_ends(Clock::time_point now, std::chrono::nanoseconds timeout) const;
  // If reading shows that the peer rejects us, `error` receives the reason.
  bool orderly_close_pending(int& error);
  void arm(std::chrono::nanoseconds timeout);
  void wait_at_most(std::chrono::nanoseconds time, Clock::time_point now);
  void arm_by_deadline(Clock::time_point now);
  // The wait ended before the deadline, because the system's timer was rounded down.
  bool woke_early(const transport::IoResult& result) const;

  bool body_is_late();
  bool read_exact(MutableBytes into) override;
  HeldOctets read_in_place(std::size_t count) override;

  std::unique_ptr<transport::Stream> stream_;
  giop::Connection protocol_;
  const std::unique_ptr<giop::lite::ClientNames> own_names_;  // null: GIOP only
  std::shared_ptr<ChannelRegistry> registry_;
  const std::size_t fragment_bytes_;
  const std::unique_ptr<giop::compression::Compressor> compressor_;  // null: compression is off
  const std::size_t untouched_bytes_;  // shorter messages are sent uncompressed and whole
  std::size_t short_bytes_;            // shorter messages are sent with no look at the clock, and untouched
  std::chrono::nanoseconds usual_timeout_;
  // The socket's timeout.
  struct Armed {
    std::chrono::nanoseconds timeout{-1};  // -1: none yet, or one for a deadline
    std::chrono::nanoseconds deadline{};   // the one for a deadline; 0: it has none
  };
  Armed armed_;
  Clock::time_point last_oneway_;
  std::vector<ByteView> pieces_;
  giop::FragmentHeaders fragment_headers_;
  std::optional<Clock::time_point> body_ends_;
  bool late_ = false;  // the reply to a completely sent request is late, or the rest of it
};

}  // namespace takt::client
