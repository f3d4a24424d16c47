#include "client/strategy/exclusive_channel.h"

#include <gtest/gtest.h>

#include "../rooms/rooms.h"

#include "../rooms/memory_stream.h"
#include "giop/message/request.h"

namespace takt::client {
namespace {

using transport::IoResult;
using transport::IoStatus;

// A stream whose peer accepts ten octets and no more.
class StuckStream final : public rooms::MemoryStream {
 public:
  StuckStream(rooms::Wire& wire, bool& waits_for_ever)
      : rooms::MemoryStream(wire), waits_for_ever_(waits_for_ever) {}
  IoResult write(ByteView octets) override {
    if (!std::exchange(taken_, true)) return rooms::MemoryStream::write(octets.first(10));
    if (!blocking_) return {0, IoStatus::would_block, 0};
    waits_for_ever_ |= write_timeout_.count() == 0;
    return {0, IoStatus::timed_out, 0};
  }
  IoResult write_gather(std::span<const ByteView> pieces) override { return write(pieces.front()); }
  void set_blocking(bool blocking) override { blocking_ = blocking; }
  bool set_timeouts(std::chrono::nanoseconds, std::chrono::nanoseconds write) override {
    write_timeout_ = write;
    return true;
  }

 private:
  bool taken_ = false, blocking_ = true;
  std::chrono::nanoseconds write_timeout_{0};
  bool& waits_for_ever_;
};

TEST(ExclusiveChannel, AOnewayThatHasLeftInPartDoesNotWaitForEver) {
  rooms::Rooms rooms;
  rooms::Wire wire;
  bool waits_for_ever = false;
  ExclusiveChannel channel(std::make_unique<StuckStream>(wire, waits_for_ever), rooms.client,
                           giop::Messaging::giop, std::make_shared<ChannelRegistry>());
  channel.take();
  cdr::Encoder encoder(channel.out());
  const std::uint8_t key[] = {1, 2, 3};
  giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key), channel.next_request_id(),
                      giop::no_response, "op", {}, false);
  giop::finish_message(channel.out());
  channel.send_at_once();
  EXPECT_EQ(channel.exchange(2, false, ClientChannel::until_deadline), Exchange::Status::timeout);
  EXPECT_TRUE(channel.ending().sent_in_part);
  EXPECT_FALSE(waits_for_ever);
  EXPECT_TRUE(channel.broken());
  channel.done();
}

}  // namespace
}  // namespace takt::client
