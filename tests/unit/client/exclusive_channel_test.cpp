#include "client/strategy/exclusive_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "../rooms/rooms.h"

#include "../rooms/memory_stream.h"
#include "client/channel/time_steps.h"
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

// Takes ten octets at a time, and 30 ms for them. Notes the time for which each write may block.
class SlowStream final : public rooms::MemoryStream {
 public:
  SlowStream(rooms::Wire& wire, std::vector<std::chrono::nanoseconds>& limits)
      : rooms::MemoryStream(wire), limits_(limits) {}
  IoResult write(ByteView octets) override {
    limits_.push_back(write_timeout_);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return rooms::MemoryStream::write(octets.first(std::min<std::size_t>(octets.size(), 10)));
  }
  IoResult write_gather(std::span<const ByteView> pieces) override { return write(pieces.front()); }
  bool set_timeouts(std::chrono::nanoseconds, std::chrono::nanoseconds write) override {
    write_timeout_ = write;
    return true;
  }

 private:
  std::chrono::nanoseconds write_timeout_{0};
  std::vector<std::chrono::nanoseconds>& limits_;
};

// A time that no machine takes. The channel rounds times that are a little longer to it.
const std::chrono::nanoseconds one_step = in_steps(std::chrono::seconds(20));

void write_request(ExclusiveChannel& channel) {
  cdr::Encoder encoder(channel.out());
  const std::uint8_t key[] = {1, 2, 3};
  giop::write_request(
      encoder, giop::PreparedTarget::for_key({1, 2}, key),
      {.request_id = channel.next_request_id(), .response_flags = giop::no_response, .operation = "op"});
  giop::finish_message(channel.out());
}

TEST(ExclusiveChannel, ARequestThatLeavesInPartsHasOneDeadline) {
  rooms::Rooms rooms;
  rooms::Wire wire;
  std::vector<std::chrono::nanoseconds> limits;
  ExclusiveChannel channel(std::make_unique<SlowStream>(wire, limits), rooms.client, giop::Messaging::giop,
                           std::make_shared<ChannelRegistry>());
  channel.take();
  write_request(channel);
  channel.end_by(std::chrono::steady_clock::now() + one_step + std::chrono::milliseconds(15));
  channel.exchange(2, false, ClientChannel::until_deadline);
  ASSERT_GE(limits.size(), 2u);
  EXPECT_LT(limits[1], one_step);
  channel.done();
}

// Takes a whole message at once, and 60 ms for it. Notes the time for which each read may block.
class ReluctantStream final : public rooms::MemoryStream {
 public:
  ReluctantStream(rooms::Wire& wire, std::vector<std::chrono::nanoseconds>& limits)
      : rooms::MemoryStream(wire), limits_(limits) {}
  IoResult write(ByteView octets) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return {octets.size(), IoStatus::ok, 0};
  }
  IoResult read(MutableBytes) override {
    limits_.push_back(read_timeout_);
    return {0, IoStatus::end_of_stream, 0};
  }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds) override {
    read_timeout_ = read;
    return true;
  }

 private:
  std::chrono::nanoseconds read_timeout_{0};
  std::vector<std::chrono::nanoseconds>& limits_;
};

TEST(ExclusiveChannel, AReplyHasTheTimeThatItsLongRequestHasLeft) {
  for (const bool borrowed : {false, true}) {
    rooms::Rooms rooms;
    rooms::Wire wire;
    std::vector<std::chrono::nanoseconds> limits;
    ExclusiveChannel channel(std::make_unique<ReluctantStream>(wire, limits), rooms.client,
                             giop::Messaging::giop, std::make_shared<ChannelRegistry>());
    const std::vector<std::uint8_t> argument(64 * 1024);
    channel.take();
    write_request(channel);
    if (borrowed)
      channel.out().borrow(argument);
    else
      channel.out().append(argument.data(), argument.size());
    channel.end_by(std::chrono::steady_clock::now() + one_step + std::chrono::milliseconds(30));
    channel.exchange(2, true, ClientChannel::until_deadline);
    ASSERT_FALSE(limits.empty());
    EXPECT_LT(limits.front(), one_step) << borrowed;
    channel.done();
  }
}

TEST(ExclusiveChannel, AOnewayThatHasLeftInPartDoesNotWaitForEver) {
  rooms::Rooms rooms;
  rooms::Wire wire;
  bool waits_for_ever = false;
  ExclusiveChannel channel(std::make_unique<StuckStream>(wire, waits_for_ever), rooms.client,
                           giop::Messaging::giop, std::make_shared<ChannelRegistry>());
  channel.take();
  write_request(channel);
  channel.send_at_once();
  EXPECT_EQ(channel.exchange(2, false, ClientChannel::until_deadline), Exchange::Status::timeout);
  EXPECT_TRUE(channel.ending().sent_in_part);
  EXPECT_FALSE(waits_for_ever);
  EXPECT_TRUE(channel.broken());
  channel.done();
}

}  // namespace
}  // namespace takt::client
