// The rules that all strategies share, with connections and threads that the test controls.
#include "concurrency/connections/connection_set.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../rooms/memory_stream.h"
#include "../rooms/rooms.h"
#include "server/output/write_buffer.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using transport::AcceptError;

class PlayedAcceptor final : public transport::Acceptor {
 public:
  transport::AcceptResult accept() override {
    ++calls;
    if (flood && calls < 100'000) return std::make_unique<rooms::MemoryStream>(*flood);
    if (waiting.empty()) return std::unexpected(turned_down-- > 0 ? AcceptError::exhausted : end);
    auto first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  }
  void set_blocking(bool) override {}
  int native_handle() const override { return handle; }
  transport::Endpoint local_endpoint() const override { return {}; }
  void close() override { closed = true; }

  std::deque<std::unique_ptr<transport::Stream>> waiting;
  AcceptError end = AcceptError::would_block;
  int turned_down = 0;  // clients for whom there is no descriptor, and that are closed with one in reserve
  rooms::Wire* flood = nullptr;  // another client comes for each that is accepted
  int handle = -1;               // never ready
  unsigned calls = 0;
  bool closed = false;
};

class PlayedSet;

class PlayedConnection final : public ServedConnection {
 public:
  PlayedConnection(PlayedSet& all, std::unique_ptr<transport::Stream> stream)
      : all_(all), stream_(std::move(stream)) {}
  transport::Stream& stream() override { return *stream_; }
  bool begin() override;
  bool overdue(std::chrono::steady_clock::time_point) override;
  void give_up() override;
  std::optional<GracefulClose> graceful_close() override;
  ConnectionEnding ending() const override { return {}; }
  void abandon() override;

 private:
  PlayedSet& all_;
  const std::unique_ptr<transport::Stream> stream_;
  const LiveSetting<std::chrono::nanoseconds> patience_{1s};
  WriteBuffer out_{*stream_, 0, patience_};
};

class PlayedSet final : public ConnectionSet {
 public:
  explicit PlayedSet(std::shared_ptr<Server> all) : ConnectionSet(std::move(all)) {}

  Listener& listen_at(std::unique_ptr<PlayedAcceptor> acceptor) {
    auto listener = std::make_unique<Listener>(std::move(acceptor), giop::Messaging::giop);
    Listener& kept = *listener;
    listen(std::move(listener));
    events.clear();
    return kept;
  }
  using ConnectionSet::accept;
  using ConnectionSet::accepting_paused;
  using ConnectionSet::admit;
  using ConnectionSet::listen;
  using ConnectionSet::Listener;
  using ConnectionSet::sweep_if_due;
  using ConnectionSet::take_out;

  bool begins = true, all_overdue = false, ends = true, watches = true;
  unsigned sweeps_that_fail = 0;
  std::vector<std::string> events;

 private:
  bool watch(Listener&) override {
    if (watches) events.emplace_back("watch");
    return watches;
  }
  void unwatch(Listener&) override { events.emplace_back("unwatch"); }
  std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                         const giop::Messaging&) override {
    return std::make_shared<PlayedConnection>(*this, std::move(stream));
  }
  void finish_reading(Clock::time_point) override { events.emplace_back("finish reading"); }
  void end_threads() override {
    EXPECT_TRUE(stopping);
    events.emplace_back("end threads");
  }
  bool ended_by(Clock::time_point) override { return ends; }
};

bool PlayedConnection::begin() { return all_.begins; }
bool PlayedConnection::overdue(std::chrono::steady_clock::time_point) {
  if (all_.sweeps_that_fail == 0) return all_.all_overdue;
  --all_.sweeps_that_fail;
  throw std::bad_alloc();
}
void PlayedConnection::give_up() { all_.take_out(*this); }
std::optional<GracefulClose> PlayedConnection::graceful_close() {
  all_.events.emplace_back("close");
  return GracefulClose{stream_.get(), &out_, {1, 2}};
}
void PlayedConnection::abandon() { all_.events.emplace_back("abandon"); }

class ConnectionSetTest : public ::testing::Test {
 protected:
  using Events = std::vector<std::string>;

  ConnectionSetTest() {
    rooms->server.report = [this](LogEvent, const std::string& text) { reports.push_back(text); };
  }
  void come(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      wires.push_back(std::make_unique<rooms::Wire>());
      acceptor->waiting.push_back(std::make_unique<rooms::MemoryStream>(*wires.back()));
    }
  }
  static bool told_close(const rooms::Wire& wire) {
    return wire.outgoing.size() == 12 && wire.outgoing[7] == 5;  // CloseConnection
  }

  std::vector<std::unique_ptr<rooms::Wire>> wires;
  std::vector<std::string> reports;
  std::shared_ptr<rooms::Rooms> rooms = rooms::Rooms::make();
  std::shared_ptr<PlayedSet> set =
      std::make_shared<PlayedSet>(std::shared_ptr<Server>(rooms, &rooms->server));
  std::unique_ptr<PlayedAcceptor> owned_acceptor =
      std::make_unique<PlayedAcceptor>();  // until the set takes it
  PlayedAcceptor* const acceptor = owned_acceptor.get();
};

TEST_F(ConnectionSetTest, AFewAreAcceptedAtATime) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(10);
  for (const std::size_t count : {4u, 8u, 10u}) {
    EXPECT_EQ(set->accept(listener), AcceptError::would_block);
    EXPECT_EQ(set->connections(), count);
  }
}

TEST_F(ConnectionSetTest, ThoseBeyondTheLimitAreClosedInGoodOrderAndSaidWhy) {
  rooms->server.options.connections = 2;
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(3);
  set->accept(listener);
  EXPECT_EQ(set->connections(), 2u);
  EXPECT_TRUE(told_close(*wires[2]));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("-ORBMaxConnections"), std::string::npos) << reports[0];
}

TEST_F(ConnectionSetTest, OneThatCannotBeServedIsClosedInGoodOrder) {
  set->begins = false;
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(1);
  set->accept(listener);
  EXPECT_EQ(set->connections(), 0u);
  EXPECT_TRUE(told_close(*wires[0])) << "its client may repeat its requests elsewhere";
}

TEST_F(ConnectionSetTest, AListenerThatFailsIsNotWatchedAnyMore) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  acceptor->end = AcceptError::failed;
  EXPECT_EQ(set->accept(listener), AcceptError::failed);
  EXPECT_EQ(set->events, Events{"unwatch"});
}

TEST_F(ConnectionSetTest, AcceptingPausesWhileDescriptorsAreOut) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  acceptor->end = AcceptError::exhausted;
  EXPECT_EQ(set->accept(listener), AcceptError::exhausted);
  EXPECT_EQ(set->events, Events{"unwatch"}) << "a listener that stays ready keeps its thread spinning";
  EXPECT_EQ(reports.size(), 1u);
  set->sweep_if_due();
  EXPECT_EQ(set->events, Events{"unwatch"}) << "the pause is not over";
  std::this_thread::sleep_for(accept_pause);
  set->watches = false;
  set->sweep_if_due();
  EXPECT_TRUE(set->accepting_paused()) << "it could not be watched";
  set->watches = true;
  set->sweep_if_due();
  EXPECT_EQ(set->events, (Events{"unwatch", "watch"}));
  EXPECT_FALSE(set->accepting_paused());
}

TEST_F(ConnectionSetTest, ClientsForWhomThereIsNoDescriptorAreTurnedDownInOneBurst) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  acceptor->turned_down = 3;
  EXPECT_EQ(set->accept(listener), AcceptError::would_block);
  EXPECT_FALSE(set->accepting_paused());
  EXPECT_EQ(set->events, Events{}) << "none waits any more";
}

TEST_F(ConnectionSetTest, APausedListenerIsNotWatchedAfterADrain) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  acceptor->end = AcceptError::exhausted;
  set->accept(listener);
  set->ends = false;
  set->drain(PlayedSet::Clock::now());
  set->events.clear();
  std::this_thread::sleep_for(accept_pause);
  set->sweep_if_due();
  EXPECT_EQ(set->events, Events{});
}

TEST_F(ConnectionSetTest, AListenerThatCannotBeWatchedIsRefused) {
  set->watches = false;
  EXPECT_THROW(set->listen_at(std::move(owned_acceptor)), CORBA::NO_RESOURCES);
}

TEST_F(ConnectionSetTest, ASweepGivesUpThoseThatAreOverdueOnceInItsInterval) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(3);
  set->accept(listener);
  set->all_overdue = true;
  set->sweep_if_due();
  EXPECT_EQ(set->connections(), 3u) << "the first sweep is not due yet";
  std::this_thread::sleep_for(sweep_interval);
  set->sweep_if_due(1h);
  EXPECT_EQ(set->connections(), 0u);
  come(1);
  set->accept(listener);
  set->sweep_if_due(1h);
  EXPECT_EQ(set->connections(), 1u) << "the next one is not due yet";
}

TEST_F(ConnectionSetTest, ASweepThatRunsOutOfMemoryIsMadeAgain) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(3);
  set->accept(listener);
  set->all_overdue = true;
  set->sweeps_that_fail = 1;
  std::this_thread::sleep_for(sweep_interval);
  EXPECT_NO_THROW(set->sweep_if_due(1ms)) << "it would end the thread, and the program";
  std::this_thread::sleep_for(1ms);
  set->sweep_if_due(1ms);
  EXPECT_EQ(set->connections(), 0u);
}

// Both errors leave the listener's handle ready.
TEST_F(ConnectionSetTest, ADrainDoesNotTryForeverToAcceptWhatItCannot) {
  for (const AcceptError error : {AcceptError::exhausted, AcceptError::failed}) {
    const auto one = std::make_shared<PlayedSet>(std::shared_ptr<Server>(rooms, &rooms->server));
    std::array<int, 2> ready{};
    ASSERT_EQ(::pipe(ready.data()), 0);
    ::close(ready[1]);  // the end of a pipe can be read at any time
    auto owned = std::make_unique<PlayedAcceptor>();
    PlayedAcceptor& failing = *owned;
    failing.handle = ready[0];
    failing.end = error;
    auto& listener = one->listen_at(std::move(owned));
    one->ends = false;  // keeps the listener
    one->drain(PlayedSet::Clock::now() + 200ms);
    EXPECT_LE(failing.calls, 100u);
    EXPECT_TRUE(failing.closed);
    EXPECT_EQ(listener.acceptor->native_handle(), ready[0]);
    ::close(ready[0]);
  }
}

TEST_F(ConnectionSetTest, ADrainRejectsNoMoreThanASystemsQueueHolds) {
  rooms::Wire wire;
  acceptor->flood = &wire;
  set->listen_at(std::move(owned_acceptor));
  set->ends = false;
  set->drain(PlayedSet::Clock::now() + 5s);
  EXPECT_LE(acceptor->calls, 4096u);
  EXPECT_TRUE(acceptor->closed);
}

TEST_F(ConnectionSetTest, ADrainTellsThoseThatAreServedAndThoseThatWait) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(1);
  set->accept(listener);
  come(1);
  set->drain(PlayedSet::Clock::now() + 1s);
  EXPECT_EQ(set->events, (Events{"unwatch", "finish reading", "end threads", "close"}));
  EXPECT_TRUE(told_close(*wires[0]));
  EXPECT_TRUE(told_close(*wires[1]));
  EXPECT_EQ(set->connections(), 0u);
  set->events.clear();
  set->drain(PlayedSet::Clock::now());
  EXPECT_EQ(set->events, Events{"end threads"}) << "there is nothing to do again";
}

TEST_F(ConnectionSetTest, ADrainCutsAndTouchesNothingWhileAThreadRunsOn) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(1);
  set->accept(listener);
  set->ends = false;
  set->drain(PlayedSet::Clock::now());
  EXPECT_EQ(set->events, (Events{"unwatch", "finish reading", "end threads", "abandon"}));
  EXPECT_TRUE(wires[0]->shut);
  EXPECT_TRUE(wires[0]->outgoing.empty());
  EXPECT_EQ(set->connections(), 1u);
  set->ends = true;
  set->drain(PlayedSet::Clock::now());
  EXPECT_EQ(set->connections(), 0u);
}

TEST_F(ConnectionSetTest, NobodyIsTakenInAfterADrain) {
  auto& listener = set->listen_at(std::move(owned_acceptor));
  come(1);
  set->accept(listener);
  set->ends = false;
  set->drain(PlayedSet::Clock::now());
  come(1);
  set->accept(listener);
  EXPECT_EQ(set->connections(), 1u);
  const auto late =
      std::make_shared<PlayedConnection>(*set, std::make_unique<rooms::MemoryStream>(*wires[1]));
  EXPECT_FALSE(set->admit(late));
}

TEST_F(ConnectionSetTest, ThoseThatWaitAtAListenerThatComesAfterADrainAreToldToo) {
  set->drain(PlayedSet::Clock::now());
  come(2);
  set->listen(std::make_unique<PlayedSet::Listener>(std::move(owned_acceptor), giop::Messaging::giop));
  EXPECT_TRUE(told_close(*wires[0]));
  EXPECT_TRUE(told_close(*wires[1]));
}

}  // namespace
}  // namespace takt::server
