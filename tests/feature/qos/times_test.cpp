// The standard's times in a request (INVOCATION_POLICIES): when its upcall may begin, and when its reply may
// be sent.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include <takt/server/threading.h>

#include "../../parameter_name.h"
#include "gate.h"
#include "qos_test.h"
#include "raw_peer.h"

namespace feature {
namespace {

using Contexts = std::vector<std::pair<std::uint32_t, Octets>>;
using SystemClock = std::chrono::system_clock;

constexpr std::uint32_t start_time = 27, request_end = 28, reply_end = 30, invocation_policies = 7;

TimeBase::TimeT utc_in(std::chrono::nanoseconds time) {
  return 0x01b21dd213814000 + units(SystemClock::now().time_since_epoch() + time);
}

void append(Octets& to, std::uint64_t value, std::size_t octets) {
  for (std::size_t i = 0; i < octets; ++i) to.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

struct Time {
  std::uint32_t type;
  TimeBase::TimeT utc;
};

// In JacORB's encoding.
Contexts times(const std::vector<Time>& all) {
  Octets data{1, 0, 0, 0};
  append(data, all.size(), 4);
  for (const auto& [type, utc] : all) {
    append(data, type, 4);
    append(data, 24, 4);
    append(data, 1, 8);
    append(data, utc, 8);
    append(data, 0, 8);
  }
  return {{invocation_policies, data}};
}

std::string timeout() { return "IDL:omg.org/CORBA/TIMEOUT:1.0"; }
std::string transient() { return "IDL:omg.org/CORBA/TRANSIENT:1.0"; }
int completed(const Octets& reply) { return reply.empty() ? -1 : reply[reply.size() - 4]; }

class Times : public testing::TestWithParam<const char*> {
 protected:
  ~Times() override { keeper->gate.open(); }

  bool holds() const {
    return GetParam() == std::string("thread-per-connection") || GetParam() == std::string("worker-pool");
  }
  // The reply to one request, on a connection of its own.
  Octets reply_to(const Contexts& contexts, const char* operation = "_get_level", Octets body = {}) {
    RawPeer peer(place.port);
    EXPECT_TRUE(peer.send(request(1, place.key, operation, contexts, true).raw(body).finish()));
    return peer.receive_message();
  }
  Octets set_level(const Contexts& contexts) { return reply_to(contexts, "_set_level", {7, 0, 0, 0}); }

  std::unique_ptr<ServerAndClient> orbs = std::make_unique<ServerAndClient>(
      std::vector<std::string>{"-ORBServerConcurrency", GetParam(), "-ORBServerThreads", "2"});
  CORBA::servant_reference<Keeper> keeper = CORBA::make_reference<Keeper>();
  Place place{orbs->client->object_to_string(orbs->publish<Calls::Echo>(keeper))};
};

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, Times, testing::ValuesIn(server_concurrencies),
                         takt::test::without_hyphens);

TEST_P(Times, ARequestWhoseEndTimeHasPassedIsNotServed) {
  const Octets late = set_level(times({{request_end, utc_in(-1ms)}}));
  EXPECT_EQ(exception_of(late), timeout());
  EXPECT_EQ(completed(late), 1) << "COMPLETED_NO";
  EXPECT_EQ(exception_of(set_level(times({{reply_end, utc_in(-1ms)}}))), timeout());
  EXPECT_EQ(exception_of(set_level(times({{request_end, 0}}))), timeout());
  EXPECT_EQ(keeper->level(), 0) << "an upcall";
  EXPECT_EQ(orbs->server->_requests_too_late(), 3u);
  EXPECT_EQ(exception_of(set_level(times({{request_end, utc_in(1min)}, {reply_end, utc_in(1min)}}))), "");
  EXPECT_EQ(exception_of(set_level(times({{request_end, ~0ull}, {reply_end, ~0ull >> 1}}))), "");
  EXPECT_EQ(keeper->level(), 7);
}

// All threads are busy while the request's time passes in its socket or queue.
TEST_P(Times, AnEndTimeThatPassesWhileTheRequestWaitsCounts) {
  if (GetParam() == std::string("thread-per-connection")) GTEST_SKIP() << "no connection waits for another";
  RawPeer first(place.port), second(place.port);
  ASSERT_TRUE(first.send(request(1, place.key, "nothing").finish()));
  ASSERT_TRUE(keeper->gate.entered_by(1));
  const bool one_thread = GetParam() == std::string("reactive");
  if (!one_thread) {
    ASSERT_TRUE(second.send(request(2, place.key, "nothing").finish()));
    ASSERT_TRUE(keeper->gate.entered_by(2));
  }
  RawPeer third(place.port);
  ASSERT_TRUE(third.send(request(3, place.key, "_set_level", times({{request_end, utc_in(50ms)}}), true)
                             .raw({7, 0, 0, 0})
                             .finish()));
  std::this_thread::sleep_for(100ms);
  keeper->gate.open();
  EXPECT_EQ(exception_of(third.receive_message()), timeout());
  EXPECT_EQ(keeper->level(), 0);
}

TEST_P(Times, AReplyThatComesAfterItsEndTimeIsNoSuccess) {
  RawPeer peer(place.port);
  ASSERT_TRUE(peer.send(request(1, place.key, "nothing", times({{reply_end, utc_in(1s)}})).finish()));
  ASSERT_TRUE(keeper->gate.entered_by(1));
  std::this_thread::sleep_for(1100ms);
  keeper->gate.open();
  const Octets late = peer.receive_message();
  EXPECT_EQ(exception_of(late), timeout());
  EXPECT_EQ(completed(late), 0) << "COMPLETED_YES";
  EXPECT_EQ(orbs->server->_requests_too_late(), 0u) << "it had begun in time";
}

TEST_P(Times, ARequestEndTimeIsNoConcernOfTheReply) {
  RawPeer peer(place.port);
  ASSERT_TRUE(peer.send(request(1, place.key, "nothing", times({{request_end, utc_in(1s)}})).finish()));
  ASSERT_TRUE(keeper->gate.entered_by(1));
  std::this_thread::sleep_for(1100ms);
  keeper->gate.open();
  EXPECT_EQ(exception_of(peer.receive_message()), "");
}

TEST_P(Times, ARequestWaitsForItsStartTimeWhereThatHoldsUpNobodyElse) {
  RawPeer early(place.port);
  const auto start = SystemClock::now() + 400ms;
  ASSERT_TRUE(early.send(request(1, place.key, "_set_level", times({{start_time, utc_in(400ms)}}), true)
                             .raw({7, 0, 0, 0})
                             .finish()));
  if (!holds() && GetParam() != std::string("threading-framework")) {
    EXPECT_EQ(exception_of(early.receive_message()), transient());
    EXPECT_EQ(keeper->level(), 0);
    return;
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(exception_of(reply_to({}, "cube", {2})), "");
  const bool before = SystemClock::now() < start;
  if (before) {
    EXPECT_EQ(keeper->level(), 0);
  }
  EXPECT_EQ(exception_of(early.receive_message()), "");
  EXPECT_GE(SystemClock::now() + 1ms, start);
  EXPECT_EQ(keeper->level(), 7);
}

TEST_P(Times, AStartTimeFartherAwayThanTheServerWaitsIsRefused) {
  const Octets far = set_level(times({{start_time, utc_in(1h)}}));
  EXPECT_EQ(exception_of(far), transient());
  EXPECT_EQ(completed(far), 1);
  EXPECT_EQ(exception_of(set_level(times({{start_time, ~0ull}}))), transient());
  EXPECT_EQ(exception_of(set_level(times({{start_time, utc_in(-1s)}}))), "") << "it has come";
}

TEST_P(Times, AStartBehindTheEndIsTooLate) {
  const auto ends_first = times({{start_time, utc_in(300ms)}, {request_end, utc_in(100ms)}});
  const std::string refused = exception_of(set_level(ends_first));
  EXPECT_TRUE(refused == timeout() || (!holds() && refused == transient())) << refused;
  EXPECT_EQ(keeper->level(), 0);
  const auto start = SystemClock::now() + 5s;
  set_level(times({{start_time, utc_in(5s)}, {request_end, utc_in(3s)}}));
  EXPECT_LT(SystemClock::now(), start) << "it does not wait for a start that cannot be";
}

// A oneway that the server's ORB acknowledges, not the target.
Octets with_server(MessageOctets request) {
  Octets octets = request.finish();
  constexpr std::size_t response_flags = 16;
  octets[response_flags] = 1;
  return octets;
}

TEST_P(Times, AOnewayThatTheServerIsToConfirmIsNotConfirmedWhenItComesTooLate) {
  RawPeer peer(place.port);
  ASSERT_TRUE(peer.send(with_server(
      request(1, place.key, "_set_level", times({{request_end, utc_in(-1s)}}), true).raw({7, 0, 0, 0}))));
  EXPECT_EQ(exception_of(peer.receive_message()), timeout());
  EXPECT_EQ(keeper->level(), 0);
}

TEST(ConfirmedOneways, AreNotConfirmedWhereTheQueueHasNoRoom) {
  ServerAndClient orbs(
      {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1", "-ORBMaxQueuedRequests", "1"});
  const auto keeper = CORBA::make_reference<Keeper>();
  const Place place(orbs.client->object_to_string(orbs.publish<Calls::Echo>(keeper)));
  RawPeer first(place.port), second(place.port);
  ASSERT_TRUE(first.send(request(1, place.key, "nothing").finish()));
  ASSERT_TRUE(keeper->gate.entered_by(1));
  for (const std::uint32_t id : {1, 2})
    ASSERT_TRUE(second.send(with_server(request(id, place.key, "_set_level", {}, true).raw({7, 0, 0, 0}))));
  EXPECT_EQ(exception_of(second.receive_message()), "") << "it waits";
  EXPECT_EQ(exception_of(second.receive_message()), transient());
  keeper->gate.open();
}

TEST_P(Times, WhoWaitsForAStartTimeDoesNotHoldUpTheEndOfTheServer) {
  RawPeer early(place.port);
  ASSERT_TRUE(
      early.send(request(1, place.key, "cube", times({{start_time, utc_in(8s)}}), true).raw({2}).finish()));
  EXPECT_EQ(exception_of(reply_to({}, "cube", {2})), "");
  const auto begin = SystemClock::now();
  orbs->stop_server();
  EXPECT_LT(SystemClock::now() - begin, 7s) << "the start time was waited for";
  const Octets said = early.receive_message();
  if (type_of(said) == reply_type) {
    EXPECT_EQ(exception_of(said), transient());
  }
}

TEST_P(Times, WhatIsNotWellFormedIsPassedOver) {
  const Octets late = times({{request_end, 1}}).front().second;
  for (std::size_t size = 0; size < late.size(); ++size) {
    const Octets cut(late.begin(), late.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(exception_of(reply_to({{invocation_policies, cut}})), "") << size;
  }
  for (const std::size_t at : {0, 4, 7, 12, 15, 16}) {
    Octets wrong = late;
    wrong[at] = 0xff;
    const std::string said = exception_of(reply_to({{invocation_policies, wrong}}));
    EXPECT_TRUE(said.empty()) << at << said;
  }
  Octets many = late;
  many[4] = 0xff, many[5] = 0xff;
  EXPECT_EQ(exception_of(reply_to({{invocation_policies, many}})), "");
}

// The client's times, as the server's filters see them.
class Says final : public takt::RequestFilter {
 public:
  std::optional<takt::RequestQueueId> choose(const takt::ArrivedRequest& request) override {
    const auto data = request.service_context(invocation_policies);
    said = data ? Octets(data->begin(), data->end()) : Octets();
    return {};
  }
  std::optional<TimeBase::TimeT> time(std::uint32_t type) const {
    for (std::size_t at = 8; at + 8 <= said.size(); at += 8 + size_at(at)) {
      at += -at % 4;
      std::uint32_t found;
      std::memcpy(&found, &said[at], 4);
      TimeBase::TimeT utc = 0;
      if (found == type && at + 24 <= said.size()) {
        std::memcpy(&utc, &said[at + 16], 8);
        return utc;
      }
    }
    return {};
  }
  Octets said;

 private:
  std::uint32_t size_at(std::size_t at) const {
    std::uint32_t size;
    std::memcpy(&size, &said[at + 4], 4);
    return size;
  }
};

class SaidTimes : public testing::TestWithParam<const char*> {
 protected:
  SaidTimes() {
    IDL::traits<takt::ThreadingFramework>::narrow(server->resolve_initial_references("ThreadingFramework"))
        ->add_filter(filter);
    const auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    const auto reference = poa->id_to_reference(poa->activate_object(CORBA::make_reference<EchoServant>()));
    poa->the_POAManager()->activate();
    const std::string ior = server->object_to_string(reference);
    takt_server = IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior));
    // The same object, without the component that identifies the server as Takt.
    const Place place(ior);
    std::string key;
    for (const std::uint8_t octet : place.key) {
      char hex[4];
      std::snprintf(hex, sizeof hex, "%%%02x", octet);
      key += hex;
    }
    other_server = IDL::traits<Calls::Echo>::unchecked_narrow(
        client->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(place.port) + "/" + key));
  }
  ~SaidTimes() override {
    takt_server.reset();
    other_server.reset();
    client->destroy();
    server->destroy();
  }
  PolicyRef at(std::uint32_t type, TimeBase::TimeT utc) {
    return policy(client, type, TimeBase::UtcT(utc, 0, 0, 0));
  }
  void expect_about(std::uint32_t type, TimeBase::TimeT utc) {
    const auto said = filter->time(type);
    ASSERT_TRUE(said) << type;
    EXPECT_LE(*said > utc ? *said - utc : utc - *said, units(1s)) << type;
  }

  Orb server =
      make_orb({"-ORBServerConcurrency", "threading-framework", "-ORBListenEndpoints", "iiop://127.0.0.1:0"},
               "server");
  Orb client = make_orb({"-ORBClientConnections", GetParam()}, "client");
  std::shared_ptr<Says> filter = std::make_shared<Says>();
  EchoRef takt_server, other_server;
};

INSTANTIATE_TEST_SUITE_P(EveryMux, SaidTimes,
                         testing::Values("exclusive", "multiplexed", "multiplexed-active"),
                         takt::test::without_hyphens);

TEST_P(SaidTimes, AClientSaysThoseThatItsPoliciesAskFor) {
  other_server->nothing();
  EXPECT_TRUE(filter->said.empty()) << "nobody asked for it";
  const auto soon = utc_in(50ms), later = utc_in(20s), last = utc_in(40s);
  with(other_server, {at(start_time, soon), at(request_end, later), at(reply_end, last)})->nothing();
  EXPECT_EQ(filter->time(start_time), soon);
  expect_about(request_end, later);
  expect_about(reply_end, last);
  EXPECT_GE(utc_in(0s), soon) << "the server has waited for its start";
  with(other_server, {at(reply_end, last)})->nothing();
  EXPECT_FALSE(filter->time(start_time));
  EXPECT_FALSE(filter->time(request_end));
  expect_about(reply_end, last);
}

TEST_P(SaidTimes, RelativeTimeoutsAndDeadlinesBecomeEndTimes) {
  with(other_server, {round_trip(client, 30s)})->nothing();
  expect_about(reply_end, utc_in(30s));
  EXPECT_FALSE(filter->time(request_end));
  with(other_server, {policy(client, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, units(20s))})->nothing();
  expect_about(request_end, utc_in(20s));
  const takt::DeadlineScope in_time(10s);
  other_server->nothing();
  expect_about(reply_end, utc_in(10s));
}

TEST_P(SaidTimes, ATaktServerIsToldWhatRemainsInstead) {
  with(takt_server, {round_trip(client, 30s), at(request_end, utc_in(20s))})->nothing();
  EXPECT_TRUE(filter->said.empty());
  const auto soon = utc_in(10ms);
  with(takt_server, {round_trip(client, 30s), at(start_time, soon)})->nothing();
  EXPECT_EQ(filter->time(start_time), soon);
  EXPECT_FALSE(filter->time(reply_end));
}

}  // namespace
}  // namespace feature
