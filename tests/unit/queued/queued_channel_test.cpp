#include "queued/queued_channel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "../rooms/memory_stream.h"
#include "../rooms/rooms.h"
#include "../system_priority.h"
#include "base/fair_turn.h"
#include "giop/message/request.h"
#include "queued/queue_workers.h"
#include "server/request/request_urgency.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using Octets = std::vector<std::uint8_t>;

// Answers once the gate is open.
struct Gated final : Dispatcher {
  void dispatch(ServerCall& call) noexcept override {
    open.wait(false);
    if (call.response_expected()) call.begin_reply().put(call.request_id());
  }
  reference::LocateAnswer locate(ByteView) noexcept override { return {}; }
  reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
    return reference::LocalAnswer::by_wire;
  }
  std::atomic<bool> open{false};
};

struct CountingWrites final : rooms::MemoryStream {
  CountingWrites(rooms::Wire& wire, std::atomic<int>& count) : MemoryStream(wire), writes(count) {}
  transport::IoResult write(ByteView octets) override {
    const auto result = MemoryStream::write(octets);
    ++writes;
    return result;
  }
  std::atomic<int>& writes;
};

// Room for its writes comes by reading, and never does.
struct WithoutRoom final : rooms::MemoryStream, transport::SelfPacing {
  WithoutRoom(rooms::Wire& wire, const std::atomic<bool>& broken)
      : MemoryStream(wire, {.self_pacing = this}), broken(broken) {}
  transport::IoResult write(ByteView) override {
    return {0, broken ? transport::IoStatus::failed : transport::IoStatus::would_block, broken ? EPIPE : 0};
  }
  transport::IoResult write_gather(std::span<const ByteView>) override { return write({}); }
  os::TimePoint next_read_deadline() override { return os::no_deadline; }
  bool write_waits_for_read() const override { return true; }
  bool holds_unsent() override { return true; }
  void probe_silent_peer(os::TimePoint) override {}
  const std::atomic<bool>& broken;
};

struct OneQueue final : QueuedChannel::Host {
  explicit OneQueue(QueueWorkers& all) : workers(all) {}
  QueueWorkers& choose(QueuedChannel&, const giop::Event&, const giop::KnownContexts&,
                       const RequestTiming*) override {
    if (other_waits) std::this_thread::sleep_for(FairTurn::span);
    return workers;
  }
  bool begin(QueuedChannel&) override { return true; }
  void watch(QueuedChannel&, os::Interest interest) override { watched = interest; }
  void end(QueuedChannel&) override {}
  bool delay(QueuedChannel&, QueuedChannel::Clock::time_point) override { return false; }
  bool others_wait(QueuedChannel&) override { return other_waits; }
  os::SharedLoan& reader_loan() override { return loan; }
  QueueWorkers& workers;
  os::SharedLoan loan;
  bool other_waits = false;
  std::atomic<os::Interest> watched{os::Interest::none};
};

class QueuedReplies : public testing::Test {
 protected:
  QueuedReplies() {
    rooms->server.dispatcher = &gated;
    rooms->server.options.reply_hold = 1s;
    EXPECT_EQ(workers->start(workers), 0);
  }
  ~QueuedReplies() override {
    workers->finish();
    EXPECT_TRUE(workers->ended_by(std::chrono::steady_clock::now() + 10s));
  }
  static Octets request(std::uint32_t id, std::uint8_t flags) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                        {.request_id = id, .response_flags = flags, .operation = "op", .has_body = true});
    giop::finish_message(buffer);
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }
  void await_served() {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (channel->pending() != 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(1ms);
    EXPECT_EQ(channel->pending(), 0u);
  }
  // Lets a thread serve that many requests, which are read together, and returns the number of writes.
  int writes_for(std::uint32_t requests, std::uint8_t flags_of_last = giop::response_from_target) {
    wire.outgoing.clear();
    writes = 0;
    gated.open = false;
    for (std::uint32_t id = 1; id <= requests; ++id) {
      const Octets one = request(id, id == requests ? flags_of_last : giop::response_from_target);
      wire.incoming.insert(wire.incoming.end(), one.begin(), one.end());
    }
    EXPECT_TRUE(channel->on_ready(os::Interest::read));
    EXPECT_EQ(wire.incoming.size(), 0u);
    gated.open = true;
    gated.open.notify_all();
    await_served();
    channel->say_closed();  // waits for the thread
    EXPECT_EQ(wire.outgoing.size(),
              reply_bytes * (requests - (flags_of_last == giop::no_response ? 1 : 0)) + close_bytes);
    return writes - 1;
  }

  static constexpr std::size_t reply_bytes = 28, close_bytes = 12;
  std::shared_ptr<rooms::Rooms> rooms = rooms::Rooms::make();
  Gated gated;
  rooms::Wire wire;
  std::atomic<int> writes{0};
  std::shared_ptr<QueueWorkers> workers = std::make_shared<QueueWorkers>(
      PoolThreads{.buffer = std::make_shared<BufferBounds>(100, 0)}, rooms->server);
  OneQueue host{*workers};
  std::shared_ptr<QueuedChannel> channel = std::make_shared<QueuedChannel>(
      std::make_unique<CountingWrites>(wire, writes), rooms->server, host,
      giop::Connection(giop::Connection::Role::server, *rooms->server.protocol.limits));
};

// A thread that loses its processor for a millisecond has its replies written for it, so this tries again.
TEST_F(QueuedReplies, ToRequestsThatWereReadTogetherLeaveTogether) {
  for (const std::uint8_t last : {giop::response_from_target, giop::no_response}) {
    int fewest = 100;
    for (int round = 0; round < 50 && fewest > 1; ++round) fewest = std::min(fewest, writes_for(10, last));
    EXPECT_EQ(fewest, 1);
  }
}

// Otherwise the reader would be told of the connection for ever.
TEST_F(QueuedReplies, ThatCannotBeSentWhileTheChannelReadsEndIt) {
  std::atomic<bool> broken{false};
  channel = std::make_shared<QueuedChannel>(
      std::make_unique<WithoutRoom>(wire, broken), rooms->server, host,
      giop::Connection(giop::Connection::Role::server, *rooms->server.protocol.limits));
  wire.incoming = request(1, giop::response_from_target);
  gated.open = true;
  ASSERT_TRUE(channel->on_ready(os::Interest::read));
  await_served();
  EXPECT_TRUE(channel->on_ready(os::Interest::read));
  broken = true;
  EXPECT_FALSE(channel->on_ready(os::Interest::read));
}

TEST_F(QueuedReplies, ThatAreLateAndHaveNoMemoryEndTheConnection) {
  LateSender& late = *channel;
  LateTicket ticket;
  ASSERT_EQ(late.begin(ticket), LateSender::Begun::due);
  late.send(ticket, nullptr);
  EXPECT_TRUE(wire.shut);
  EXPECT_STREQ(channel->noted_ending(), reply_not_sent);
  EXPECT_FALSE(late.is_due());
  EXPECT_EQ(rooms->server.due_answers.count(), 0u);
}

// A peer that floods its connection would delay all others by as many requests as one read brings.
TEST_F(QueuedReplies, ToManyRequestsThatCameTogetherLeaveTheReaderToOtherConnections) {
  constexpr std::uint32_t requests = 60;
  for (std::uint32_t id = 1; id <= requests; ++id) {
    const Octets one = request(id, giop::response_from_target);
    wire.incoming.insert(wire.incoming.end(), one.begin(), one.end());
  }
  host.other_waits = true;
  ASSERT_TRUE(channel->on_ready(os::Interest::read));
  EXPECT_EQ(channel->pending(), 1u);
  EXPECT_EQ(host.watched, os::Interest::write) << "what has arrived comes before further octets";
  std::uint32_t turns = 1;
  for (; channel->pending() < requests && turns < requests; ++turns)
    ASSERT_TRUE(channel->on_ready(host.watched.exchange(os::Interest::none)));
  EXPECT_EQ(channel->pending(), requests);
  EXPECT_GT(turns, 1u);
  EXPECT_EQ(host.watched, os::Interest::read);
  gated.open = true;
  gated.open.notify_all();
  await_served();
}

TEST_F(QueuedReplies, TheReaderOfUrgentRequestsKeepsTheirPriorityUntilTheConnectionEnds) {
  static constexpr int low = 10, urgent = 40;
  struct Urgent final : RequestUrgency {
    int urgency_of(ByteView, std::int16_t) noexcept override { return urgent; }
  };
  struct NoRequests final : OwnRequests {
    void deliver(const giop::Event&) override {}
    void end(Ending) override {}
    bool waits() const override { return false; }
  };
  if (!os::may_use({os::SchedulingClass::fifo, urgent})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  Urgent urgencies;
  const auto lent = std::make_shared<QueueWorkers>(
      PoolThreads{.buffer = std::make_shared<BufferBounds>(100, 0), .urgencies = &urgencies}, rooms->server);
  ASSERT_EQ(lent->start(lent), 0);
  OneQueue lending(*lent);
  channel = std::make_shared<QueuedChannel>(
      std::make_unique<CountingWrites>(wire, writes), rooms->server, lending,
      giop::Connection(giop::Connection::Role::server, *rooms->server.protocol.limits));
  gated.open = true;
  std::thread([&] {
    EXPECT_EQ(os::set_scheduling({os::SchedulingClass::fifo, low}), 0);
    const os::SharedLoan::Borrowing borrowing(lending.loan);
    const auto read_one = [&](std::uint32_t id) {
      const Octets one = request(id, giop::response_from_target);
      wire.incoming.insert(wire.incoming.end(), one.begin(), one.end());
      EXPECT_TRUE(channel->on_ready(os::Interest::read));
      await_served();
      return unit::system_priority_of();
    };
    EXPECT_EQ(read_one(2), low) << "only bidirectional connections carry requests of all priorities";
    channel->open_bidirectional(std::make_shared<NoRequests>());
    EXPECT_EQ(read_one(4), urgent);
    EXPECT_EQ(read_one(6), urgent);
    channel->close();
    EXPECT_EQ(unit::system_priority_of(), low);
    channel->close();
    EXPECT_EQ(unit::system_priority_of(), low);
  }).join();
  lent->finish();
  EXPECT_TRUE(lent->ended_by(std::chrono::steady_clock::now() + 10s));
}

TEST_F(QueuedReplies, AreWrittenOneByOneWithoutTheOption) {
  rooms->server.options.reply_hold = 0ns;
  EXPECT_EQ(writes_for(10), 10);
}

TEST_F(QueuedReplies, AreNotHeldWhenRequestsComeAlone) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(writes_for(1), 1);
  EXPECT_GE(writes_for(3), 1);
}

}  // namespace
}  // namespace takt::server
