// The rules that all strategies share, with connections and threads that the test controls.
#include "server/connection_set.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../rooms/memory_stream.h"
#include "../rooms/rooms.h"
#include "server/write_buffer.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using transport::AcceptError;

class PlayedAcceptor final : public transport::Acceptor {
 public:
  transport::AcceptResult accept() override {
    if (waiting.empty()) return std::unexpected(end);
    auto first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  }
  void set_blocking(bool) override {}
  int native_handle() const override { return -1; }
  transport::Endpoint local_endpoint() const override { return {}; }
  void close() override { closed = true; }

  std::deque<std::unique_ptr<transport::Stream>> waiting;
  AcceptError end = AcceptError::would_block;
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
    return kept;
  }
  using ConnectionSet::accept;
  using ConnectionSet::admit;
  using ConnectionSet::sweep_if_due;
  using ConnectionSet::take_out;

  bool begins = true, all_overdue = false, ends = true, watches = true;
  std::vector<std::string> events;

 private:
  bool watch(Listener&) override { return watches; }
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
bool PlayedConnection::overdue(std::chrono::steady_clock::time_point) { return all_.all_overdue; }
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
    rooms->server.report = [this](const std::string& text) { reports.push_back(text); };
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
  PlayedAcceptor* acceptor = new PlayedAcceptor;  // the set's
};

TEST_F(ConnectionSetTest, ABurstIsAcceptedAtATime) {
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
  come(100);
  EXPECT_EQ(set->accept(listener), AcceptError::would_block);
  EXPECT_EQ(set->connections(), 64u);
  set->accept(listener);
  EXPECT_EQ(set->connections(), 100u);
}

TEST_F(ConnectionSetTest, ThoseBeyondTheLimitAreClosedInGoodOrderAndSaidWhy) {
  rooms->server.options.connections = 2;
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
  come(3);
  set->accept(listener);
  EXPECT_EQ(set->connections(), 2u);
  EXPECT_TRUE(told_close(*wires[2]));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("-ORBMaxConnections"), std::string::npos) << reports[0];
}

TEST_F(ConnectionSetTest, OneThatCannotBeServedIsNotKept) {
  set->begins = false;
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
  come(1);
  set->accept(listener);
  EXPECT_EQ(set->connections(), 0u);
}

TEST_F(ConnectionSetTest, AListenerThatFailsIsNotWatchedAnyMore) {
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
  acceptor->end = AcceptError::failed;
  EXPECT_EQ(set->accept(listener), AcceptError::failed);
  EXPECT_EQ(set->events, Events{"unwatch"});
}

TEST_F(ConnectionSetTest, AListenerThatCannotBeWatchedIsRefused) {
  set->watches = false;
  EXPECT_THROW(set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor)), CORBA::NO_RESOURCES);
}

TEST_F(ConnectionSetTest, ASweepGivesUpThoseThatAreOverdueOnceInItsInterval) {
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
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

TEST_F(ConnectionSetTest, ADrainTellsThoseThatAreServedAndThoseThatWait) {
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
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
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
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
  auto& listener = set->listen_at(std::unique_ptr<PlayedAcceptor>(acceptor));
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

}  // namespace
}  // namespace takt::server
