// Thread pools and their lanes.
#include <gtest/gtest.h>

#include <future>

#include "station_servant.h"

namespace real_time {
namespace {

TEST(Lanes, ServeTheRequestsOfTheirPriority) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto pool = orbs.lanes({{10, 1, 0}, {20, 1, 0}, {30, 2, 0}});
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                                orbs.rt->create_threadpool_policy(pool)}));
  in_a_thread([&] {
    for (const std::int16_t priority : {20, 10, 30, 20}) {
      orbs.current->the_priority(priority);
      const auto seen = probe->look();
      EXPECT_EQ(seen.thread(), "takt-lane-" + std::to_string(priority));
      EXPECT_EQ(seen.native_priority(), priority);
    }
  });
}

TEST(Lanes, APriorityBetweenThemGoesToTheNextBelow) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto pool = orbs.lanes({{10, 1, 0}, {20, 1, 0}});
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 20),
                                orbs.rt->create_threadpool_policy(pool)}));
  const auto lane_for = [&](std::int16_t priority) {
    orbs.current->the_priority(priority);
    const auto seen = probe->look();
    EXPECT_EQ(seen.native_priority(), priority);  // raised or lowered for the upcall
    return seen.thread();
  };
  in_a_thread([&] {
    EXPECT_EQ(lane_for(25), "takt-lane-20");
    EXPECT_EQ(lane_for(15), "takt-lane-10");
    EXPECT_EQ(lane_for(5), "takt-lane-10");
  });
}

TEST(Lanes, OfADeclaredPriorityServeItsObjects) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto pool = orbs.lanes({{10, 1, 0}, {20, 1, 0}});
  const auto poa = orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 10),
                                  orbs.rt->create_threadpool_policy(pool)});
  const auto usual = orbs.probe(poa);
  const auto urgent = orbs.to_client(poa->id_to_reference(
      poa->activate_object_with_priority(CORBA::make_reference<ProbeServant>(orbs.server), 20)));
  in_a_thread([&] {
    EXPECT_EQ(usual->look().thread(), "takt-lane-10");
    EXPECT_EQ(urgent->look().thread(), "takt-lane-20");
  });
  EXPECT_THROW(poa->activate_object_with_priority(CORBA::make_reference<ProbeServant>(orbs.server), 15),
               CORBA::BAD_PARAM);
}

TEST(Lanes, AreUsedByAClientThatSharesItsConnections) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs({"-ORBClientConnections", "multiplexed"});
  const auto pool = orbs.lanes({{10, 1, 0}, {20, 1, 0}});
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                                orbs.rt->create_threadpool_policy(pool)}));
  in_a_thread([&] {
    orbs.current->the_priority(20);
    EXPECT_EQ(probe->look().thread(), "takt-lane-20");
    orbs.current->the_priority(10);
    EXPECT_EQ(probe->look().thread(), "takt-lane-10");
  });
}

// All calls must be in the servant at the same time, or none returns true.
bool all_meet(const ProbeRef& probe, std::uint32_t callers) {
  std::vector<std::future<bool>> calls;
  for (std::uint32_t i = 0; i < callers; ++i)
    calls.push_back(std::async(std::launch::async, [&] { return probe->meet(callers); }));
  bool all = true;
  for (auto& call : calls) all &= call.get();
  return all;
}

// Whether calls of the probe fail within five seconds.
bool ends(const ProbeRef& probe) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::seconds(5); Clock::now() < end;) try {
      probe->look();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } catch (const CORBA::SystemException&) {
      return true;
    }
  return false;
}

TEST(Lanes, DrainTogether) {
  TwoOrbs orbs;
  const auto probe_in_own_pool = [&](const auto& servant) {
    const auto poa = orbs.make_poa(
        {orbs.rt->create_threadpool_policy(orbs.rt->create_threadpool(0, 1, 0, 1, false, 0, 0))});
    return orbs.publish<RtTest::Probe>(servant, poa);
  };
  const auto station = CORBA::make_reference<Station>(orbs.server);
  const auto busy = probe_in_own_pool(station);
  const auto idle = probe_in_own_pool(CORBA::make_reference<ProbeServant>(orbs.server));
  auto upcall = std::async(std::launch::async, [&] { busy->look(); });
  ASSERT_TRUE(station->reached_by(1));
  auto ending = std::async(std::launch::async, [&] { orbs.stop_server(); });
  EXPECT_TRUE(ends(idle)) << "it waits for the other's upcall";
  EXPECT_EQ(upcall.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  station->let_go(1);
  upcall.get();
  ending.get();
}

TEST(Threadpool, ServesAsManyRequestsAtOnceAsItHasThreads) {
  TwoOrbs orbs;
  const auto pool = orbs.rt->create_threadpool(0, 3, 0, 1, false, 0, 0);
  const auto probe = orbs.probe(orbs.make_poa({orbs.rt->create_threadpool_policy(pool)}));
  EXPECT_TRUE(all_meet(probe, 3));
}

TEST(Threadpool, AddsItsDynamicThreadsWhileTheOthersAreBusy) {
  TwoOrbs orbs;
  const auto pool = orbs.rt->create_threadpool(0, 1, 3, 1, false, 0, 0);
  const auto probe = orbs.probe(orbs.make_poa({orbs.rt->create_threadpool_policy(pool)}));
  EXPECT_TRUE(all_meet(probe, 4));
}

TEST(Threadpool, HasNoMoreThreadsThanItWasGiven) {
  TwoOrbs orbs;
  const auto pool = orbs.rt->create_threadpool(0, 1, 1, 1, false, 0, 0);
  const auto probe = orbs.probe(orbs.make_poa({orbs.rt->create_threadpool_policy(pool)}));
  EXPECT_FALSE(all_meet(probe, 3));
}

TEST(Threadpool, IsDestroyedWhenNoAdapterUsesIt) {
  TwoOrbs orbs;
  const auto pool = orbs.rt->create_threadpool(0, 1, 0, 1, false, 0, 0);
  const auto poa = orbs.make_poa({orbs.rt->create_threadpool_policy(pool)});
  const auto probe = orbs.probe(poa);
  EXPECT_THROW(orbs.rt->destroy_threadpool(pool), CORBA::BAD_INV_ORDER);
  probe->look();
  poa->destroy(true, true);
}

TEST(Threadpool, ThatDoesNotExistIsInvalid) {
  TwoOrbs orbs;
  EXPECT_THROW(orbs.rt->destroy_threadpool(77), RTCORBA::RTORB::InvalidThreadpool);
  const auto pool = orbs.rt->create_threadpool(0, 1, 0, 1, false, 0, 0);
  orbs.rt->destroy_threadpool(pool);
  EXPECT_THROW(orbs.rt->destroy_threadpool(pool), RTCORBA::RTORB::InvalidThreadpool);
}

TEST(Threadpool, WhatItCannotDoIsRefused) {
  TwoOrbs orbs;
  EXPECT_THROW(orbs.rt->create_threadpool(0, 0, 0, 1, false, 0, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(orbs.rt->create_threadpool(0, 1, 0, 1, true, 0, 0), CORBA::BAD_PARAM) << "no bound at all";
  EXPECT_THROW(orbs.lanes({}), CORBA::BAD_PARAM);
  EXPECT_THROW(orbs.lanes({{5, 1, 0}, {5, 1, 0}}), CORBA::BAD_PARAM);
  EXPECT_THROW(orbs.lanes({{-2, 1, 0}}), CORBA::BAD_PARAM);
}

TEST(Threadpools, KeepTheirIdIfTheirDestructionIsRefused) {
  TwoOrbs orbs;
  const auto pool = orbs.rt->create_threadpool(0, 1, 0, 10, false, 0, 0);
  const auto policy = orbs.rt->create_threadpool_policy(pool);
  const auto first = orbs.make_poa({policy});
  EXPECT_THROW(orbs.rt->destroy_threadpool(pool), CORBA::BAD_INV_ORDER);
  const auto second = orbs.root->create_POA("second", nullptr, {policy});
  first->destroy(true, true);
  EXPECT_THROW(orbs.rt->destroy_threadpool(pool), CORBA::BAD_INV_ORDER);
  second->destroy(true, true);
  orbs.rt->destroy_threadpool(pool);  // although there are references to both adapters
  EXPECT_THROW(orbs.rt->destroy_threadpool(pool), RTCORBA::RTORB::InvalidThreadpool);
  EXPECT_THROW(orbs.root->create_POA("third", nullptr, {policy}), PortableServer::POA::InvalidPolicy);
}

}  // namespace
}  // namespace real_time
