// The contract of client connection strategies, for each of them, observed at the server.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "architectures.h"

namespace feature {
namespace {

class ConnectionStrategy : public Clients {};

TEST_P(ConnectionStrategy, ThreadsUseTheirOwnConnectionsOrOneTogether) {  // 1
  RecordingServer server;
  const auto echo = reach(server);
  in_threads(5, [&] {
    for (int i = 0; i < 20; ++i) echo->nothing();
  });
  std::size_t requests = 0;
  for (const auto& connection : server.connections()) requests += connection.request_ids.size();
  if (GetParam().cached())
    EXPECT_LE(used(server), 5u);
  else
    EXPECT_EQ(used(server), GetParam().shared() ? 1u : 5u);
  EXPECT_EQ(requests, 100u);
}

TEST_P(ConnectionStrategy, NoRequestIdIsUsedTwiceOnAConnection) {  // 2
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

TEST_P(ConnectionStrategy, ABrokenConnectionFailsItsCallAndTheNextOneGetsAnother) {  // 3
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

TEST_P(ConnectionStrategy, AConnectionClosedInGoodOrderBehindAReplyCostsTheNextCallNothing) {  // 3
  RecordingServer server([](std::size_t) { return RecordingServer::Answer::last; });
  const auto echo = reach(server);
  for (int i = 0; i < 20; ++i) EXPECT_NO_THROW(echo->nothing());
  std::size_t requests = 0;
  for (const auto& connection : server.connections()) requests += connection.request_ids.size();
  EXPECT_EQ(requests, 20u);
}

TEST_P(ConnectionStrategy, AConnectionThatBreaksUnderManyFailsEachOfThemOnce) {  // 3
  std::atomic<int> calls{0};
  // Threads that connect at the same time may leave connection 0 unused.
  RecordingServer server([&](std::size_t) {
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

TEST_P(ConnectionStrategy, WhatNobodyNeedsAnyMoreIsClosed) {  // 4
  RecordingServer server;
  const auto echo = reach(server);
  std::thread([&] { echo->nothing(); }).join();  // ends the thread and its channel
  EXPECT_TRUE(eventually([&] { return server.connections()[0].closed; }));
}

TEST_P(ConnectionStrategy, ShuttingTheOrbDownClosesEveryConnection) {  // 4
  RecordingServer server;
  const auto echo = reach(server);
  echo->nothing();
  orb->shutdown(true);
  EXPECT_TRUE(eventually([&] { return server.connections()[0].closed; }));
  EXPECT_THROW(echo->nothing(), CORBA::BAD_INV_ORDER);
}

// The server has not begun requests that it leaves unanswered in an orderly close.
TEST_P(ConnectionStrategy, AnOrderlyCloseSendsCallsElsewhere) {  // 3
  RecordingServer server([](std::size_t number) {
    return number == 0 ? RecordingServer::Answer::close : RecordingServer::Answer::reply;
  });
  const auto echo = reach(server);
  echo->nothing();
  EXPECT_EQ(used(server), 2u);
}

TEST_P(ConnectionStrategy, AReplyEndsTheCallThatItAnswers) {  // 5
  std::atomic<int> calls{0};
  RecordingServer server([&](std::size_t) {
    return ++calls == 1 ? RecordingServer::Answer::keep : RecordingServer::Answer::reply;
  });
  const auto echo = reach(server);
  auto first = std::async(std::launch::async, [&] { echo->nothing(); });
  ASSERT_TRUE(eventually([&] { return server.kept() == 1; }));
  for (int i = 0; i < 10; ++i) echo->nothing();
  EXPECT_EQ(first.wait_for(0s), std::future_status::timeout) << "its reply has not come";
  server.answer_kept();
  first.get();
}

TEST_P(ConnectionStrategy, RepliesComeInAnyOrder) {  // 5
  std::atomic<bool> keep{true};
  RecordingServer server(
      [&](std::size_t) { return keep ? RecordingServer::Answer::keep : RecordingServer::Answer::reply; });
  const auto echo = reach(server);
  std::vector<std::future<void>> callers;
  for (int i = 0; i < 6; ++i) callers.push_back(std::async(std::launch::async, [&] { echo->nothing(); }));
  ASSERT_TRUE(eventually([&] { return server.kept() == 6; }));
  keep = false;
  server.answer_kept();  // in reverse order
  for (auto& caller : callers) caller.get();
}

TEST_P(ConnectionStrategy, AReplyThatComesTooLateIsDropped) {  // 5
  std::atomic<int> calls{0};
  RecordingServer server([&](std::size_t) {
    return ++calls == 2 ? RecordingServer::Answer::keep : RecordingServer::Answer::reply;
  });
  const auto echo = hurried(reach(server), 500ms), patient = hurried(echo, 30s);
  patient->nothing();  // the next call uses the same connection
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TIMEOUT& late) {
    EXPECT_EQ(late.completed(), CORBA::COMPLETED_MAYBE);
  }
  server.answer_kept();
  for (int i = 0; i < 10; ++i) patient->nothing();
}

INSTANTIATE_TEST_SUITE_P(Each, ConnectionStrategy, testing::ValuesIn(architectures),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace feature
