#include "transport/batch/write_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include <takt/server/late_answer.h>

#include "../rooms/memory_stream.h"
#include "../rooms/rooms.h"
#include "giop/contexts/priorities.h"
#include "giop/header/message_header.h"
#include "giop/message/request.h"
#include "server/channel/server_channel.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using transport::WriteBatch;
using Progress = ServerChannel::Progress;
using Octets = std::vector<std::uint8_t>;
using Ids = std::vector<std::uint32_t>;

// Counts writes. Two threads may write, so what was sent is guarded.
class CountingStream final : public rooms::MemoryStream {
 public:
  struct Sent {
    std::mutex mutex;
    std::condition_variable changed;
    unsigned writes = 0;
    bool fails = false;
  };
  CountingStream(rooms::Wire& wire, Sent& sent) : MemoryStream(wire), sent_(sent) {}
  transport::IoResult write(ByteView octets) override { return write_gather({&octets, 1}); }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    const std::lock_guard lock(sent_.mutex);
    ++sent_.writes;
    sent_.changed.notify_all();
    if (sent_.fails) return {0, transport::IoStatus::failed, EPIPE};
    std::size_t count = 0;
    for (const ByteView piece : pieces) {
      const auto result = MemoryStream::write(piece);
      count += result.bytes;
      if (result.bytes < piece.size()) break;
    }
    return {count, count ? transport::IoStatus::ok : transport::IoStatus::would_block, 0};
  }
  bool has_room_for_small_write() override { return true; }

 private:
  Sent& sent_;
};

// Answers with `reply_bytes` octets, after `in_upcall`.
class Answering final : public Dispatcher {
 public:
  void dispatch(ServerCall& call) noexcept override {
    if (in_upcall) in_upcall(call);
    if (!call.response_expected()) return;
    cdr::Encoder& reply = call.begin_reply(true);
    for (std::size_t i = 0; i < reply_bytes; ++i) reply.put(std::uint8_t{7});
  }
  void dispatch_early(ServerCall& call, EarlyReply& early) noexcept override {
    early.send(call);
    if (in_upcall) in_upcall(call);
  }
  reference::LocateAnswer locate(ByteView) noexcept override { return {}; }
  reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
    return reference::LocalAnswer::by_wire;
  }
  std::function<void(ServerCall&)> in_upcall;
  std::size_t reply_bytes = 4;
};

class Batches : public testing::TestWithParam<ServerChannel::Waiting> {
 protected:
  Batches() {
    rooms->server.dispatcher = &dispatcher;
    rooms->server.options.reply_hold = 1h;  // no reply is written because time has passed
  }
  static Octets request(std::uint32_t id, int priority = -1,
                        std::uint8_t flags = giop::response_from_target) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    const auto data = giop::write_priority_context(static_cast<std::int16_t>(priority));
    std::vector<giop::ServiceContext> contexts;
    if (priority >= 0) contexts.push_back({giop::rt_priority_context, data});
    giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                        {.request_id = id,
                         .response_flags = flags,
                         .operation = "op",
                         .contexts = contexts,
                         .has_body = true});
    giop::finish_message(buffer);
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }
  void feed(const Octets& octets) { wire.incoming.insert(wire.incoming.end(), octets.begin(), octets.end()); }
  void feed(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t id = first; id <= last; ++id) feed(request(id));
  }
  // Serves what has come; one read is enough for it.
  Progress serve() {
    const Progress progress = channel->serve();
    EXPECT_TRUE(wire.incoming.empty());
    return progress;
  }
  // The server knows from now on that the peer pipelines.
  void begin_pipeline() {
    feed(1001, 1002);
    serve();
    const std::lock_guard lock(sent.mutex);
    wire.outgoing.clear();
    sent.writes = 0;
  }
  Ids replies() {
    const std::lock_guard lock(sent.mutex);
    return replies_locked();
  }
  Ids replies_locked() const {
    Ids ids;
    for (std::size_t at = 0; at + 16 <= wire.outgoing.size();) {
      ids.push_back(giop::load_u32(&wire.outgoing[at + 12], false));
      at += 12 + giop::load_u32(&wire.outgoing[at + 8], false);
    }
    return ids;
  }
  // For an upcall that does not return before its client has that reply.
  bool await_reply(std::uint32_t id) {
    std::unique_lock lock(sent.mutex);
    return sent.changed.wait_for(lock, 30s, [&] {
      const Ids ids = replies_locked();
      return std::ranges::find(ids, id) != ids.end();
    });
  }

  rooms::Wire wire;
  CountingStream::Sent sent;
  Answering dispatcher;
  std::shared_ptr<rooms::Rooms> rooms = rooms::Rooms::make();
  std::optional<ServerChannel> channel{std::in_place, std::make_unique<CountingStream>(wire, sent),
                                       GetParam(), rooms->server};
};

TEST_P(Batches, RepliesToRequestsThatWereReadTogetherLeaveInOneWrite) {
  feed(1, 10);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(sent.writes, 2u) << "the first reply of a connection that begins to pipeline leaves alone";
  for (std::uint32_t round = 1; round < 20; ++round) {
    feed(round * 10 + 1, round * 10 + 10);
    EXPECT_EQ(serve(), Progress::wants_read);
    EXPECT_EQ(sent.writes, 2u + round);
  }
  Ids all(200);
  std::iota(all.begin(), all.end(), 1u);
  EXPECT_EQ(replies(), all);
}

TEST_P(Batches, AReplyWaitsForNoRequestThatIsNotComplete) {
  begin_pipeline();
  feed(1, 2);
  const Octets third = request(3);
  feed(Octets(third.begin(), third.end() - 1));
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(replies(), (Ids{1, 2}));
  EXPECT_EQ(sent.writes, 1u);
  feed(Octets(third.end() - 1, third.end()));
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(replies(), (Ids{1, 2, 3}));
}

TEST_P(Batches, AnUpcallThatBlocksDoesNotKeepTheRepliesBeforeIt) {
  begin_pipeline();
  bool client_has_reply = false;
  dispatcher.in_upcall = [&](ServerCall& call) {
    if (call.request_id() == 3) client_has_reply = await_reply(2);
  };
  feed(1, 4);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_TRUE(client_has_reply);
  EXPECT_EQ(replies(), (Ids{1, 2, 3, 4})) << "each once";
}

TEST_P(Batches, EachUpcallThatBlocksIsNoticedAlsoAfterAPause) {
  begin_pipeline();
  for (std::uint32_t id = 10; id < 50; id += 10) {
    bool client_has_reply = false;
    dispatcher.in_upcall = [&](ServerCall& call) {
      if (call.request_id() == id + 1) client_has_reply = await_reply(id);
    };
    feed(id, id + 2);
    serve();
    EXPECT_TRUE(client_has_reply);
    if (id == 20) std::this_thread::sleep_for(50ms);    // the guard sleeps meanwhile
    if (id == 30) std::this_thread::sleep_for(1500ms);  // and its thread ends
  }
  EXPECT_EQ(replies().size(), 12u);
}

TEST_P(Batches, ARequestWithAPriorityFindsNoReplyHeldAndItsReplyIsNotHeld) {
  begin_pipeline();
  std::vector<Ids> before;
  dispatcher.in_upcall = [&](ServerCall&) { before.push_back(replies()); };
  feed(1, 2);
  feed(request(3, 5));
  feed(4, 4);
  EXPECT_EQ(serve(), Progress::wants_read);
  ASSERT_EQ(before.size(), 4u);
  EXPECT_EQ(before[2], (Ids{1, 2}));
  EXPECT_EQ(before[3], (Ids{1, 2, 3}));
  before.clear();
  feed(request(5, 50));
  feed(request(6, 50));
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(before, (std::vector<Ids>{{1, 2, 3, 4}, {1, 2, 3, 4, 5}}));
}

TEST_P(Batches, AThreadWithARealTimePriorityHoldsNoReply) {
  begin_pipeline();
  if (!os::may_use({os::SchedulingClass::fifo, 1})) GTEST_SKIP() << "needs CAP_SYS_NICE";
  std::vector<Ids> before;
  dispatcher.in_upcall = [&](ServerCall&) { before.push_back(replies()); };
  feed(1, 3);
  std::thread serving([&] {
    ASSERT_EQ(os::set_scheduling({os::SchedulingClass::fifo, 1}), 0);
    EXPECT_EQ(serve(), Progress::wants_read);
  });
  serving.join();
  EXPECT_EQ(before, (std::vector<Ids>{{}, {1}, {1, 2}}));
}

// The adapter or a schedule may give it one that the request does not state.
TEST_P(Batches, AnUpcallWithAPriorityOfItsOwnKeepsItUntilItsReplyIsWritten) {
  begin_pipeline();
  static unsigned writes_at_end;
  static const unsigned* writes;
  writes = &sent.writes;
  dispatcher.in_upcall = [](ServerCall& call) {
    if (call.request_id() != 2) return;
    call.at_end({[](std::uint64_t) noexcept { writes_at_end = *writes; }, 0});
    call.leave_before_end();
  };
  feed(1, 4);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(writes_at_end, 1u);
  EXPECT_EQ(replies(), (Ids{1, 2, 3, 4}));
}

TEST_P(Batches, ANoticeThatTheServerHasARequestIsNotHeld) {
  begin_pipeline();
  Ids before;
  dispatcher.in_upcall = [&](ServerCall& call) {
    if (call.request_id() == 3) before = replies();
  };
  feed(1, 2);
  feed(request(3, -1, giop::response_from_server));
  feed(4, 4);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(before, (Ids{1, 2, 3}));
  EXPECT_EQ(replies(), (Ids{1, 2, 3, 4}));
}

TEST_P(Batches, AfterASlowUpcallAFewRepliesAreNotHeld) {
  begin_pipeline();
  rooms->server.options.reply_hold = 1ns;
  feed(1, 2);
  serve();
  EXPECT_EQ(sent.writes, 2u);
  rooms->server.options.reply_hold = 1h;
  feed(3, 20);
  serve();
  // Twice as many for the second pause, of which its own reply was one; then all the others in one write.
  EXPECT_EQ(sent.writes, 2u + 2 * WriteBatch::first_after_pause - 1 + 1);
}

TEST_P(Batches, NoReplyIsHeldWhileUpcallsAreSlow) {
  begin_pipeline();
  rooms->server.options.reply_hold = 1ns;  // every upcall is slow
  feed(1, 8);
  serve();
  EXPECT_EQ(sent.writes, 8u);
  rooms->server.options.reply_hold = 1h;
  for (std::uint32_t i = 0; i < WriteBatch::most_after_pause / 2; ++i) {
    EXPECT_EQ(sent.writes, 8u + 2 * i);
    feed(i * 2 + 9, i * 2 + 10);
    serve();
  }
  sent.writes = 0;
  feed(501, 510);
  serve();
  EXPECT_EQ(sent.writes, 1u);
}

TEST_P(Batches, WithoutAHoldEachReplyIsWrittenAtOnce) {
  rooms->server.options.reply_hold = 0ns;
  feed(1, 10);
  serve();
  feed(11, 20);
  serve();
  EXPECT_EQ(sent.writes, 20u);
  EXPECT_EQ(rooms->server.reply_guard.get([] { return nullptr; }), nullptr) << "no thread";
}

TEST_P(Batches, AHoldThatBecomesZeroCountsAtOnce) {
  begin_pipeline();
  rooms->server.options.reply_hold = 0ns;
  feed(1, 10);
  serve();
  EXPECT_EQ(sent.writes, 10u);
}

TEST_P(Batches, LongRepliesAreNotHeldButLeaveWithThoseBefore) {
  begin_pipeline();
  dispatcher.in_upcall = [this](ServerCall& call) {
    dispatcher.reply_bytes = call.request_id() == 3 ? WriteBatch::most_message_bytes : 4;
  };
  feed(1, 5);
  serve();
  EXPECT_EQ(sent.writes, 2u) << "three, and two";
  EXPECT_EQ(replies(), (Ids{1, 2, 3, 4, 5}));
}

TEST_P(Batches, HoldALimitedNumberOfOctets) {
  begin_pipeline();
  dispatcher.reply_bytes = WriteBatch::most_message_bytes - 100;
  feed(1, 10);
  serve();
  EXPECT_EQ(sent.writes, 2u) << "the ninth reply reaches the limit";
  EXPECT_EQ(replies().size(), 10u);
}

TEST_P(Batches, EndWhenRequestsArriveOneByOne) {
  begin_pipeline();
  for (std::uint32_t id = 1; id <= 200; ++id) {
    feed(id, id);
    serve();
    EXPECT_EQ(sent.writes, id) << "at once";
  }
  feed(201, 210);
  serve();
  EXPECT_EQ(sent.writes, 202u) << "begin anew";
  EXPECT_EQ(replies().size(), 210u);
}

TEST_P(Batches, OnewaysAmongThemGetNoReply) {
  begin_pipeline();
  feed(1, 2);
  feed(request(3, -1, giop::no_response));
  feed(4, 4);
  feed(request(5, -1, giop::no_response));
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(sent.writes, 1u);
  EXPECT_EQ(replies(), (Ids{1, 2, 4}));
}

TEST_P(Batches, OnewaysDoNotKeepRepliesForLongerThanOthers) {
  begin_pipeline();
  std::vector<Ids> before;
  dispatcher.in_upcall = [&](ServerCall& call) {
    before.push_back(replies());
    if (call.request_id() == 2) rooms->server.options.reply_hold = 1ns;
  };
  feed(1, 1);
  feed(request(2, -1, giop::no_response));
  feed(request(3, -1, giop::no_response));
  feed(4, 4);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(before, (std::vector<Ids>{{}, {}, {1}, {1}}));
  EXPECT_EQ(replies(), (Ids{1, 4}));
}

TEST_P(Batches, AnAnswerThatIsGivenLaterLeavesAfterTheRepliesBefore) {
  begin_pipeline();
  std::optional<LateAnswer> late;
  Ids before;
  dispatcher.in_upcall = [&](ServerCall& call) {
    if (call.request_id() != 3) return;
    late.emplace(call, "op");
    before = replies();
  };
  feed(1, 5);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(before, (Ids{1, 2}));
  EXPECT_EQ(replies(), (Ids{1, 2, 4, 5}));
  late.reset();
  EXPECT_EQ(replies(), (Ids{1, 2, 4, 5, 3}));
  feed(6, 7);
  EXPECT_EQ(serve(), Progress::wants_read);
  EXPECT_EQ(replies(), (Ids{1, 2, 4, 5, 3, 6, 7}));
}

TEST_P(Batches, AStreamThatFailsWhileTheGuardWritesEndsTheConnection) {
  begin_pipeline();
  dispatcher.in_upcall = [&](ServerCall& call) {
    if (call.request_id() != 2) return;
    std::unique_lock lock(sent.mutex);
    sent.fails = true;
    const unsigned before = sent.writes;
    EXPECT_TRUE(sent.changed.wait_for(lock, 30s, [&] { return sent.writes != before; }));
  };
  feed(1, 3);
  EXPECT_EQ(channel->serve(), Progress::closed);
}

TEST_P(Batches, AStreamThatFailsBeforeABodyIsAwaitedEndsTheConnection) {
  if (GetParam() == ServerChannel::Waiting::reactive) GTEST_SKIP() << "it waits for no body";
  begin_pipeline();
  constexpr std::size_t body_bytes = 100'000;
  Octets long_oneway = request(3, -1, giop::no_response);
  long_oneway.resize(long_oneway.size() + body_bytes);
  const auto size = static_cast<std::uint32_t>(long_oneway.size() - giop::header_size);
  std::memcpy(&long_oneway[8], &size, sizeof size);
  const auto middle = long_oneway.end() - body_bytes / 2;
  bool began = false;
  dispatcher.in_upcall = [&](ServerCall& call) {
    const std::lock_guard lock(sent.mutex);
    sent.fails = call.request_id() == 2;
    if (call.request_id() != 3) return;
    began = call.body_arrives();
    feed(Octets(middle, long_oneway.end()));
  };
  feed(1, 2);
  feed(Octets(long_oneway.begin(), middle));
  Progress progress = Progress::wants_read;
  while (!wire.incoming.empty() && progress == Progress::wants_read) progress = channel->serve();
  EXPECT_TRUE(began);
  EXPECT_EQ(progress, Progress::closed);
  EXPECT_EQ(replies(), Ids());
}

TEST_P(Batches, AChannelMayEndInTheMiddleOfABatch) {
  begin_pipeline();
  feed(1, 2);
  feed(Octets(20, 0xff));
  EXPECT_EQ(channel->serve(), Progress::closed);
  const std::size_t sent_by_then = wire.outgoing.size();
  channel.reset();
  EXPECT_EQ(wire.outgoing.size(), sent_by_then);
  ASSERT_EQ(wire.outgoing[7], 1) << "a reply";
  const Ids ids = replies();
  ASSERT_GE(ids.size(), 2u);
  EXPECT_EQ((Ids{ids[0], ids[1]}), (Ids{1, 2})) << "before MessageError";
}

// The rest waits until the peer reads again.
TEST_P(Batches, APeerThatDoesNotReadGetsEachReplyOnceItDoes) {
  if (GetParam() == ServerChannel::Waiting::blocking) GTEST_SKIP() << "the write waits";
  begin_pipeline();
  wire.write_limit = 30;
  feed(1, 10);
  EXPECT_EQ(channel->serve(), Progress::wants_write);
  wire.write_limit = SIZE_MAX;
  EXPECT_EQ(channel->flush(), Progress::wants_read);
  EXPECT_EQ(replies(), (Ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

INSTANTIATE_TEST_SUITE_P(Channels, Batches,
                         testing::Values(ServerChannel::Waiting::blocking, ServerChannel::Waiting::reactive),
                         [](const auto& info) {
                           return info.param == ServerChannel::Waiting::blocking ? "Blocking" : "Reactive";
                         });

}  // namespace
}  // namespace takt::server
