// Valid combinations of RT policies, and priority bands.
#include <gtest/gtest.h>

#include "probe_servant.h"
#include "raw_peer.h"

namespace real_time {
namespace {

class Policies : public testing::Test {
 protected:
  // The index of the policy at fault; -1 if the list is valid.
  int fault_in(const CORBA::PolicyList& policies) {
    try {
      orbs.make_poa(policies);
    } catch (const PortableServer::POA::InvalidPolicy& invalid) {
      return invalid.index();
    }
    return -1;
  }
  auto model(PriorityModel value, std::int16_t priority) {
    return orbs.rt->create_priority_model_policy(value, priority);
  }
  auto bands(const RTCORBA::PriorityBands& list) {
    return orbs.rt->create_priority_banded_connection_policy(list);
  }

  TwoOrbs orbs;
};

TEST_F(Policies, APoolThatDoesNotExistIsInvalid) {
  EXPECT_EQ(fault_in({orbs.rt->create_threadpool_policy(99)}), 0);
}

TEST_F(Policies, LanesNeedAPriorityModel) {
  const auto pool = orbs.rt->create_threadpool_policy(orbs.lanes({{10, 1, 0}}));
  EXPECT_EQ(fault_in({pool}), 0);
  EXPECT_EQ(fault_in({model(PriorityModel::CLIENT_PROPAGATED, 10), pool}), -1);
}

TEST_F(Policies, ADeclaredPriorityNeedsItsLane) {
  const auto pool = orbs.rt->create_threadpool_policy(orbs.lanes({{10, 1, 0}}));
  EXPECT_EQ(fault_in({pool, model(PriorityModel::SERVER_DECLARED, 11)}), 1);
  EXPECT_EQ(fault_in({pool, model(PriorityModel::SERVER_DECLARED, 10)}), -1);
}

TEST_F(Policies, BandsNeedAModelAndALaneInEach) {
  EXPECT_EQ(fault_in({bands({{1, 5}})}), 0);
  EXPECT_EQ(fault_in({model(PriorityModel::SERVER_DECLARED, 7), bands({{1, 5}})}), 1);
  const auto pool = orbs.rt->create_threadpool_policy(orbs.lanes({{3, 1, 0}}));
  EXPECT_EQ(fault_in({model(PriorityModel::CLIENT_PROPAGATED, 3), pool, bands({{1, 5}, {6, 9}})}), 2);
  EXPECT_EQ(fault_in({model(PriorityModel::CLIENT_PROPAGATED, 3), pool, bands({{1, 5}})}), -1);
}

TEST_F(Policies, BandsThatAreNoneAreRefused) {
  EXPECT_THROW(bands({}), CORBA::BAD_PARAM);
  EXPECT_THROW(bands({{5, 4}}), CORBA::BAD_PARAM);
  EXPECT_THROW(bands({{-1, 4}}), CORBA::BAD_PARAM);
}

TEST_F(Policies, ObjectsWithPrioritiesNeedADeclaredModel) {
  const auto poa = orbs.make_poa({model(PriorityModel::CLIENT_PROPAGATED, 3)});
  const auto servant = CORBA::make_reference<ProbeServant>(orbs.server);
  EXPECT_THROW(poa->activate_object_with_priority(servant, 3), PortableServer::POA::WrongPolicy);
  EXPECT_THROW(orbs.root->activate_object_with_priority(servant, 3), PortableServer::POA::WrongPolicy);
}

// With the direct mapping, priorities from 1 to 99 have native ones.
TEST_F(Policies, APriorityThatHasNoNativeOneIsRefusedBeforeAnyUpcall) {
  EXPECT_EQ(fault_in({model(PriorityModel::SERVER_DECLARED, 500)}), 0);
  EXPECT_EQ(fault_in({model(PriorityModel::CLIENT_PROPAGATED, 0)}), 0);
  const auto poa = orbs.make_poa({model(PriorityModel::SERVER_DECLARED, 5)});
  for (const std::int16_t priority : {500, -1, -5})
    EXPECT_THROW(
        poa->activate_object_with_priority(CORBA::make_reference<ProbeServant>(orbs.server), priority),
        CORBA::BAD_PARAM)
        << priority;
  EXPECT_THROW(poa->create_reference_with_priority("IDL:RtTest/Probe:1.0", -1), CORBA::BAD_PARAM);
}

// The program replaces the mapping after it has made the adapter, so that only the upcall can tell.
TEST_F(Policies, AnUpcallWhoseDeclaredPriorityHasNoNativeOneIsRefused) {
  struct Nothing final : RTCORBA::PriorityMapping {
    bool to_native(RTCORBA::Priority, RTCORBA::NativePriority&) const override { return false; }
    bool to_CORBA(RTCORBA::NativePriority, RTCORBA::Priority&) const override { return false; }
  };
  const auto probe = orbs.probe(orbs.make_poa({model(PriorityModel::SERVER_DECLARED, 5)}));
  orbs.rt->_set_priority_mapping(std::make_shared<Nothing>());
  EXPECT_THROW(probe->look(), CORBA::DATA_CONVERSION);
}

TEST_F(Policies, ARepeatedPolicyHasTheSameValue) {
  const auto five = model(PriorityModel::CLIENT_PROPAGATED, 5);
  EXPECT_EQ(fault_in({five, model(PriorityModel::CLIENT_PROPAGATED, 5)}), -1);
  EXPECT_EQ(fault_in({five, model(PriorityModel::CLIENT_PROPAGATED, 6)}), 1);
  EXPECT_EQ(fault_in({five, model(PriorityModel::SERVER_DECLARED, 5)}), 1);
  EXPECT_EQ(fault_in({five, bands({{1, 5}}), bands({{1, 5}})}), -1);
  EXPECT_EQ(fault_in({five, bands({{1, 5}}), bands({{6, 9}})}), 2);
  const auto pool = [&](RTCORBA::ThreadpoolId id) { return orbs.rt->create_threadpool_policy(id); };
  const auto one = orbs.rt->create_threadpool(0, 1, 0, 5, false, 0, 0);
  const auto other = orbs.rt->create_threadpool(0, 1, 0, 5, false, 0, 0);
  EXPECT_EQ(fault_in({pool(one), pool(one)}), -1);
  EXPECT_EQ(fault_in({pool(one), pool(other)}), 1);
}

TEST_F(Policies, ARequestOutsideOfAllBandsIsRefused) {
  REQUIRE_REAL_TIME();
  const auto probe =
      orbs.probe(orbs.make_poa({model(PriorityModel::CLIENT_PROPAGATED, 3), bands({{1, 5}, {10, 20}})}));
  in_a_thread([&] {
    orbs.current->the_priority(7);
    EXPECT_THROW(probe->look(), CORBA::INV_POLICY);
    orbs.current->the_priority(11);
    EXPECT_EQ(probe->look().native_priority(), 11);
  });
}

// The pool's default priority is in one of the bands.
TEST_F(Policies, APoolWithoutLanesServesAllBands) {
  REQUIRE_REAL_TIME();
  const auto pool = orbs.rt->create_threadpool(0, 1, 0, 3, false, 0, 0);
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_threadpool_policy(pool),
                                model(PriorityModel::CLIENT_PROPAGATED, 3), bands({{1, 5}, {10, 20}})}));
  in_a_thread([&] {
    for (const std::int16_t priority : {4, 11}) {
      orbs.current->the_priority(priority);
      EXPECT_EQ(probe->look().native_priority(), priority);
    }
    orbs.current->the_priority(7);
    EXPECT_THROW(probe->look(), CORBA::INV_POLICY);
  });
}

// A client that ignores the server's bands.
TEST_F(Policies, ARequestThatClaimsAPriorityOutsideOfAllBandsRunsAtTheServers) {
  REQUIRE_REAL_TIME();
  const auto poa = orbs.make_poa({model(PriorityModel::CLIENT_PROPAGATED, 3), bands({{1, 5}})});
  const auto id = poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server));
  const feature::Place place(orbs.server->object_to_string(poa->id_to_reference(id)));
  feature::RawPeer peer(place.port);
  const auto priority_of_upcall = [&](std::uint8_t claimed) {
    peer.send(feature::request(1, place.key, "look", {{10, {1, 0, claimed, 0}}}).finish());
    const auto reply = peer.receive_message();
    if (reply.size() < 42) return -1;
    EXPECT_EQ(reply[34], reply[40]) << "the reply's context and the servant agree";
    return int{reply[40]};  // the result begins with the CORBA priority
  };
  EXPECT_EQ(priority_of_upcall(4), 4);
  EXPECT_EQ(priority_of_upcall(60), 3);
}

// Each connection has a thread of its own in this server.
TEST_F(Policies, EachBandHasAConnectionOfItsOwn) {
  REQUIRE_REAL_TIME();
  TwoOrbs sharing({"-ORBClientConnections", "multiplexed"});
  const auto probe = sharing.probe(
      sharing.make_poa({sharing.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 3),
                        sharing.rt->create_priority_banded_connection_policy({{1, 5}, {10, 20}})}));
  // One caller in each band is in the servant at the same time.
  std::thread low([&] {
    sharing.current->the_priority(2);
    EXPECT_TRUE(probe->meet(2));
  });
  std::thread high([&] {
    sharing.current->the_priority(12);
    EXPECT_TRUE(probe->meet(2));
  });
  low.join();
  high.join();
}

}  // namespace
}  // namespace real_time
