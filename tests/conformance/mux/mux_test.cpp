// The contract of connection/mux/mux.h, for each of its answers, seen from the server.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <set>

#include "orbs.h"
#include "recording_server.h"

namespace feature {
namespace {

using namespace std::chrono_literals;

class Mux : public testing::TestWithParam<const char*> {
 protected:
  Mux() : orb(make_orb({"-ORBClientConnections", GetParam()}, "mux")) {}
  ~Mux() override { orb->destroy(); }
  bool shared() const { return std::string(GetParam()) == "multiplexed"; }
  EchoRef reach(const RecordingServer& server) {
    return takt::connection::make_stub<::Calls::Echo>(orb->string_to_object(server.url())->_ref());
  }
  // Each in a thread of its own, all at the same time.
  template <class Body>
  static void in_threads(int count, Body body) {
    std::barrier together(count);
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&] {
        together.arrive_and_wait();
        body();
        together.arrive_and_wait();  // no connection is given up before all are done
      });
  }
  template <class Holds>
  static bool soon(Holds holds) {
    for (int i = 0; i < 500; ++i, std::this_thread::sleep_for(10ms))
      if (holds()) return true;
    return false;
  }

  Orb orb;
};

TEST_P(Mux, ThreadsUseTheirOwnConnectionsOrOneTogether) {  // 1
  RecordingServer server;
  const auto echo = reach(server);
  in_threads(5, [&] {
    for (int i = 0; i < 20; ++i) echo->nothing();
  });
  const auto connections = server.connections();
  std::size_t used = 0, requests = 0;
  for (const auto& connection : connections) {
    used += connection.request_ids.empty() ? 0 : 1;
    requests += connection.request_ids.size();
  }
  EXPECT_EQ(used, shared() ? 1u : 5u);
  EXPECT_EQ(requests, 100u);
}

TEST_P(Mux, NoRequestIdIsUsedTwiceOnAConnection) {  // 2
  RecordingServer server;
  const auto echo = reach(server);
  in_threads(8, [&] {
    for (int i = 0; i < 50; ++i) echo->nothing();
  });
  for (const auto& connection : server.connections()) {
    const std::set<std::uint32_t> distinct(connection.request_ids.begin(), connection.request_ids.end());
    EXPECT_EQ(distinct.size(), connection.request_ids.size());
  }
}

TEST_P(Mux, ABrokenConnectionFailsItsCallAndTheNextOneGetsAnother) {  // 3
  RecordingServer server([](std::size_t number) {
    return number == 0 ? RecordingServer::Answer::cut : RecordingServer::Answer::reply;
  });
  const auto echo = reach(server);
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::COMM_FAILURE& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
  }
  echo->nothing();
  EXPECT_EQ(server.connections().size(), 2u);
}

TEST_P(Mux, AConnectionThatBreaksUnderManyFailsEachOfThemOnce) {  // 3
  std::atomic<int> calls{0};
  RecordingServer server([&](std::size_t) {  // threads that connect at once may leave connection 0 unused
    return ++calls == 20 ? RecordingServer::Answer::cut : RecordingServer::Answer::reply;
  });
  const auto echo = reach(server);
  std::atomic<int> failed{0};
  in_threads(4, [&] {
    for (int i = 0; i < 30; ++i) try {
        echo->nothing();
      } catch (const CORBA::COMM_FAILURE&) {
        ++failed;
      }
  });
  EXPECT_GE(failed, 1);
  EXPECT_LE(failed, 4);
}

TEST_P(Mux, WhatNobodyNeedsAnyMoreIsClosed) {  // 4
  RecordingServer server;
  const auto echo = reach(server);
  std::thread([&] { echo->nothing(); }).join();  // the thread ends, and with it its channel
  EXPECT_TRUE(soon([&] { return server.connections()[0].closed; }));
}

TEST_P(Mux, ShuttingTheOrbDownClosesEveryConnection) {  // 4
  RecordingServer server;
  const auto echo = reach(server);
  echo->nothing();
  orb->shutdown(true);
  EXPECT_TRUE(soon([&] { return server.connections()[0].closed; }));
  EXPECT_THROW(echo->nothing(), CORBA::BAD_INV_ORDER);
}

INSTANTIATE_TEST_SUITE_P(Each, Mux, testing::Values("exclusive", "multiplexed"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace feature
