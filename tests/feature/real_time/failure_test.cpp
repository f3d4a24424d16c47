// Failing thread creation, full lanes, and clients that lie.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "../caught.h"
#include "raw_peer.h"
#include "station_servant.h"

namespace real_time {
namespace {

using namespace std::chrono_literals;

// While this object exists, the process gets only little more address space.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    ::getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit tight = before_;
    tight.rlim_cur = pages * 4096 + (256ul << 20);
    ::setrlimit(RLIMIT_AS, &tight);
  }
  ~NoMoreMemory() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};
constexpr std::uint32_t stack_that_is_too_big = 1u << 30;

// With and without a buffer for requests.
class ThreadFailure : public testing::TestWithParam<bool> {
 protected:
  ~ThreadFailure() override { station->let_go(1000); }
  RTCORBA::ThreadpoolId make_pool(std::uint32_t threads, std::uint32_t more) {
    return orbs.rt->create_threadpool(stack_that_is_too_big, threads, more, 1, GetParam(), 5, 0);
  }
  ProbeRef probe_of(RTCORBA::ThreadpoolId pool) {
    const auto poa = orbs.make_poa({orbs.rt->create_threadpool_policy(pool)});
    return orbs.to_client(poa->id_to_reference(poa->activate_object(station)));
  }
  std::future<void> call(const ProbeRef& probe) {
    return std::async(std::launch::async, [probe] { probe->look(); });
  }

  TwoOrbs orbs;
  CORBA::servant_reference<Station> station = CORBA::make_reference<Station>(orbs.server);
};

TEST_P(ThreadFailure, APoolWhoseThreadsCannotBeHadIsRefusedAndTheOthersServe) {
  const auto others = orbs.probe(orbs.root);
  others->look();
  {
    const NoMoreMemory no_more;
    EXPECT_THROW(make_pool(2, 0), CORBA::NO_RESOURCES);
    EXPECT_THROW(orbs.rt->create_threadpool_with_lanes(stack_that_is_too_big, {{1, 1, 0}, {2, 1, 0}}, true,
                                                       GetParam(), 5, 0),
                 CORBA::NO_RESOURCES);
    EXPECT_EQ(others->look().corba_priority(), -1);
  }
  const auto probe = probe_of(make_pool(2, 0));
  station->let_go(1);
  EXPECT_EQ(probe->look().corba_priority(), 1) << "and once they can, there is nothing left of the failure";
}

TEST_P(ThreadFailure, ADynamicThreadThatCannotBeHadIsDoneWithout) {
  const auto probe = probe_of(make_pool(1, 1));
  {
    const NoMoreMemory no_more;
    auto first = call(probe);
    ASSERT_TRUE(station->reached_by(1));
    auto second = call(probe);
    EXPECT_EQ(second.wait_for(100ms), std::future_status::timeout);
    station->let_go(1);  // the only thread
    first.get();
    ASSERT_TRUE(station->reached_by(2));
    station->let_go(1);
    second.get();
  }
  auto third = call(probe), fourth = call(probe);
  EXPECT_TRUE(station->reached_by(4)) << "there is a second thread now";
  station->let_go(2);
  third.get();
  fourth.get();
}

INSTANTIATE_TEST_SUITE_P(Each, ThreadFailure, testing::Bool(),
                         [](const auto& buffered) { return buffered.param ? "Buffered" : "Unbuffered"; });

TEST(WorkerFailure, AnUpcallThatThrowsWhatIsNoneIsUnknownAndItsThreadServesOn) {
  for (const bool buffered : {false, true}) {
    TwoOrbs orbs;
    const auto station = CORBA::make_reference<Station>(orbs.server);
    const auto poa = orbs.make_poa(
        {orbs.rt->create_threadpool_policy(orbs.rt->create_threadpool(0, 1, 0, 1, buffered, 5, 0))});
    const auto probe = orbs.to_client(poa->id_to_reference(poa->activate_object(station)));
    for (int i = 0; i < 3; ++i) EXPECT_THROW(probe->look_through(nullptr), CORBA::UNKNOWN);
    EXPECT_TRUE(probe->meet(1));
  }
}

TEST(FullLane, RefusesAndLeavesTheOthersUnharmed) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto station = CORBA::make_reference<Station>(orbs.server);
  const auto pool = orbs.rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, true, 1, 0);
  const auto poa = orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                                  orbs.rt->create_threadpool_policy(pool)});
  const auto probe = orbs.to_client(poa->id_to_reference(poa->activate_object(station)));
  auto served = look_at(orbs, probe, 10);
  ASSERT_TRUE(station->reached_by(1));
  std::vector<std::future<RtTest::Seen>> calls;
  for (int i = 0; i < 3; ++i) calls.push_back(look_at(orbs, probe, 10));
  const auto refused = [&] {
    return std::ranges::count_if(calls,
                                 [](auto& call) { return call.wait_for(0s) == std::future_status::ready; });
  };
  for (int i = 0; i < 500 && refused() < 2; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(refused(), 2) << "one waits in the buffer";
  auto other = look_at(orbs, probe, 20);
  ASSERT_TRUE(station->reached_by(2)) << "the other lane serves";
  station->let_go(3);
  EXPECT_EQ(other.get().thread(), "takt-lane-20");
  served.get();
  int transient = 0;
  for (auto& call : calls) {
    try {
      call.get();
    } catch (const CORBA::TRANSIENT&) {
      ++transient;
    }
  }
  EXPECT_EQ(transient, 2);
}

// The reply to a client that claims a priority, rightly or not, at a lane's own address.
feature::Octets reply_to_claim(TwoOrbs& orbs, const CORBA::PolicyList& policies, std::int16_t claimed) {
  const auto poa = orbs.make_poa(policies);
  const auto id = poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server));
  const feature::Place place(orbs.server->object_to_string(poa->id_to_reference(id)));
  feature::RawPeer peer(place.port);
  const auto low = static_cast<std::uint8_t>(claimed), high = static_cast<std::uint8_t>(claimed >> 8);
  peer.send(feature::request(1, place.key, "look", {{10, {1, 0, low, high}}}).finish());
  return peer.receive_message();
}

// The priority of the upcall.
int priority_for_claim(TwoOrbs& orbs, const CORBA::PolicyList& policies, std::int16_t claimed) {
  const auto reply = reply_to_claim(orbs, policies, claimed);
  const std::size_t body = reply.size() > 20 && reply[20] != 0 ? 40 : 24;  // with or without a context
  return reply.size() > body ? reply[body] : -1;
}

// The exception in a reply; empty if there is none.
std::string exception_in(const feature::Octets& reply) {
  const std::string text(reply.begin(), reply.end());
  const auto name = text.find("IDL:");
  return name == std::string::npos ? "" : text.substr(name, text.find('\0', name) - name);
}

TEST(LyingClient, GetsOnlyThePriorityThatTheServerDeclares) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto declared = orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 8);
  EXPECT_EQ(priority_for_claim(orbs, {declared}, 60), 8);
  const auto pool = orbs.rt->create_threadpool_policy(orbs.lanes({{8, 1, 0}, {60, 1, 0}}));
  EXPECT_EQ(priority_for_claim(orbs, {declared, pool}, 60), 8);
}

TEST(LyingClient, GetsOnlyThePrioritiesOfTheBands) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto propagated = orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 8);
  const auto bands = orbs.rt->create_priority_banded_connection_policy({{1, 10}});
  const auto pool = orbs.rt->create_threadpool_policy(orbs.lanes({{8, 1, 0}}));
  EXPECT_EQ(priority_for_claim(orbs, {propagated, bands, pool}, 60), 8);
  EXPECT_EQ(priority_for_claim(orbs, {propagated, bands, pool}, 9), 9);
}

TEST(LyingClient, IsToldThatThereIsNoSuchPriority) {
  TwoOrbs orbs;
  const auto propagated = orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 8);
  const std::string refused = "IDL:omg.org/CORBA/DATA_CONVERSION:1.0";
  EXPECT_EQ(priority_for_claim(orbs, {propagated}, 99), 99);
  for (const std::int16_t beyond : {100, 32767})  // the direct mapping ends at 99
    EXPECT_EQ(exception_in(reply_to_claim(orbs, {propagated}, beyond)), refused);
  const auto pool = orbs.rt->create_threadpool_policy(orbs.lanes({{8, 1, 0}, {60, 1, 0}}));
  EXPECT_EQ(exception_in(reply_to_claim(orbs, {propagated, pool}, 200)), refused);
  const auto declared = orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 8);
  EXPECT_EQ(priority_for_claim(orbs, {declared}, 200), 8) << "where it is not asked, it does not matter";
  for (const std::int16_t none : {-1, -32768})
    EXPECT_EQ(priority_for_claim(orbs, {propagated}, none), 8) << "which claims nothing";
}

TEST(StalledPeer, OfALowLaneDelaysNoHigherOne) {
  for (const bool buffered : {false, true}) {
    TwoOrbs orbs;
    const auto pool =
        orbs.rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, buffered, 5, 0);
    const auto poa =
        orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                       orbs.rt->create_threadpool_policy(pool)});
    const auto id = poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server));
    const auto object = poa->id_to_reference(id);
    const feature::Place low(orbs.server->object_to_string(object));
    const auto whole = feature::request(1, low.key, "look").finish();
    feature::RawPeer stalled(low.port);
    ASSERT_TRUE(stalled.send(whole));
    const auto reply = stalled.receive_message();
    ASSERT_NE(std::string(reply.begin(), reply.end()).find("takt-lane-10"), std::string::npos);
    ASSERT_TRUE(stalled.send({whole.begin(), whole.end() - 1}));
    auto high = look_at(orbs, orbs.to_client(object), 20);
    ASSERT_EQ(high.wait_for(20s), std::future_status::ready);
    EXPECT_EQ(high.get().thread(), "takt-lane-20");
  }
}

// The two sides may map priorities differently.
TEST(PriorityMappings, OfTwoSidesThatDifferAreFoundOutByTheFirstCall) {
  TwoOrbs orbs;
  const Orb linear = make_orb({"-ORBPriorityMapping", "linear"}, "rt-client");
  const auto poa =
      orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 3)});
  const auto id = poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server));
  const auto probe = IDL::traits<RtTest::Probe>::narrow(
      linear->string_to_object(orbs.server->object_to_string(poa->id_to_reference(id))));
  in_a_thread([&] {
    const auto current = initial<RTCORBA::Current>(linear, "RTCurrent");
    current->the_priority(30000);
    try {
      probe->look();
      ADD_FAILURE() << "the server has no native priority for 30000";
    } catch (const CORBA::DATA_CONVERSION& failure) {
      EXPECT_EQ(failure.minor(), CORBA::omg_minor(2));
      EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
    }
    current->the_priority(5);
    EXPECT_EQ(probe->look().corba_priority(), 5);
  });
  linear->destroy();
}

// While this object exists, threads with default stacks do not fit into memory.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t too_big;
    ::pthread_getattr_default_np(&too_big);
    ::pthread_attr_setstacksize(&too_big, stack_that_is_too_big);
    ::pthread_setattr_default_np(&too_big);
    ::pthread_attr_destroy(&too_big);
  }
  ~NoMoreThreads() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }

 private:
  const NoMoreMemory memory_;
  pthread_attr_t before_;
};

TEST(ConnectionThread, ThatCannotBeHadRefusesItsClientInGoodOrderAndTheOthersServe) {
  const feature::Caught said;
  TwoOrbs orbs;
  const auto id = orbs.root->activate_object(CORBA::make_reference<ProbeServant>(orbs.server));
  const auto object = orbs.root->id_to_reference(id);
  const feature::Place place(orbs.server->object_to_string(object));
  const auto others = orbs.to_client(object);
  others->look();
  constexpr std::uint8_t reply = 1, close_connection = 5;
  const auto answer = [&place] {
    feature::RawPeer peer(place.port);
    peer.send(feature::request(1, place.key, "look").finish());
    const auto message = peer.receive_message();
    return message.size() < 12 ? -1 : message[7];
  };
  {
    const NoMoreThreads no_more;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(answer(), close_connection) << "it may make its request elsewhere";
    EXPECT_EQ(others->look().corba_priority(), -1);
  }
  EXPECT_EQ(answer(), reply);
  orbs.server->shutdown(true);
  EXPECT_TRUE(said.has("as soon as they are accepted: no thread can be started for them: ")) << said.text();
}

TEST(ClientThread, ThatCannotBeHadFailsItsCallOnly) {
  TwoOrbs orbs({"-ORBClientConnections", "multiplexed-active"});
  const auto probe = orbs.probe(orbs.root);
  {
    const NoMoreThreads no_more;
    EXPECT_THROW(probe->look(), CORBA::TRANSIENT);
  }
  EXPECT_EQ(probe->look().corba_priority(), -1);
}

TEST(AcceptingThread, ThatCannotBeHadKeepsTheServerFromStartingUntilItCan) {
  const Orb orb = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "rt-server");
  {
    const NoMoreThreads no_more;
    EXPECT_THROW(orb->resolve_initial_references("RootPOA"), CORBA::NO_RESOURCES);
  }
  const auto root = initial<PortableServer::POA>(orb, "RootPOA");
  root->the_POAManager()->activate();
  const auto id = root->activate_object(CORBA::make_reference<ProbeServant>(orb));
  const feature::Place place(orb->object_to_string(root->id_to_reference(id)));
  feature::RawPeer peer(place.port);
  peer.send(feature::request(1, place.key, "look").finish());
  EXPECT_FALSE(peer.receive_message().empty());
  orb->destroy();
}

}  // namespace
}  // namespace real_time
