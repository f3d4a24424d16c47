// Callers that share a connection when one of them is slow, late or has failed.
#include <gtest/gtest.h>

#include "../../eventually.h"
#include "../rooms/rooms.h"

#include <condition_variable>
#include <cstring>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "client/strategy/shared_connection.h"
#include "giop/close.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"

namespace takt::client {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;
using transport::IoResult;
using transport::IoStatus;
using Status = Exchange::Status;

// A stream whose reads block as a socket's do, and whose writes the test controls.
class WaitingStream final : public transport::Stream {
 public:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::uint8_t> incoming;
    bool shut = false;
    int writes = 0;
    bool reads = false;         // a read() waits
    int set_beside_a_read = 0;  // times that a thread set what reads use meanwhile
    std::chrono::nanoseconds write_timeout{0};
    std::function<IoResult(int number, std::size_t octets)> on_write = [](int, std::size_t octets) {
      return IoResult{octets, IoStatus::ok, 0};
    };

    void feed(std::span<const std::uint8_t> octets) {
      std::lock_guard lock(mutex);
      incoming.insert(incoming.end(), octets.begin(), octets.end());
      changed.notify_all();
    }
    void await_writes(int count) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return writes >= count; });
    }
  };
  explicit WaitingStream(Shared& shared) : shared_(shared) {}

  IoResult read(MutableBytes into) override {
    std::unique_lock lock(shared_.mutex);
    shared_.reads = true;
    const bool came =
        shared_.changed.wait_for(lock, 5s, [&] { return shared_.shut || !shared_.incoming.empty(); });
    shared_.reads = false;
    if (!came) return {0, IoStatus::timed_out, 0};
    if (shared_.incoming.empty()) return {0, IoStatus::end_of_stream, 0};
    const std::size_t count = std::min(into.size(), shared_.incoming.size());
    std::memcpy(into.data(), shared_.incoming.data(), count);
    shared_.incoming.erase(shared_.incoming.begin(),
                           shared_.incoming.begin() + static_cast<std::ptrdiff_t>(count));
    return {count, IoStatus::ok, 0};
  }
  IoResult write(ByteView octets) override {
    int number;
    {
      std::lock_guard lock(shared_.mutex);
      number = ++shared_.writes;
      shared_.changed.notify_all();
    }
    return shared_.on_write(number, octets.size());
  }
  IoResult write_gather(std::span<const ByteView> pieces) override { return write(pieces.front()); }
  void set_blocking(bool) override {}
  bool set_timeouts(std::chrono::nanoseconds, std::chrono::nanoseconds write) override {
    std::lock_guard lock(shared_.mutex);
    shared_.set_beside_a_read += shared_.reads;
    shared_.write_timeout = write;
    return true;
  }
  bool set_write_timeout(std::chrono::nanoseconds write) override {
    std::lock_guard lock(shared_.mutex);
    shared_.write_timeout = write;
    return true;
  }
  bool set_silence_limit(std::chrono::nanoseconds) override { return true; }
  int native_handle() const override { return -1; }
  void shut_down() override {
    std::lock_guard lock(shared_.mutex);
    shared_.shut = true;
    shared_.changed.notify_all();
  }
  void shut_down_reading() override { shut_down(); }
  std::string describe() const override { return "waiting"; }

 private:
  Shared& shared_;
};

struct SharedTrouble : ::testing::Test {
  SharedTrouble() {
    connection =
        std::make_unique<SharedConnection>(std::make_unique<WaitingStream>(wire), rooms.client,
                                           giop::Messaging::giop, std::make_shared<ChannelRegistry>());
  }
  // Makes a call in a thread of its own.
  std::future<Exchange> call(std::chrono::nanoseconds timeout, bool response_expected = true) {
    const std::uint32_t id = connection->next_request_id();
    return std::async(std::launch::async, [this, id, timeout, response_expected] {
      GatherBuffer request;
      cdr::Encoder encoder(request);
      const std::uint8_t key[] = {1, 2, 3};
      giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                          {.request_id = id, .operation = "op"});
      giop::finish_message(request);
      Waiter waiter;
      return connection->exchange({request, id, response_expected, false, timeout}, waiter);
    });
  }
  void reply_to_call(std::uint32_t number) {
    const std::uint32_t id = 2 * number;
    GatherBuffer reply;
    cdr::Encoder encoder(reply);
    giop::write_reply(encoder, {1, 2}, {.request_id = id});
    giop::finish_message(reply);
    wire.feed({reply.owned(), reply.owned_size()});
  }

  rooms::Rooms rooms;
  WaitingStream::Shared wire;
  std::unique_ptr<SharedConnection> connection;
};

TEST_F(SharedTrouble, WhoWaitsReadsOnAlthoughOthersStillSend) {
  std::promise<void> room;
  const std::shared_future<void> there_is_room(room.get_future());
  wire.on_write = [there_is_room](int number, std::size_t octets) {
    if (number > 2) there_is_room.wait();  // until the server's octets have been read
    return IoResult{octets, IoStatus::ok, 0};
  };
  auto leader = call(10s);
  wire.await_writes(1);
  std::this_thread::sleep_for(20ms);  // ensures that it reads before the others come
  auto follower = call(10s);
  wire.await_writes(2);
  std::this_thread::sleep_for(20ms);
  std::vector<std::future<Exchange>> senders;
  for (int i = 0; i < 8; ++i) senders.push_back(call(10s));  // one of them sends, and the others would
  wire.await_writes(3);
  std::this_thread::sleep_for(20ms);

  reply_to_call(1);
  EXPECT_EQ(leader.get().status, Status::reply);
  reply_to_call(2);
  EXPECT_EQ(follower.wait_for(5s), std::future_status::ready) << "nobody reads";
  room.set_value();
  for (std::uint32_t number = 3; number <= 10; ++number) reply_to_call(number);
  EXPECT_EQ(follower.get().status, Status::reply);
  for (auto& sender : senders) EXPECT_EQ(sender.get().status, Status::reply);
}

TEST_F(SharedTrouble, AShorterCallLimitsItsWriteAndLeavesTheReaderAlone) {
  std::chrono::nanoseconds limit{0};
  wire.on_write = [&](int number, std::size_t octets) {
    if (number == 2) limit = wire.write_timeout;
    return IoResult{octets, IoStatus::ok, 0};
  };
  auto reader = call(10s);
  wire.await_writes(1);
  const auto reads = [this] {
    std::lock_guard lock(wire.mutex);
    return wire.reads;
  };
  EXPECT_TRUE(eventually(reads));
  auto shorter = call(2s);
  wire.await_writes(2);
  reply_to_call(2);
  reply_to_call(1);
  EXPECT_EQ(shorter.get().status, Status::reply);
  EXPECT_EQ(reader.get().status, Status::reply);
  EXPECT_EQ(wire.set_beside_a_read, 0);
  EXPECT_GT(limit, 0s);
  EXPECT_LE(limit, 2s);
}

TEST_F(SharedTrouble, WhatHasLeftMayHaveRunAlthoughAnotherRequestCouldNotLeave) {
  wire.on_write = [](int number, std::size_t octets) {
    return number == 1 ? IoResult{octets, IoStatus::ok, 0} : IoResult{0, IoStatus::failed, EPIPE};
  };
  auto sent = call(10s);
  wire.await_writes(1);
  std::this_thread::sleep_for(20ms);
  const Exchange not_sent = call(10s).get();
  EXPECT_EQ(not_sent.status, Status::failed);
  EXPECT_FALSE(not_sent.sent_in_part);
  const Exchange cut = sent.get();
  EXPECT_EQ(cut.status, Status::failed);
  EXPECT_TRUE(cut.sent_in_part);
}

TEST_F(SharedTrouble, AnOrderlyCloseThatHasArrivedIsHeardAlthoughNothingCanBeSent) {
  const auto close = giop::close_connection({1, 2});
  wire.feed(std::span(close).first(5));
  wire.on_write = [&](int, std::size_t) {
    wire.feed(std::span(close).subspan(5));
    return IoResult{0, IoStatus::failed, EPIPE};
  };
  EXPECT_EQ(call(10s).get().status, Status::retry);
}

TEST_F(SharedTrouble, AnOrderlyCloseThatTheReaderHasHeardHoldsForAOnewayThatIsBeingSent) {
  wire.on_write = [&](int number, std::size_t octets) {
    if (number == 1) return IoResult{octets, IoStatus::ok, 0};
    wire.feed(giop::close_connection({1, 2}));
    EXPECT_TRUE(eventually([&] { return connection->broken(); }));
    return IoResult{0, IoStatus::failed, EPIPE};
  };
  auto reader = call(10s);
  wire.await_writes(1);
  EXPECT_EQ(call(10s, false).get().status, Status::retry);
  EXPECT_EQ(reader.get().status, Status::retry);
}

// Found by a random seed: another caller's request was sent after the first half of a message, and was taken
// for the rest.
TEST_F(SharedTrouble, NothingFollowsAMessageThatHasLeftInPart) {
  std::promise<void> another_waits;
  wire.on_write = [&](int number, std::size_t octets) {
    if (number == 1) return IoResult{10, IoStatus::ok, 0};
    if (number > 2) return IoResult{octets, IoStatus::ok, 0};
    another_waits.get_future().wait();
    std::this_thread::sleep_for(100ms);  // the time of the call
    return IoResult{0, IoStatus::timed_out, 0};
  };
  auto cut = call(100ms);
  wire.await_writes(2);
  auto another = call(10s);
  std::this_thread::sleep_for(20ms);
  another_waits.set_value();
  EXPECT_EQ(cut.get().status, Status::timeout);
  EXPECT_EQ(another.get().status, Status::retry);
  EXPECT_EQ(wire.writes, 2);
}

TEST_F(SharedTrouble, AWriteThatEndsTooEarlyForItsCallGoesOn) {
  wire.on_write = [&](int number, std::size_t octets) {
    return number < 4 ? IoResult{0, IoStatus::timed_out, 0} : IoResult{octets, IoStatus::ok, 0};
  };
  auto patient = call(10s);
  wire.await_writes(4);
  reply_to_call(1);
  EXPECT_EQ(patient.get().status, Status::reply);
}

TEST_F(SharedTrouble, ACallThatWasNotBegunLeavesTheConnectionToOthers) {
  std::promise<void> late;
  wire.on_write = [&](int number, std::size_t octets) {
    if (number == 1) late.get_future().wait();
    return IoResult{octets, IoStatus::ok, 0};
  };
  auto writing = call(10s);
  wire.await_writes(1);
  const Exchange waited = call(20ms).get();
  EXPECT_EQ(waited.status, Status::timeout);
  EXPECT_FALSE(waited.sent_in_part);
  EXPECT_FALSE(connection->broken());
  late.set_value();
  reply_to_call(1);
  EXPECT_EQ(writing.get().status, Status::reply);
}

TEST_F(SharedTrouble, WhatHasLeftAsAWholeMayHaveRunHoweverLateItLeft) {
  wire.on_write = [](int, std::size_t octets) {
    std::this_thread::sleep_for(30ms);
    return IoResult{octets, IoStatus::ok, 0};
  };
  const Exchange late = call(1ms).get();
  EXPECT_EQ(late.status, Status::timeout);
  EXPECT_TRUE(late.sent_in_part);
  EXPECT_FALSE(connection->broken());
}

}  // namespace
}  // namespace takt::client
